# What becomes of each kind of object that can name a column, or hang on a table, in each
# recipe: doc/recipe-matrix.md is what this test finds.
# RECIPE_MATRIX=FILE in the environment writes it.

use strict;
use warnings;

use File::Basename qw(dirname);
use PostgreSQL::Test::Utils;
use Test::More;

use lib dirname(__FILE__) . '/../include';
use Recipes;

server();
my $shop = new_shop('matrix', 'bigint', q(nextval('play.n')), identity => 1,
	more => 'GRANT CREATE ON SCHEMA shop TO keeper; CREATE EXTENSION btree_gist');
my @moves = qw(prepare fill switch drop);

# The recipes, with the steps to their ends; {on} is what an object hangs on: the table, or
# one small partition.
my @recipes = (
	[ change_key => 'shop.sales', \@moves, from => 'v4', created => 'at' ],
	[ move_table => 'shop.sales', \@moves, into => 'partitions' ],
	[ merge_partitions => 'shop.sales_2026_01_02', \@moves, start => '2026-01-01 00:00+00', step => '4 days' ],
	[ refresh_mixed => 'shop.sales', [qw(prepare fill)] ]);

# Catalog columns that the kinds fill.
my %covered;

# Kinds of objects: how they are made, and a query that finds them by their name.
my $relation = q(SELECT count(*) FROM pg_class WHERE relname = 'ours');
my $constraint = q(SELECT count(*) FROM pg_constraint WHERE conname = 'ours' AND conparentid = 0 AND coninhcount = 0);
my $trigger = q(SELECT count(*) FROM pg_trigger WHERE tgname = 'ours' AND tgparentid = 0);
my $function = q(SELECT count(*) FROM pg_proc WHERE proname = 'ours');
my $statistics = q(SELECT count(*) FROM pg_statistic_ext WHERE stxname = 'ours');
my $publication = q(SELECT count(*) FROM pg_publication_rel JOIN pg_publication p ON p.oid = prpubid WHERE pubname = 'ours');
my @kinds = (
	[ 'policy', 'CREATE POLICY ours ON {on} USING (id IS NOT NULL) WITH CHECK (id IS NOT NULL)',
		q(SELECT count(*) FROM pg_policy WHERE polname = 'ours') ],
	[ 'policy of another table', 'CREATE POLICY ours ON shop.allowed USING (id IN (SELECT id FROM {on}))',
		q(SELECT count(*) FROM pg_policy WHERE polname = 'ours') ],
	[ 'CHECK', 'ALTER TABLE {on} ADD CONSTRAINT ours CHECK (num_nonnulls(id, n) > 0)', $constraint ],
	[ 'exclusion constraint', 'ALTER TABLE {on} ADD CONSTRAINT ours EXCLUDE (id WITH =, n WITH =)', $constraint ],
	[ 'UNIQUE', 'ALTER TABLE {on} ADD CONSTRAINT ours UNIQUE (id, n)', $constraint ],
	[ 'UNIQUE NULLS NOT DISTINCT', 'ALTER TABLE {on} ADD CONSTRAINT ours UNIQUE NULLS NOT DISTINCT (id, n)', $constraint ],
	[ 'foreign key', 'ALTER TABLE {on} ADD CONSTRAINT ours FOREIGN KEY (id, n) REFERENCES shop.allowed', $constraint ],
	[ 'index', 'CREATE INDEX ours ON {on} (n, id)', $relation ],
	[ 'index with a predicate', 'CREATE INDEX ours ON {on} (n) WHERE id IS NULL', $relation ],
	[ 'unique index with an expression', 'CREATE UNIQUE INDEX ours ON {on} (id, (id::text))', $relation ],
	[ 'generated column', 'ALTER TABLE {table} ADD ours text GENERATED ALWAYS AS (left(id::text, 1)) STORED',
		q(SELECT count(*) FROM pg_attribute WHERE attrelid = 'shop.sales'::regclass AND attname = 'ours') ],
	[ 'view', 'CREATE VIEW shop.ours AS SELECT id, n FROM {on}', $relation ],
	[ 'rule', 'CREATE RULE ours AS ON DELETE TO {on} WHERE OLD.id IS NULL DO INSTEAD NOTHING',
		q(SELECT count(*) FROM pg_rewrite WHERE rulename = 'ours') ],
	[ 'trigger with WHEN', q(
		CREATE TRIGGER ours AFTER INSERT ON {on}
		FOR EACH ROW
		WHEN (NEW.id IS NULL)
		EXECUTE FUNCTION shop.touch()),
		$trigger ],
	[ 'trigger UPDATE OF', 'CREATE TRIGGER ours AFTER UPDATE OF id ON {on} FOR EACH ROW EXECUTE FUNCTION shop.touch()', $trigger ],
	[ 'function with BEGIN ATOMIC',
		'CREATE FUNCTION shop.ours() RETURNS bigint LANGUAGE sql BEGIN ATOMIC SELECT count(id) FROM {on}; END',
		$function ],
	[ 'function that returns rows',
		q(CREATE FUNCTION shop.ours() RETURNS SETOF {on} LANGUAGE sql AS 'SELECT id, at, n, paid, m FROM {on}'),
		$function ],
	[ 'statistics', 'CREATE STATISTICS shop.ours ON id, n FROM {on}', $statistics ],
	[ 'publication with a filter', q(
		RESET ROLE;
		CREATE PUBLICATION ours FOR TABLE {on} WHERE (id IS NOT NULL) WITH (publish_via_partition_root);
		ALTER PUBLICATION ours OWNER TO keeper),
		$publication ],
	[ 'right on a column', 'GRANT SELECT (id) ON {on} TO reader',
		q(
			SELECT count(DISTINCT 1)
			FROM pg_attribute, aclexplode(attacl)
			WHERE grantee = 'reader'::regrole
				AND attname IN ('id', 'uid')
				AND attrelid::regclass::text ~ 'sales') ],
	[ 'comment of a column', q(COMMENT ON COLUMN {on}.id IS 'ours'),
		q(SELECT count(DISTINCT 1) FROM pg_description WHERE description = 'ours') ],
	[ 'CHECK of the row as a whole', 'ALTER TABLE {on} ADD CONSTRAINT ours CHECK (({row}.*) IS NOT NULL OR true)', $constraint ],
	[ 'index of the row as a whole', 'CREATE INDEX ours ON {on} ((({row}.*) IS NOT NULL))', $relation ],
	[ 'policy of the row as a whole', 'CREATE POLICY ours ON {on} USING (({row}.*) IS NOT NULL)',
		q(SELECT count(*) FROM pg_policy WHERE polname = 'ours') ],
	[ 'foreign key with SET NULL of a column', q(
		ALTER TABLE {on} ADD CONSTRAINT ours
			FOREIGN KEY (id, m) REFERENCES shop.allowed ON DELETE SET NULL (m)),
		$constraint ],
	[ 'foreign key to it', 'CREATE TABLE shop.ours (sale uuid CONSTRAINT ours REFERENCES {table})', $constraint ],
	[ 'foreign key to it, of a domain', q(
			CREATE DOMAIN shop.sale AS uuid CHECK (VALUE IS NOT NULL);
			CREATE TABLE shop.ours (sale shop.sale CONSTRAINT ours REFERENCES {table})), $constraint ],
	[ 'foreign key to it, partition key',
		'CREATE TABLE shop.ours (sale uuid CONSTRAINT ours REFERENCES {table}) PARTITION BY HASH (sale)',
		$constraint ],
	[ 'foreign key to it, partition key with an expression', q(
		CREATE TABLE shop.ours (sale uuid CONSTRAINT ours REFERENCES {table}) PARTITION BY HASH ((sale::text))),
		$constraint ],
	[ 'foreign key to it, of one partition alone', q(
		CREATE TABLE shop.ours (sale uuid, n int) PARTITION BY LIST (n);
		CREATE TABLE shop.ours_1 PARTITION OF shop.ours FOR VALUES IN (1);
		CREATE TABLE shop.ours_2 PARTITION OF shop.ours FOR VALUES IN (2);
		ALTER TABLE shop.ours_1 ADD CONSTRAINT ours FOREIGN KEY (sale) REFERENCES shop.sales),
		$constraint ],
	[ 'constraint trigger FROM another table', q(
		CREATE CONSTRAINT TRIGGER ours AFTER INSERT ON {on} FROM shop.allowed
		FOR EACH ROW
		EXECUTE FUNCTION shop.touch()),
		$trigger ],
	[ 'constraint trigger of another table FROM it', q(
		CREATE CONSTRAINT TRIGGER ours AFTER INSERT ON shop.allowed FROM {on}
		FOR EACH ROW
		EXECUTE FUNCTION shop.touch()),
		$trigger ],
	[ 'statistics of an expression', 'CREATE STATISTICS shop.ours ON (id::text), n FROM {on}', $statistics ],
	[ 'materialized view', 'CREATE MATERIALIZED VIEW shop.ours AS SELECT id, n FROM {on}', $relation ],
	[ 'publication', q(
		RESET ROLE;
		CREATE PUBLICATION ours FOR TABLE {table} WITH (publish_via_partition_root);
		ALTER PUBLICATION ours OWNER TO keeper),
		$publication ],
	[ 'publication with columns', q(
		RESET ROLE;
		CREATE PUBLICATION ours FOR TABLE {table} (id, n) WITH (publish_via_partition_root);
		ALTER PUBLICATION ours OWNER TO keeper),
		$publication ],
	[ 'sequence that the key owns and no default calls', 'CREATE SEQUENCE shop.ours OWNED BY {on}.id', $relation ],
	[ 'child table', 'CREATE TABLE shop.ours () INHERITS ({table})', $relation ],
	[ 'type of the table', q(
		CREATE TYPE shop.ours AS (id uuid, at timestamptz, n int, paid bool, m int);
		ALTER TABLE {table} OF shop.ours),
		q(SELECT count(*) FROM pg_class WHERE reloftype <> 0) ],
	[ 'column of its rows', 'CREATE TABLE shop.ours (sale {on})', $relation ],
	[ 'domain over its rows', 'CREATE DOMAIN shop.ours AS {on}', q(SELECT count(*) FROM pg_type WHERE typname = 'ours') ],
	[ 'cast of its rows', q(
		CREATE FUNCTION shop.row_as(s {on}) RETURNS jsonb LANGUAGE sql AS 'SELECT to_jsonb(s)';
		CREATE CAST ({on} AS jsonb) WITH FUNCTION shop.row_as({on})),
		q(SELECT count(*) FROM pg_cast JOIN pg_type t ON t.oid = castsource WHERE typname ~ '^sales') ],
	[ 'function of its rows', q(CREATE FUNCTION shop.ours(s {on}) RETURNS text LANGUAGE sql AS 'SELECT s.id::text'), $function ],
	[ 'function with the table as a default', q(
		CREATE FUNCTION shop.ours(t regclass DEFAULT '{on}'::regclass)
		RETURNS text
		LANGUAGE sql AS 'SELECT t::text'),
		$function ],
	[ 'function with a body as text', q(
		CREATE FUNCTION shop.ours()
		RETURNS bigint
		LANGUAGE plpgsql AS 'BEGIN RETURN (SELECT count(id) FROM {table}); END'),
		$function ],
	[ 'table of an extension', 'RESET ROLE; ALTER EXTENSION btree_gist ADD TABLE {on}',
		q(SELECT count(*) FROM pg_depend WHERE classid = 'pg_class'::regclass AND deptype = 'e' AND objid::regclass::text ~ 'sales') ]);

sub keeper { return sql($shop->{database}, "SET ROLE keeper; SET search_path = public, shop; $_[0]") }

# A shop with one table, which is made anew, with objects of some kinds; what is there beside it is cleaned.
sub make
{
	my ($recipe, $on, @made) = @_;
	my $parts = $recipe eq 'merge_partitions';

	sql($shop->{database}, q(DO $$ DECLARE t text; BEGIN
		FOR t IN
		SELECT objid::regclass
		FROM pg_depend
		WHERE classid = 'pg_class'::regclass AND deptype = 'e' AND objid::regclass::text ~ 'sales' LOOP
			EXECUTE format('ALTER EXTENSION btree_gist DROP TABLE %s', t);
		END LOOP;
		FOR t IN SELECT pubname FROM pg_publication WHERE pubname ~ '^ours' LOOP
			EXECUTE format('DROP PUBLICATION %I', t);
		END LOOP; END $$;
		SET client_min_messages = error; DROP SCHEMA shop CASCADE; CREATE SCHEMA shop AUTHORIZATION keeper));
	keeper(q(CREATE FUNCTION shop.touch() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';
		CREATE TABLE shop.sales (id uuid PRIMARY KEY, at timestamptz NOT NULL DEFAULT now(),
			n int NOT NULL DEFAULT 1, paid bool, m int))
			. ($parts ? 'PARTITION BY RANGE (id)' : ''));
	keeper(q(
		SELECT count(*)
		FROM uuid_partition_create('shop.sales', '2026-01-01 00:00+00', '2026-01-05 00:00+00', '1 day')))
		if $parts;
	my $id = $recipe eq 'change_key'
		? 'gen_random_uuid()'
		: q(gen_uuidv7_at(timestamptz '2026-01-01 00:00+00' + n * interval '1 hour'));
	keeper(qq(
		INSERT INTO shop.sales SELECT $id, now(), n FROM generate_series(1, 90) n;
		CREATE TABLE shop.allowed (id uuid, n int, PRIMARY KEY (id, n));
		INSERT INTO shop.allowed SELECT id, n FROM shop.sales));
	# a session takes its temporary functions out of the catalogs when its client has gone
	Recipes::no_session($shop) or die 'sessions stay';
	my $before = $recipe eq 'change_key' ? filled() : {};
	foreach my $kind (@made)
	{
		my $set = named($kind, $kind->[1]);

		$set =~ s/\{on\}/$on/g;
		$set =~ s/\{table\}/shop.sales/g;
		$set =~ s/\{row\}/$on =~ s{shop.}{}r/ge;
		keeper($set);
	}
	my $after = $recipe eq 'change_key' ? filled() : {};
	$covered{$_}++ foreach grep { $before->{$_} ne $after->{$_} } keys %$after;
	return;
}

# Each kind's object has a name of its own.
sub named { my ($kind, $text) = @_; return $text =~ s/ours/ours_$kind->[3]/gr }

# Each column of a catalog that can lead to a relation, to one of its columns or to the type of
# its rows, or holds an expression, by the server's own list of references between catalogs and the
# types of their columns; and a sum of what it contains.
sub filled
{
	my $queries = sql($shop->{database}, q(WITH columns AS (
			SELECT fktable AS catalog, col FROM pg_get_catalog_foreign_keys(), unnest(fkcols) AS col
			WHERE pktable IN ('pg_class'::regclass, 'pg_attribute'::regclass, 'pg_type'::regclass)
			UNION SELECT attrelid, attname FROM pg_attribute JOIN pg_class c ON c.oid = attrelid
			WHERE relnamespace = 'pg_catalog'::regnamespace AND relkind = 'r' AND attnum > 0
				AND atttypid IN ('pg_node_tree'::regtype, 'regclass'::regtype, 'int2vector'::regtype, 'int2[]'::regtype,
					'pg_ndistinct'::regtype, 'pg_dependencies'::regtype, 'pg_mcv_list'::regtype))
		SELECT string_agg(
			format($q$
				SELECT %L, sum(hashtext(%I::text)::bigint) FILTER (WHERE %2$I::text NOT IN ('0', '', '-', '{}'))
				FROM %s$q$,
			concat(catalog, '.', col), col, catalog), ' UNION ALL ')
		FROM columns));

	return { map { my ($column, $contents) = split /\|/; ($column => $contents // '') } split /\n/,
		sql($shop->{database}, $queries) };
}

# Plays a recipe with objects of some kinds: what it says, and the step that ends with an error, if one does.
sub played
{
	my ($of, @made) = @_;
	my ($recipe, $on, $steps, %variables) = @$of;
	my $said = '';

	make($recipe, $on, @made);
	foreach my $step (@$steps)
	{
		my $result = step(new_recipe(file => "$recipe.psql"), $shop, $step, variables => { table => 'shop.sales', %variables });

		$said .= $result->{said};
		return ($said, $step) if $result->{status} != 0;
	}
	return $said;
}

# What has become of one that was there to the end: kept; told of by prepare, by its name unless it was alone; or gone.
sub left
{
	my ($kind, $said, $alone) = @_;
	my $named = named($kind, 'ours');

	return 'told' if $said =~ /NOTICE:  before do=\w+ read function shop.$named\(/;
	return 'kept' if keeper(named($kind, $kind->[2])) ne '0';
	my $who = $alone ? '' : qr/[^\n]*\b$named\b/;
	return $said =~ /NOTICE:  the new partition will not have$who/ ? 'told' : 'gone';
}

# What becomes of one by itself: as above, or which step refuses.
sub outcome
{
	my ($of, $kind) = @_;
	my ($said, $stops) = played($of, $kind);

	return left($kind, $said, 1) if !$stops;
	return "$stops refuses" if $said =~ /[Nn]othing has been changed|would be refused/;
	return "$stops fails: " . ($said =~ /ERROR:  ([^\n]*)/)[0];
}

# Of kinds that the page says to be refused by the same step, or to be there in the end, what becomes of them
# where they are there together, if that shows it: what is refused is so by its name.
sub outcomes
{
	my ($of, $step, @together) = @_;
	my ($said, $stops) = played($of, @together);

	return grep { $_->[1] ne 'gone' } map { [ $_->[0], left($_, $said) ] } @together if !$stops;
	return () if $stops ne $step || $said !~ /[Nn]othing has been changed/;
	my $refused = join '', $said =~ /((?:WARNING|ERROR): .*$)/mg;
	return map { my $named = named($_, 'ours'); $refused =~ /\b$named\b/ ? [ $_->[0], "$step refuses" ] : () } @together;
}

my $page = <<'PAGE';
# What each recipe does with views, triggers and other objects

Here you find what each [recipe](changing-keys.md) does with an object that names the key column `id`. In this table, applications make the key, so it has no default. For `merge_partitions`, one of the small partitions has the object. The test `tap/recipes/recipe_matrix` runs each line with each recipe and makes this page.

| cell | meaning |
|---|---|
| kept | after the last step the object is there. After `change_key` it names the new column |
| prepare refuses, switch refuses | this step changes nothing, and says why and what to do. See [what to do before a switch](changing-keys.md#what-still-reads-the-old-key) |
| drop refuses | the object does no harm until the old column is dropped. Before `drop`, create it again for the new column |
| told | `prepare` and `switch` name it. `merge_partitions`: the new partition will not have it. `change_key`: it is a function whose body has the name of the old column |
| - | not tried |

| object | change_key | move_table | merge_partitions | refresh_mixed |
|---|---|---|---|---|
PAGE

# With UIDEXT_LONG each is by itself; otherwise those that prepare refuses, which is soon told, and those whose
# table cannot have others beside them, or would fill more catalogs with them.
my $file = dirname(__FILE__) . '/../../../doc/recipe-matrix.md';
my %says = map { my ($name, @cells) = split / \| /; ($name => \@cells) } slurp_file($file) =~ /^\| (.*) \|$/mg;
my @found;

$kinds[$_][3] = $_ foreach 0 .. $#kinds;
foreach my $n (0 .. $#recipes)
{
	my $of = $recipes[$n];
	my %step;

	foreach my $kind (@kinds)
	{
		my ($name, $set) = @$kind;
		my $cell = $says{$name}[$n] // '';

		next if $set =~ /ADD ours|OF shop.ours|INHERITS|EXTENSION/ || $ENV{UIDEXT_LONG};
		push @{ $step{$1} }, $kind if $cell =~ /^(fill|switch|drop) refuses$/;
		push @{ $step{''} }, $kind if $cell =~ /^(?:kept|told)$/;
	}
	$found[$n] = { map { @$_ } map { outcomes($of, $_, @{ $step{$_} }) } sort keys %step };
	foreach my $kind (@kinds)
	{
		$found[$n]{ $kind->[0] } //= $kind->[1] =~ /\{table\}/ && $of->[0] eq 'merge_partitions' ? '-' : outcome($of, $kind);
	}
}
foreach my $kind (@kinds)
{
	my $name = $kind->[0];
	my @cells = map { $_->{$name} } @found;

	unlike("@cells", qr/gone|fails/, "$name: nothing is lost without a word (@cells)");
	$page .= join(' | ', "| $name", @cells) . " |\n";
}
append_to_file($ENV{RECIPE_MATRIX}, $page) if $ENV{RECIPE_MATRIX};
is(slurp_file($file), $page, 'doc/recipe-matrix.md is up to date');

# Every such column of this server's catalogs is filled by one of the kinds, or it says here why not.
my %not_here = (
	(map { ("pg_statistic.$_" => 'made by ANALYZE, which each recipe runs') } qw(starelid staattnum)),
	(map { ("pg_statistic_ext_data.$_" => 'made by ANALYZE') } qw(stxddependencies stxdndistinct stxdmcv)),
	(map { ("pg_aggregate.$_" => 'the types of its function, of which the row type is a kind here') }
		qw(aggtranstype aggmtranstype)),
	(map { ("pg_operator.$_" => 'as the arguments of its function') } qw(oprleft oprright oprresult)),
	(map { ("pg_opclass.$_" => 'only a superuser makes these') } qw(opcintype opckeytype)),
	(map { ("pg_amop.$_" => 'only a superuser makes these') } qw(amoplefttype amoprighttype)),
	(map { ("pg_amproc.$_" => 'only a superuser makes these') } qw(amproclefttype amprocrighttype)),
	(map { ("pg_range.$_" => 'a domain over rows stands for types over types') } qw(rngtypid rngsubtype rngmultitypid)),
	'pg_class.relrewrite' => 'of a rewrite that is going on',
	'pg_enum.enumtypid' => 'an enum has no columns',
	'pg_extension.extconfig' => 'only the script of an extension fills it',
	'pg_foreign_table.ftrelid' => 'foreign tables are refused: change_key_refusals, move_table, merge_partitions',
	'pg_init_privs.classoid' => 'what an extension has granted on its own',
	'pg_partitioned_table.partdefid' => 'a default partition: change_key, move_table, merge_partitions',
	'pg_proc.proallargtypes' => 'as proargtypes',
	'pg_proc.protrftypes' => 'as pg_transform',
	'pg_proc.provariadic' => 'as proargtypes',
	'pg_seclabel.classoid' => 'labels need a module: refused by move_table and merge_partitions, told by change_key',
	'pg_shdescription.classoid' => 'databases, roles and tablespaces',
	'pg_shseclabel.classoid' => 'databases, roles and tablespaces',
	'pg_subscription_rel.srrelid' => 'refused: change_key_refusals, move_table, merge_partitions',
	'pg_transform.trftype' => 'only a superuser makes these',
	'pg_type.typdefaultbin' => 'a default of a domain names no column');
is(join(' ', sort grep { !$covered{$_} && !$not_here{$_} } keys %{ filled() }), '',
	'every catalog column that can lead to a table or its columns has a kind, or a reason why not');
is(join(' ', sort grep { $not_here{$_} } keys %covered), '', 'no reason is out of date');

done_testing();
