# What two partitions of a table can differ in, taken from the catalogs of the server,
# and what becomes of it when partitions are made and go.  partition_matrix.pl tries it,
# and doc/partition-matrix.md is page():
#
#   perl -Itest/t/include -MPartitionMatrix -e 'print page()' >doc/partition-matrix.md
#
# A column that is in neither list fails the test: it came with a new major.

package PartitionMatrix;

use strict;
use warnings;

use Exporter qw(import);

our @EXPORT = qw(catalogs columns expected operations page properties);

sub catalogs
{
	return qw(pg_class pg_attribute pg_index pg_trigger pg_constraint pg_policy pg_publication_rel
		pg_statistic_ext pg_inherits pg_partitioned_table);
}

sub operations { return qw(create maintain follow drain drop detach) }

# Columns that are not compared, each with the reason; and the majors that have them,
# if not all do.
my %not_compared = (
	pg_class => [
		[ 'which object it is' => qw(oid relname reltype relfilenode reltoastrelid relpartbound) ],
		[ 'counters of PostgreSQL' => qw(relpages reltuples relallvisible relfrozenxid relminmxid) ],
		[ 'counters of PostgreSQL' => 'relallfrozen', since => 18 ],
		[ 'follows from other catalogs' => qw(relhasindex relnatts relchecks relhastriggers relhassubclass) ],
		[ 'the same for every partition' => qw(relisshared relispopulated relispartition reloftype) ],
		[ 'while a command rewrites the table' => qw(relrewrite) ],
	],
	pg_attribute => [
		[ 'which object it is' => qw(attrelid attname attnum) ],
		[ 'of the type, which is the same as in the table' => qw(atttypid atttypmod attlen attndims attbyval attalign attcollation) ],
		[ 'the same as in the table, which PostgreSQL requires' => qw(attgenerated) ],
		[ 'how PostgreSQL stores it' => qw(attisdropped atthasmissing attmissingval) ],
		[ 'how PostgreSQL stores it' => 'attcacheoff', until => 17 ],
		[ 'where it comes from' => qw(attislocal attinhcount) ],
		[ 'of foreign tables' => qw(attfdwoptions) ],
	],
	pg_index => [
		[ 'which object it is' => qw(indexrelid indrelid) ],
		[ 'the same as in the table, which PostgreSQL requires' => qw(indisprimary) ],
		[ 'while an index is built, and of one whose building has failed, which is not copied' =>
			qw(indisvalid indcheckxmin indisready indislive) ],
	],
	pg_trigger => [
		[ 'which object it is' => qw(oid tgrelid tgparentid) ],
		[ 'of PostgreSQL\'s own triggers' => qw(tgisinternal tgconstrrelid tgconstrindid) ],
		[ 'of triggers that only a single partition can have' => qw(tgoldtable tgnewtable) ],
	],
	pg_constraint => [
		[ 'which object it is' => qw(oid conname connamespace conrelid contypid conindid conparentid) ],
		[ 'says something about existing rows' => qw(convalidated) ],
		[ 'where it comes from' => qw(conislocal coninhcount) ],
		[ 'follows from the columns' => qw(conkey confkey conpfeqop conppeqop conffeqop) ],
		[ 'of keys over ranges' => 'conperiod', since => 18 ],
	],
	pg_policy => [ [ 'which object it is' => qw(oid polrelid) ] ],
	pg_publication_rel => [
		[ 'which object it is' => qw(oid prrelid) ],
		[ 'of publications of all tables' => 'prexcept', since => 19 ],
	],
	pg_statistic_ext => [ [ 'which object it is' => qw(oid stxrelid stxname stxnamespace stxowner) ] ],
	pg_inherits => [
		[ 'which object it is' => qw(inhrelid inhparent) ],
		[ 'the same for every partition' => qw(inhseqno) ],
		[ 'while a partition is detached' => qw(inhdetachpending) ],
	],
	pg_partitioned_table => [ [ 'which object it is' => qw(partrelid) ] ],
);

# Queries for a column's value in one partition, which they call PARTITION.
sub of_class { return "SELECT $_[0]::text FROM pg_class WHERE oid = PARTITION" }

sub of_column
{
	my ($column, $name) = @_;
	return "SELECT $column\::text FROM pg_attribute WHERE attrelid = PARTITION AND attname = '$name'";
}

sub of_indexes
{
	my ($what) = @_;
	return qq(
		SELECT string_agg(($what)::text, ', ' ORDER BY ($what)::text)
		FROM pg_index
		JOIN pg_class c ON c.oid = indexrelid
		WHERE indrelid = PARTITION);
}

sub of_triggers
{
	my ($what) = @_;
	return qq(
		SELECT string_agg(($what)::text, ', ' ORDER BY tgname)
		FROM pg_trigger
		WHERE tgrelid = PARTITION AND NOT tgisinternal);
}

sub of_constraints
{
	my ($what, $type) = @_;
	return qq(
		SELECT string_agg(($what)::text, ', ' ORDER BY ($what)::text)
		FROM pg_constraint
		WHERE conrelid = PARTITION AND contype = '$type');
}

# Of the foreign key to the customers.
sub of_key { my ($what) = @_; return of_constraints("CASE WHEN conname = 'of_customer' THEN $what END", 'f') }

sub of_statistics
{
	my ($what) = @_;
	return qq(
		SELECT string_agg(($what)::text, ', ' ORDER BY oid) FROM pg_statistic_ext WHERE stxrelid = PARTITION);
}

sub of_division { my ($what) = @_; return "SELECT ($what)::text FROM pg_partitioned_table WHERE partrelid = PARTITION" }

# January made anew, partitioned itself.
sub divided
{
	my ($by, @parts) = @_;
	my $n = 0;

	return join '; ', 'DROP TABLE {partition}', "CREATE TABLE {partition} PARTITION OF {table} {bounds} PARTITION BY $by",
	  map { $n++; "CREATE TABLE {partition}_$n PARTITION OF {partition} $_" } @parts;
}

my $key = 'ALTER TABLE {table} ADD CONSTRAINT of_customer FOREIGN KEY (customer) REFERENCES customers';
my $without_key = 'ALTER TABLE {table} DROP CONSTRAINT {table}_pkey CASCADE; ';
my $trigger = 'CREATE TRIGGER noted BEFORE UPDATE ON {table} FOR EACH ROW';
my $constraint_trigger = 'CREATE CONSTRAINT TRIGGER noted AFTER UPDATE ON {table}';
my $run = 'EXECUTE FUNCTION note()';
my ($months_own, $tables) = ('of the partition alone', 'of the table');

# The server takes the table's triggers from a partition that is detached, and its identity columns.
my @with_table = (detach => 'not kept');

# What is tried: what it is, its columns, how the newest partition or the table gets it,
# and how it is read.  make, drop and detach are what is expected, if not the usual: a
# new partition has it, the old one goes, and a detached one keeps it.
my @properties = (
	[ 'schema', ['pg_class.relnamespace'], 'ALTER TABLE {partition} SET SCHEMA months', of_class('relnamespace::regnamespace') ],
	[ 'owner', ['pg_class.relowner'], 'RESET ROLE; ALTER TABLE {partition} OWNER TO other_owner', of_class('relowner::regrole'),
		make => 'refused 42501', drop => 'refused 42501',
		why => 'A new partition would run code that the other owner has put into the newest one, '
			. 'with the rights of the table\'s owner. Give the newest partition to the owner of the table.' ],
	[ 'access method', ['pg_class.relam'], 'ALTER TABLE {partition} SET ACCESS METHOD second_heap', of_class('relam') ],
	[ 'tablespace', ['pg_class.reltablespace'], 'ALTER TABLE {partition} SET TABLESPACE elsewhere', of_class('reltablespace') ],
	[ 'tablespace of indexes', ['pg_class.reltablespace'],
		'ALTER INDEX {partition}_pkey SET TABLESPACE elsewhere', of_indexes('reltablespace') ],
	[ 'UNLOGGED', ['pg_class.relpersistence'], 'ALTER TABLE {partition} SET UNLOGGED', of_class('relpersistence'),
		make => 'not copied', why => 'A new partition has to survive a crash.' ],
	[ 'partitions beneath it', ['pg_class.relkind'],
		divided('HASH (id)', 'FOR VALUES WITH (MODULUS 1, REMAINDER 0)'), of_class('relkind') ],
	[ "rules $months_own", ['pg_class.relhasrules'],
		'CREATE RULE kept AS ON DELETE TO {partition} DO INSTEAD NOTHING', of_class('relhasrules'),
		make => 'not copied', why => 'A rule concerns commands on this partition only.' ],
	[ 'row level security', ['pg_class.relrowsecurity'], 'ALTER TABLE {partition} ENABLE ROW LEVEL SECURITY',
		of_class('relrowsecurity') ],
	[ 'row level security for the owner', ['pg_class.relforcerowsecurity'],
		'ALTER TABLE {partition} FORCE ROW LEVEL SECURITY', of_class('relforcerowsecurity') ],
	[ 'replica identity FULL', ['pg_class.relreplident'], 'ALTER TABLE {partition} REPLICA IDENTITY FULL',
		of_class('relreplident') ],
	[ 'replica identity NOTHING', ['pg_class.relreplident'], 'ALTER TABLE {partition} REPLICA IDENTITY NOTHING',
		of_class('relreplident') ],
	[ 'replica identity by an index', [qw(pg_class.relreplident pg_index.indisreplident)],
		'ALTER TABLE {partition} REPLICA IDENTITY USING INDEX {partition}_pkey', of_indexes('indisreplident') ],
	[ 'grants', ['pg_class.relacl'],
		'GRANT SELECT ON {partition} TO reader WITH GRANT OPTION; GRANT INSERT ON {partition} TO PUBLIC',
		of_class('relacl') ],
	[ 'rights that the owner gave up', ['pg_class.relacl'], 'REVOKE DELETE ON {partition} FROM CURRENT_USER', of_class('relacl') ],
	[ 'storage parameters and autovacuum', ['pg_class.reloptions'],
		'ALTER TABLE {partition} SET (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.01)',
		of_class('reloptions') ],
	[ 'storage parameters of TOAST', ['pg_class.reloptions'], 'ALTER TABLE {partition} SET (toast.autovacuum_enabled = off)',
		'SELECT t.reloptions::text FROM pg_class c JOIN pg_class t ON t.oid = c.reltoastrelid WHERE c.oid = PARTITION' ],
	[ 'storage parameters of indexes', ['pg_class.reloptions'],
		'ALTER INDEX {partition}_pkey SET (fillfactor = 80)', of_indexes('c.reloptions') ],

	[ 'statistics target', ['pg_attribute.attstattarget'],
		'ALTER TABLE {partition} ALTER customer SET STATISTICS 500', of_column('attstattarget', 'customer') ],
	[ 'statistics target of an expression', ['pg_attribute.attstattarget'],
		q(
			CREATE INDEX lower_body ON {partition} (lower(body));
			ALTER INDEX lower_body ALTER COLUMN 1 SET STATISTICS 300),
		q(
			SELECT max(nullif(attstattarget, -1))::text
			FROM pg_index
			JOIN pg_attribute ON attrelid = indexrelid
			WHERE indrelid = PARTITION) ],
	[ 'storage of a column', ['pg_attribute.attstorage'],
		'ALTER TABLE {partition} ALTER body SET STORAGE EXTERNAL', of_column('attstorage', 'body') ],
	[ 'compression', ['pg_attribute.attcompression'], 'ALTER TABLE {partition} ALTER body SET COMPRESSION pglz',
		of_column('attcompression', 'body') ],
	[ "NOT NULL $months_own", ['pg_attribute.attnotnull'], 'ALTER TABLE {partition} ALTER body SET NOT NULL',
		of_column('attnotnull', 'body') ],
	[ "default $months_own", ['pg_attribute.atthasdef'], 'ALTER TABLE {partition} ALTER customer SET DEFAULT 7',
		q(
			SELECT pg_get_expr(adbin, adrelid)
			FROM pg_attrdef
			JOIN pg_attribute ON attrelid = adrelid AND attnum = adnum
			WHERE adrelid = PARTITION AND attname = $$customer$$) ],
	[ "identity $tables", ['pg_attribute.attidentity'],
		'ALTER TABLE {table} ALTER customer SET NOT NULL, ALTER customer ADD GENERATED BY DEFAULT AS IDENTITY',
		of_column('attidentity', 'customer'), detach => 'not kept', since => 17 ],
	[ 'grants on columns', ['pg_attribute.attacl'], 'GRANT UPDATE (total) ON {partition} TO reader', of_column('attacl', 'total') ],
	# a server may keep other options there
	[ 'n_distinct', ['pg_attribute.attoptions'],
		'ALTER TABLE {partition} ALTER customer SET (n_distinct = -0.5)',
		of_column('substring(attoptions::text FROM $$n_distinct=[-0-9.]+$$)', 'customer') ],

	[ "index $months_own", [qw(pg_index.indkey pg_index.indnatts)],
		'CREATE INDEX ON {partition} (customer, total)', of_indexes(q(indnatts || ':' || indkey::text)) ],
	[ 'index: INCLUDE', ['pg_index.indnkeyatts'], 'CREATE INDEX ON {partition} (customer) INCLUDE (total)',
		of_indexes(q(indnatts || ':' || indnkeyatts)) ],
	[ 'index: UNIQUE', ['pg_index.indisunique'], 'CREATE UNIQUE INDEX ON {partition} (id, customer)',
		of_indexes(q(indnatts || ':' || indisunique)) ],
	[ 'index: NULLS NOT DISTINCT', ['pg_index.indnullsnotdistinct'],
		'CREATE UNIQUE INDEX ON {partition} (id, customer) NULLS NOT DISTINCT',
		of_indexes(q(indnatts || ':' || indnullsnotdistinct)) ],
	[ 'index: EXCLUDE', [qw(pg_index.indisexclusion pg_constraint.conexclop)],
		'ALTER TABLE {partition} ADD EXCLUDE USING btree (body WITH =)', of_constraints('conexclop', 'x') ],
	[ 'index: DEFERRABLE', ['pg_index.indimmediate'],
		'ALTER TABLE {partition} ADD UNIQUE (id, customer) DEFERRABLE',
		of_indexes(q(indnatts || ':' || indimmediate)) ],
	[ 'mark of CLUSTER', ['pg_index.indisclustered'], 'ALTER TABLE {partition} CLUSTER ON {partition}_pkey',
		of_indexes('indisclustered') ],
	[ 'index: collation', ['pg_index.indcollation'], 'CREATE INDEX ON {partition} (body COLLATE "C")', of_indexes('indcollation') ],
	[ 'index: operator class', ['pg_index.indclass'], 'CREATE INDEX ON {partition} (body text_pattern_ops)',
		of_indexes('indclass') ],
	[ 'index: order', ['pg_index.indoption'], 'CREATE INDEX ON {partition} (customer DESC NULLS LAST)', of_indexes('indoption') ],
	[ 'index: expressions', ['pg_index.indexprs'], 'CREATE INDEX ON {partition} (lower(body))',
		of_indexes('pg_get_expr(indexprs, indrelid)') ],
	[ 'index: WHERE', ['pg_index.indpred'], 'CREATE INDEX ON {partition} (customer) WHERE total > 0',
		of_indexes('pg_get_expr(indpred, indrelid)') ],

	[ "trigger $tables", [qw(pg_trigger.tgname pg_trigger.tgfoid pg_trigger.tgtype)], "$trigger $run",
		of_triggers(q(concat_ws(' ', tgname, tgfoid, tgtype))), @with_table ],
	[ 'trigger: enabled as', ['pg_trigger.tgenabled'],
		"$trigger $run; ALTER TABLE {table} ENABLE ALWAYS TRIGGER noted", of_triggers('tgenabled'),
		@with_table ],
	[ 'trigger: columns', ['pg_trigger.tgattr'],
		"CREATE TRIGGER noted BEFORE UPDATE OF total ON {table} FOR EACH ROW $run", of_triggers('tgattr'),
		@with_table ],
	[ 'trigger: arguments', [qw(pg_trigger.tgargs pg_trigger.tgnargs)],
		"$trigger EXECUTE FUNCTION note('x', 'y')", of_triggers(q(tgnargs || ' ' || tgargs::text)),
		@with_table ],
	[ 'trigger: WHEN', ['pg_trigger.tgqual'], "$trigger WHEN (NEW.total > 7) $run",
		of_triggers('substring(pg_get_triggerdef(oid) FROM $$WHEN.*$$)'), @with_table ],
	[ 'trigger: DEFERRABLE', [qw(pg_trigger.tgconstraint pg_trigger.tgdeferrable pg_trigger.tginitdeferred)],
		"$constraint_trigger DEFERRABLE INITIALLY DEFERRED FOR EACH ROW $run",
		of_triggers('(tgconstraint <> 0)::text || tgdeferrable || tginitdeferred'), @with_table ],
	[ "trigger $months_own", [qw(pg_trigger.tgname pg_trigger.tgfoid pg_trigger.tgtype)],
		"CREATE TRIGGER noted BEFORE UPDATE ON {partition} FOR EACH ROW $run", of_triggers('tgname'),
		make => 'not copied', why => 'If a trigger is for all rows, create it on the partitioned table.' ],
	[ 'trigger: enabled otherwise than the table\'s', ['pg_trigger.tgenabled'],
		"$trigger $run; ALTER TABLE {partition} DISABLE TRIGGER noted", of_triggers('tgenabled'),
		make => 'as the table', detach => 'not kept', why => 'A trigger is disabled in one partition while rows are loaded into it.' ],

	[ "CHECK $tables", [qw(pg_constraint.contype pg_constraint.conbin)],
		'ALTER TABLE {table} ADD CHECK (total >= 0)', of_constraints('pg_get_constraintdef(oid)', 'c') ],
	[ 'CHECK: NOT ENFORCED', ['pg_constraint.conenforced'],
		'ALTER TABLE {table} ADD CHECK (total >= 0) NOT ENFORCED',
		of_constraints('pg_get_constraintdef(oid)', 'c'), since => 18, columns_since => 18 ],
	[ "CHECK $months_own", [qw(pg_constraint.contype pg_constraint.conbin)],
		'ALTER TABLE {partition} ADD CHECK (total >= 0)', of_constraints('pg_get_constraintdef(oid)', 'c') ],
	[ 'CHECK of the key', [qw(pg_constraint.contype pg_constraint.conbin)],
		"ALTER TABLE {partition} ADD CHECK (id > '00000000-0000-0000-0000-000000000000')",
		of_constraints('pg_get_constraintdef(oid)', 'c'),
		make => 'not copied', why => 'It may be true for the period of this partition only.' ],
	[ 'CHECK: NO INHERIT', ['pg_constraint.connoinherit'],
		'ALTER TABLE {partition} ADD CHECK (total >= 0) NO INHERIT', of_constraints('connoinherit', 'c') ],
	[ "foreign key $tables", [qw(pg_constraint.contype pg_constraint.confrelid)], $key,
		of_key('confrelid') ],
	[ 'foreign key: actions',
		[qw(pg_constraint.confupdtype pg_constraint.confdeltype pg_constraint.confdelsetcols)],
		"$key ON UPDATE CASCADE ON DELETE SET NULL (customer)",
		of_key('confupdtype::text || confdeltype::text || confdelsetcols::text') ],
	[ 'foreign key: MATCH', ['pg_constraint.confmatchtype'], "$key MATCH FULL",
		of_key('confmatchtype') ],
	[ 'foreign key: DEFERRABLE', [qw(pg_constraint.condeferrable pg_constraint.condeferred)],
		"$key DEFERRABLE INITIALLY DEFERRED",
		of_key('condeferrable::text || condeferred::text') ],
	[ "foreign key $months_own", [qw(pg_constraint.contype pg_constraint.confrelid)],
		'ALTER TABLE {partition} ADD CONSTRAINT of_customer FOREIGN KEY (customer) REFERENCES customers',
		q(
			SELECT count(*)::text
			FROM pg_constraint
			WHERE conrelid = PARTITION AND contype = 'f' AND confrelid = 'customers'::regclass),
		make => 'not copied',
		why => 'If a foreign key is for all rows, create it on the partitioned table. '
			. 'Follow makes foreign keys from partition to partition.' ],

	[ "policy $months_own",
		[ map { "pg_policy.$_" } qw(polname polcmd polpermissive polroles polqual polwithcheck) ],
		'CREATE POLICY mine ON {partition} FOR UPDATE TO reader USING (customer = 1) WITH CHECK (total > 0)',
		'SELECT string_agg(polname, $$ $$) FROM pg_policy WHERE polrelid = PARTITION', make => 'not copied',
		why => 'If a policy is for all rows, create it on the partitioned table.' ],

	[ "publication $months_own", [ map { "pg_publication_rel.$_" } qw(prpubid prqual prattrs) ],
		'RESET ROLE; CREATE PUBLICATION of_month FOR TABLE {partition} (id, total) WHERE (id IS NOT NULL)',
		'SELECT string_agg(prpubid::text, $$ $$) FROM pg_publication_rel WHERE prrelid = PARTITION',
		make => 'not copied', why => 'If a publication is for all rows, add the partitioned table to it.' ],

	[ "extended statistics $months_own", [qw(pg_statistic_ext.stxkeys pg_statistic_ext.stxkind)],
		'CREATE STATISTICS spent (ndistinct) ON customer, total FROM {partition}',
		of_statistics(q(stxkeys::text || ' ' || stxkind::text)) ],
	[ 'extended statistics: expressions', ['pg_statistic_ext.stxexprs'],
		'CREATE STATISTICS spent ON lower(body), total FROM {partition}',
		of_statistics('pg_get_statisticsobjdef_expressions(oid)') ],
	[ 'extended statistics: target', ['pg_statistic_ext.stxstattarget'],
		'CREATE STATISTICS spent ON customer, total FROM {partition}; ALTER STATISTICS spent SET STATISTICS 99',
		of_statistics('nullif(stxstattarget, -1)') ],

	[ 'partitions beneath it: by what',
		[ map { "pg_partitioned_table.$_" } qw(partstrat partnatts partattrs partclass) ],
		divided('HASH (id)', 'FOR VALUES WITH (MODULUS 1, REMAINDER 0)'),
		of_division(q(concat_ws(' ', partstrat, partnatts, partattrs, partclass))) ],
	[ 'partitions beneath it: collation', ['pg_partitioned_table.partcollation'],
		$without_key . divided('LIST (body COLLATE "C")', q(FOR VALUES IN ('paid')), 'DEFAULT'),
		of_division('partcollation') ],
	[ 'partitions beneath it: expressions', ['pg_partitioned_table.partexprs'],
		$without_key . divided('LIST ((customer % 2))', 'FOR VALUES IN (0)', 'FOR VALUES IN (1)'),
		of_division('pg_get_expr(partexprs, partrelid)') ],
	[ 'partitions beneath it: default partition', ['pg_partitioned_table.partdefid'],
		$without_key . divided('LIST (customer)', 'FOR VALUES IN (0)', 'DEFAULT'),
		of_division('partdefid <> 0') ],
);

sub properties
{
	return map {
		my ($name, $columns, $set, $value, %more) = @$_;
		{ name => $name, columns => $columns, set => $set, value => $value, %more }
	} @properties;
}

# The columns of a catalog that a major has, as far as the lists know.
sub columns
{
	my ($catalog, $major) = @_;
	my %known;

	foreach (@{ $not_compared{$catalog} })
	{
		my ($reason, @names) = @$_;
		my %majors = @names == 3 && $names[1] =~ /^(since|until)$/ ? @names[ 1, 2 ] : ();

		@names = $names[0] if %majors;
		$known{$_} = 1 foreach grep { ($majors{since} // 0) <= $major && $major <= ($majors{until} // 99) } @names;
	}
	foreach my $property (properties())
	{
		next if ($property->{columns_since} // 0) > $major;
		$known{$_} = 1 foreach map { /^\Q$catalog\E\.(\w+)$/ } @{ $property->{columns} };
	}
	return sort keys %known;
}

sub expected
{
	my ($property, $operation) = @_;

	return $property->{drop} // 'gone' if $operation eq 'drop';
	return $property->{detach} // 'kept' if $operation eq 'detach';
	return $property->{make} // 'copied';
}

sub page
{
	my @made = map {
		my $property = $_;
		sprintf "| %s%s | %s | %s |\n", $property->{name}, $property->{since} ? " (from $property->{since} on)" : '',
		  join(', ', map { "`$_`" } @{ $property->{columns} }),
		  join(' | ', map { expected($property, $_) } operations());
	} properties();
	my %why;
	push @{ $why{ $_->{why} } }, $_->{name} foreach grep { $_->{why} } properties();
	my @whys = map { '- ' . join('; ', @{ $why{$_} }) . ": $_\n" }
	  sort { $why{$a}[0] cmp $why{$b}[0] } keys %why;
	my @left = map {
		my $catalog = $_;
		map {
			my ($reason, @names) = @$_;
			my $majors = @names == 3 && $names[1] =~ /^(since|until)$/
				? ($names[1] eq 'since' ? " (from $names[2] on)" : " (until $names[2])")
				: '';
			@names = $names[0] if $majors;
			sprintf "| `%s` | %s%s | %s |\n", $catalog, join(', ', map { "`$_`" } @names), $majors, $reason;
		} @{ $not_compared{$catalog} };
	} catalogs();

	my $rules = '---|' x scalar(my @all = operations());

	return <<"PAGE" =~ s/\n\n\n+/\n\n/gr;
# What a new partition has in common with the newest

Here you find, for each property of a partition, whether a new partition gets it, and whether it keeps an old partition from being dropped or detached. The columns of the table are the partition functions: create is `uuid_partition_create()`, and so on. The test `tap/partitions/partition_matrix` makes this page and tries each line. It fails if these catalogs have a column that the page does not name.

| cell | meaning |
|---|---|
| copied | a new partition has the property if the newest one has it. No template was passed to create, maintain, follow and drain |
| not copied | a new partition is made without it |
| as the table | a new partition has the property if the partitioned table has it, whatever the newest one has |
| refused | the call does not make or drop this partition, and returns or raises this SQLSTATE |
| gone | the partition is dropped, and the property with it |
| kept | the partition is detached, and the table that remains still has the property |
| not kept | the partition is detached, and PostgreSQL takes the property from the table that remains |

A dry run of maintain, follow, drop and detach returns the same. A dry run of create and drain says it in messages.

| property of the newest partition | columns of the catalogs | @{[ join ' | ', operations() ]} |
|---|---|$rules
@{[ join '', @made ]}
Why something is not copied:

@{[ join '', @whys ]}
## What is not compared

| catalog | columns | what they are |
|---|---|---|
@{[ join '', @left ]}
PAGE
}

1;
