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
my $shop = new_shop('matrix', 'bigint', q(nextval('play.n')), identity => 1, more => 'GRANT CREATE ON SCHEMA shop TO keeper; CREATE EXTENSION btree_gist');
my @moves = qw(prepare fill switch drop);

# The recipes, with the steps to their ends; {on} is what an object hangs on: the table, or
# one small partition.
my @recipes = (
	[ change_key => 'shop.sales', \@moves, from => 'v4', created => 'at' ],
	[ move_table => 'shop.sales', \@moves, into => 'partitions' ],
	[ merge_partitions => 'shop.sales_2026_01_02', \@moves, start => '2026-01-01 00:00+00', step => '4 days' ],
	[ refresh_mixed => 'shop.sales', [qw(prepare fill)] ]);

# Kinds of objects: how they are made, and a query that finds them by their name.
my $relation = q(SELECT count(*) FROM pg_class WHERE relname = 'ours');
my $constraint = q(SELECT count(*) FROM pg_constraint WHERE conname = 'ours' AND conparentid = 0 AND coninhcount = 0);
my $trigger = q(SELECT count(*) FROM pg_trigger WHERE tgname = 'ours' AND tgparentid = 0);
my $function = q(SELECT count(*) FROM pg_proc WHERE proname = 'ours');
my @kinds = (
	[ 'policy', 'CREATE POLICY ours ON {on} USING (id IS NOT NULL)', q(SELECT count(*) FROM pg_policy WHERE polname = 'ours'), 'pg_policy' ],
	[ 'CHECK', 'ALTER TABLE {on} ADD CONSTRAINT ours CHECK (num_nonnulls(id, n) > 0)', $constraint, 'pg_constraint' ],
	[ 'exclusion constraint', 'ALTER TABLE {on} ADD CONSTRAINT ours EXCLUDE (id WITH =, n WITH =)', $constraint, 'pg_constraint' ],
	[ 'UNIQUE', 'ALTER TABLE {on} ADD CONSTRAINT ours UNIQUE (id, n)', $constraint, 'pg_constraint' ],
	[ 'UNIQUE NULLS NOT DISTINCT', 'ALTER TABLE {on} ADD CONSTRAINT ours UNIQUE NULLS NOT DISTINCT (id, n)', $constraint, 'pg_constraint' ],
	[ 'foreign key', 'ALTER TABLE {on} ADD CONSTRAINT ours FOREIGN KEY (id, n) REFERENCES shop.allowed', $constraint, 'pg_constraint' ],
	[ 'index', 'CREATE INDEX ours ON {on} (n, id)', $relation, 'pg_class' ],
	[ 'index with a predicate', 'CREATE INDEX ours ON {on} (n) WHERE id IS NULL', $relation, 'pg_class' ],
	[ 'unique index with an expression', 'CREATE UNIQUE INDEX ours ON {on} (id, (id::text))', $relation, 'pg_class' ],
	[ 'generated column', 'ALTER TABLE {table} ADD ours text GENERATED ALWAYS AS (left(id::text, 1)) STORED',
		q(SELECT count(*) FROM pg_attribute WHERE attrelid = 'shop.sales'::regclass AND attname = 'ours'), 'pg_attrdef' ],
	[ 'view', 'CREATE VIEW shop.ours AS SELECT id, n FROM {on}', $relation, 'pg_rewrite' ],
	[ 'rule', 'CREATE RULE ours AS ON DELETE TO {on} WHERE OLD.id IS NULL DO INSTEAD NOTHING',
		q(SELECT count(*) FROM pg_rewrite WHERE rulename = 'ours'), 'pg_rewrite' ],
	[ 'trigger with WHEN', 'CREATE TRIGGER ours AFTER INSERT ON {on} FOR EACH ROW WHEN (NEW.id IS NULL) EXECUTE FUNCTION shop.touch()',
		$trigger, 'pg_trigger' ],
	[ 'trigger UPDATE OF', 'CREATE TRIGGER ours AFTER UPDATE OF id ON {on} FOR EACH ROW EXECUTE FUNCTION shop.touch()', $trigger, 'pg_trigger' ],
	[ 'function with BEGIN ATOMIC', 'CREATE FUNCTION shop.ours() RETURNS bigint LANGUAGE sql BEGIN ATOMIC SELECT count(id) FROM {on}; END',
		$function, 'pg_proc' ],
	[ 'function that returns rows', q(CREATE FUNCTION shop.ours() RETURNS SETOF {on} LANGUAGE sql AS 'SELECT id, at, n, paid FROM {on}'),
		$function, 'pg_proc' ],
	[ 'statistics', 'CREATE STATISTICS shop.ours ON id, n FROM {on}', q(SELECT count(*) FROM pg_statistic_ext WHERE stxname = 'ours'), 'pg_statistic_ext' ],
	[ 'publication with a filter',
		'RESET ROLE; CREATE PUBLICATION ours FOR TABLE {on} WHERE (id IS NOT NULL) WITH (publish_via_partition_root); ALTER PUBLICATION ours OWNER TO keeper', q(SELECT count(*) FROM pg_publication_rel), 'pg_publication_rel' ],
	[ 'right on a column', 'GRANT SELECT (id) ON {on} TO reader',
		q(SELECT count(DISTINCT 1) FROM pg_attribute, aclexplode(attacl) WHERE grantee = 'reader'::regrole AND attname IN ('id', 'uid') AND attrelid::regclass::text ~ 'sales'), undef ],
	[ 'comment of a column', q(COMMENT ON COLUMN {on}.id IS 'ours'), q(SELECT count(DISTINCT 1) FROM pg_description WHERE description = 'ours'), undef ]);

sub keeper { return sql($shop->{database}, "SET ROLE keeper; SET search_path = public, shop; $_[0]") }

# A shop with one table, which is made anew; what is there beside it is cleaned.
sub make
{
	my ($recipe, $set, $on) = @_;
	my $parts = $recipe eq 'merge_partitions';

	sql($shop->{database},
		'DROP PUBLICATION IF EXISTS ours; SET client_min_messages = error; DROP SCHEMA shop CASCADE; CREATE SCHEMA shop AUTHORIZATION keeper');
	keeper(q(CREATE FUNCTION shop.touch() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';
		CREATE TABLE shop.sales (id uuid PRIMARY KEY, at timestamptz NOT NULL DEFAULT now(), n int NOT NULL DEFAULT 1, paid bool))
			. ($parts ? 'PARTITION BY RANGE (id)' : ''));
	keeper(q(SELECT count(*) FROM uuid_partition_create('shop.sales', '2026-01-01 00:00+00', '2026-01-05 00:00+00', '1 day'))) if $parts;
	my $id = $recipe eq 'change_key' ? 'gen_random_uuid()' : q(gen_uuidv7_at(timestamptz '2026-01-01 00:00+00' + n * interval '1 hour'));
	keeper("INSERT INTO shop.sales SELECT $id, now(), n FROM generate_series(1, 90) n; CREATE TABLE shop.allowed (id uuid, n int, PRIMARY KEY (id, n)); INSERT INTO shop.allowed SELECT id, n FROM shop.sales");
	$set =~ s/\{on\}/$on/g;
	$set =~ s/\{table\}/shop.sales/g;
	keeper($set);
	return;
}

# What becomes of one: kept, or which step refuses; told of by prepare, or gone.
sub outcome
{
	my ($recipe, $on, $steps, $variables, $set, $find) = @_;
	my $said = '';

	make($recipe, $set, $on);
	foreach my $step (@$steps)
	{
		my $result = step(new_recipe(file => "$recipe.psql"), $shop, $step, variables => { table => 'shop.sales', %$variables });

		$said .= $result->{said};
		next if $result->{status} == 0;
		return "$step refuses" if $result->{said} =~ /[Nn]othing has been changed|would be refused/;
		return "$step fails: " . ($result->{said} =~ /ERROR:  ([^\n]*)/)[0];
	}
	return keeper($find) ne '0' ? 'kept' : $said =~ /NOTICE:  the new partition will not have/ ? 'told' : 'gone';
}

my $page = <<'PAGE';
# What each recipe does with views, triggers and other objects

Here you find what each [recipe](changing-keys.md) does with an object that names the key column `id`. In this table, applications make the key, so it has no default. For `merge_partitions`, one of the small partitions has the object. The test `tap/recipes/recipe_matrix` runs each line with each recipe and makes this page.

| cell | meaning |
|---|---|
| kept | after the last step the object is there. After `change_key` it names the new column |
| prepare refuses, switch refuses | this step changes nothing, and says why and what to do. See [what to do before a switch](changing-keys.md#what-judges-rows-by-the-old-key) |
| drop refuses | the object does no harm until the old column is dropped. Before `drop`, create it again for the new column |
| told | `prepare` and `switch` say that the new partition will not have it |
| - | not tried |

| object | change_key | move_table | merge_partitions | refresh_mixed |
|---|---|---|---|---|
PAGE

foreach my $kind (@kinds)
{
	my ($name, $set, $find) = @$kind;
	my @found = map { my ($recipe, $on, $steps, %variables) = @$_;
		$set =~ /\{table\}/ && $recipe eq 'merge_partitions' ? '-' : outcome($recipe, $on, $steps, \%variables, $set, $find) } @recipes;

	unlike("@found", qr/gone|fails/, "$name: nothing is lost without a word (@found)");
	$page .= join(' | ', "| $name", @found) . " |\n";
}
append_to_file($ENV{RECIPE_MATRIX}, $page) if $ENV{RECIPE_MATRIX};
is(slurp_file(dirname(__FILE__) . '/../../../doc/recipe-matrix.md'), $page, 'doc/recipe-matrix.md is up to date');

# Every catalog whose rows the server lets depend on a column is in the list.
my $catalogs = join ' ', sort keys %{ { map { ($_->[3] => 1) } grep { $_->[3] } @kinds } };
is($catalogs, 'pg_attrdef pg_class pg_constraint pg_policy pg_proc pg_publication_rel pg_rewrite pg_statistic_ext pg_trigger',
	'catalogs with objects that name a column');

done_testing();
