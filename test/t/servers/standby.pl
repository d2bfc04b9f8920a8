# A hot standby makes ids and answers time predicates as its primary does, and
# goes on as a primary.
use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $primary = PostgreSQL::Test::Cluster->new('primary');
$primary->init(allows_streaming => 1);
$primary->append_conf('postgresql.conf', "shared_preload_libraries = 'uidext'");
$primary->start;
$primary->backup('base');

my $standby = PostgreSQL::Test::Cluster->new('standby');
$standby->init_from_backup($primary, 'base', has_streaming => 1);
$standby->start;

$primary->safe_psql(
	'postgres', q{
	CREATE EXTENSION uidext;
	CREATE TABLE events (id uuid PRIMARY KEY DEFAULT gen_uuidv7(), note text) PARTITION BY RANGE (id);
	CREATE TABLE events_01 PARTITION OF events FOR VALUES FROM (uuid_boundary('2026-01-01')) TO (uuid_boundary('2026-02-01'));
	CREATE TABLE events_02 PARTITION OF events FOR VALUES FROM (uuid_boundary('2026-02-01')) TO (uuid_boundary('2026-03-01'));
	CREATE TABLE events_rest PARTITION OF events DEFAULT;
	INSERT INTO events SELECT gen_uuidv7_at(at), at::text
	FROM generate_series('2026-01-01'::timestamptz, '2026-02-28 23:59', '1 minute') AS at;
	INSERT INTO events (note) VALUES ('by default');
	ANALYZE events;
});
$primary->wait_for_catchup($standby);

is($standby->safe_psql('postgres', 'SELECT pg_is_in_recovery()'), 't', 'the standby is one');

my $query = q{
	SET timezone = 'UTC';
	SELECT count(*), md5(string_agg(id::text, ',' ORDER BY id)) FROM events
	WHERE id >= '2026-01-31 12:00+00'::timestamptz AND id < '2026-02-01 12:00:30+00'::timestamptz;
	SELECT count(*) FROM events WHERE id <@ tstzrange('2026-02-10', '2026-02-10 01:00', '[]');
	SELECT note FROM events WHERE id > now() - interval '1 hour' AND id <= now() + interval '1 hour';
};
my $answer = $primary->safe_psql('postgres', $query);
like($answer, qr/^1441\|\w+\n61\nby default$/, 'the primary\'s answers');
is($standby->safe_psql('postgres', $query), $answer, 'the standby gives the same');

my $plan = $standby->safe_psql(
	'postgres', q{
	SET timezone = 'UTC';
	EXPLAIN (COSTS OFF) SELECT count(*) FROM events
	WHERE id <@ tstzrange('2026-02-10 00:00+00', '2026-02-10 01:00+00')});
like($plan, qr/Index Cond: \(\(id >= '019c44d9-0800-/, 'through the index there, too');
unlike($plan, qr/events_01/, 'with other partitions left out');

is( $standby->safe_psql(
		'postgres', q{
		SELECT count(*), count(DISTINCT id), bool_and(id > previous), bool_and(uuid_is_recent(id, '1 hour', '1 hour'))
		FROM (SELECT id, lag(id) OVER (ORDER BY n) AS previous
			FROM (SELECT n, gen_uuidv7() AS id FROM generate_series(1, 10000) AS n) AS s) AS i}),
	'10000|10000|t|t',
	'gen_uuidv7() on the standby');

# Every function of the extension, with arguments by their names and types: the
# standby answers as the primary does, or refuses what would write.
$primary->safe_psql(
	'postgres', q{
	CREATE SEQUENCE numbers;
	CREATE TABLE rides (id iuid PRIMARY KEY) PARTITION BY HASH (id iuid_country_ops);
	INSERT INTO iuid.countries VALUES (76, 'BR', 'Brazil');
	INSERT INTO iuid.service_entities VALUES (1, 'Ride');

	CREATE TABLE arguments (name text, type regtype, value text);
	INSERT INTO arguments VALUES
		(NULL, 'timestamptz', '2026-03-04 05:06:07.089+00'), (NULL, 'interval', '1 day'),
		(NULL, 'bool', 'true'), ('dry_run', 'bool', 'false'),
		(NULL, 'int', '1'), (NULL, 'bigint', '42'), (NULL, 'int[]', '{76}'), (NULL, 'regclass[]', '{}'), (NULL, '"char"', 'r'),
		(NULL, 'uidext_internal.iuid_request', '(rides,id,{76},,,,,)'),
		(NULL, 'tstzrange', '[2026-03-04 05:06+00,2026-03-05 00:00+00)'), (NULL, 'bytea', '\\x017f22e279b07cc398c4dc0c0c07398f'),
		(NULL, 'name', NULL), ('server', 'name', 'abroad'), ('schema', 'name', 'public'),
		('country', 'text', 'BR'), ('service_entity', 'text', 'Ride'), ('scheme', 'text', 'snowflake'),
		('tz', 'text', 'UTC'),
		('suffix', 'text', 'new'), ('from_id', 'text', '00000000-0000-0000-0000-000000000000'),
		('to_id', 'text', '00000000-0000-0000-0000-000000000000'), ('bound', 'text', 'DEFAULT'),
		('partition_by', 'text', ''),
		('sequence', 'regclass', 'numbers'), ('parent', 'regclass', 'events'),
		('start', 'timestamptz', '2026-04-01'), ('stop', 'timestamptz', '2026-04-03'), ('step', 'interval', '1 day');
	INSERT INTO arguments
	SELECT NULL, 'uuid', format('017f22e2-79b0-%scc3-98c4-dc0c0c07398f', to_hex(version))
	FROM unnest('{1,4,6,7,13}'::int[]) AS version;
	INSERT INTO arguments
	VALUES (NULL, 'uuid', '017f22e2-79b0-804c-8040-dc0c0c07398f'),
		(NULL, 'uuid', '017f22e2-79b0-0000-0000-000000000000');

	-- A call for each function and id; some want another parent, or another scheme.
	CREATE VIEW calls AS
	SELECT proname, provolatile, pronamespace::regnamespace AS schema,
		format('%s(%s)', p.oid::regproc, string_agg(coalesce(quote_literal(CASE
			WHEN value = 'events' AND proname LIKE 'iuid\_partition\_%' THEN 'rides'
			WHEN value = 'snowflake' AND proname = 'uid_generate' THEN 'ulid'
			WHEN value = 'DEFAULT' AND proname = 'partition_boundary_time' THEN id::text ELSE value END),
				'NULL') || '::' || a.type, ', '
			ORDER BY a.n)) AS call
	FROM pg_depend AS d
		JOIN pg_proc AS p ON d.classid = 'pg_proc'::regclass AND p.oid = d.objid
		CROSS JOIN (SELECT DISTINCT value AS id FROM arguments WHERE type = 'uuid'::regtype) AS ids
		LEFT JOIN LATERAL (
			SELECT n, t.type::regtype, CASE WHEN t.type = 'uuid'::regtype THEN id ELSE (
				SELECT v.value FROM arguments AS v WHERE v.type = t.type AND coalesce(v.name, p.proargnames[n]) = p.proargnames[n]
				ORDER BY v.name NULLS LAST LIMIT 1) END AS value
			FROM unnest(p.proargtypes) WITH ORDINALITY AS t(type, n)) AS a ON true
	WHERE d.refclassid = 'pg_extension'::regclass AND d.refobjid = (SELECT oid FROM pg_extension WHERE extname = 'uidext')
		AND d.deptype = 'e' AND prokind = 'f' AND prorettype <> 'trigger'::regtype AND NOT 'internal'::regtype = ANY (proargtypes)
	GROUP BY p.oid, id;

	-- The rows of a call, or the SQLSTATE.
	CREATE FUNCTION outcome(call text) RETURNS text LANGUAGE plpgsql AS $$
	DECLARE
		result text;
	BEGIN
		EXECUTE format('SELECT string_agg(f::text, '','') FROM %s AS f', call) INTO result;
		RETURN coalesce(result, 'NULL');
	EXCEPTION WHEN OTHERS THEN
		RETURN SQLSTATE;
	END $$;
});
$primary->wait_for_catchup($standby);

# Sizes and estimates are each server's own, and so is the present.
my $known = q{SELECT DISTINCT proname, call, outcome(call) FROM calls
	WHERE provolatile <> 'v'
		AND proname NOT IN ('uuid_partition_list', 'partition_sizes', 'uuid_key_report', 'key_lines',
			'uuid_leaf_density', 'partition_kept_since', 'iuid_partition_check_foreign',
			'partition_with_group_numbers', 'partition_warn_unpublished', 'partition_mark_busy', 'partition_raise_busy', 'partition_check_pair',
			'partition_find_leaders', 'partition_postpone', 'partition_take_fewer')
	ORDER BY call};
my $answers = $primary->safe_psql('postgres', $known);
# A SQLSTATE has five characters.
is( $primary->safe_psql('postgres',
	"SELECT proname FROM ($known) AS c GROUP BY proname HAVING bool_and(outcome ~ '^[0-9A-Z]{5}\$')"),
	'', 'each function that only reads has an answer on the primary');
my %answered = map { $_ => 1 } split /\n/, $answers;
is(join("\n", grep { !delete $answered{$_} } split /\n/, $standby->safe_psql('postgres', $known)), '',
	'and the same on the standby');
is(scalar(keys %answered), 0, 'and all of them');
my $list = q{SELECT partition, kind, from_time, to_time, rows > 0, bytes > 0, note FROM uuid_partition_list('events')};
is($standby->safe_psql('postgres', $list), $primary->safe_psql('postgres', $list), 'partitions are listed');
my $report = q{SELECT table_name, index_name, kind, layout, bytes, note FROM uuid_key_report() ORDER BY 1, 2};
is($standby->safe_psql('postgres', $report), $primary->safe_psql('postgres', $report), 'keys are reported');

# The others make ids, or change something.
my $volatile = q{
	SET uidext.country = 76;
	SELECT DISTINCT proname, outcome
	FROM (
		SELECT proname, outcome(call)
		FROM calls
		WHERE provolatile = 'v' AND schema = 'public'::regnamespace) AS c};
my $generators = q{(proname LIKE 'gen\_%' OR proname IN ('uid_generate', 'uid_next'))};
my $refusals = "$volatile WHERE $generators AND outcome ~ '^[0-9A-Z]{5}\$'";
is($primary->safe_psql('postgres', $refusals), '', 'every generator works on the primary');
is($standby->safe_psql('postgres', $refusals),
	'gen_sequence_comb|25006', 'every generator works on the standby, but the one of a sequence');
my $others = $standby->safe_psql('postgres', "$volatile WHERE NOT $generators");
like($others, qr/^((\w+\|25006|uuid_safe_boundary\|55000|uuid_partition_follow\|22004|iuid_partition_create\|42809)\n?)+$/,
	'what writes is refused there, and what only the primary knows');
my ($stdout, $stderr);
$standby->psql('postgres', "SELECT gen_sequence_comb('numbers')", stdout => \$stdout, stderr => \$stderr);
like($stderr, qr/ERROR:  cannot execute nextval\(\) in a read-only transaction/, 'as nextval() is');

# Every family, as an index holds it.
$primary->safe_psql(
	'postgres', q{
	CREATE EXTENSION amcheck;
	CREATE EXTENSION pgstattuple;
	CREATE TABLE families (
		v7 uuid UNIQUE DEFAULT gen_uuidv7(), comb uuid UNIQUE DEFAULT gen_comb(), suffix uuid UNIQUE DEFAULT gen_suffix_comb(),
		short uuid UNIQUE DEFAULT gen_short_comb(), numbered uuid UNIQUE DEFAULT gen_sequence_comb('numbers'),
		iuid uuid UNIQUE DEFAULT gen_iuid(76, 1), v1 uuid UNIQUE DEFAULT gen_uuidv1(), v6 uuid UNIQUE DEFAULT gen_uuidv6());
	CREATE INDEX families_sqlserver ON families (suffix uuid_sqlserver_ops);
	INSERT INTO families SELECT FROM generate_series(1, 10000);
});
$primary->wait_for_catchup($standby);
my $indexes = q{
	SELECT indexrelid::regclass, i.* FROM pg_index, pgstatindex(indexrelid) AS i WHERE indrelid = 'families'::regclass ORDER BY 1;
	SELECT md5(string_agg(f::text, ',' ORDER BY v7)) FROM families AS f;
	SET enable_sort = off;
	SELECT md5(string_agg(suffix::text, ',')) FROM (SELECT suffix FROM families ORDER BY suffix USING ~<~) AS f};
my $statistics = $primary->safe_psql('postgres', $indexes);
like($statistics, qr/^families_v7_key\|.*\n(.*\n)*\w{32}\n\w{32}$/m, 'indexes to compare');
is($standby->safe_psql('postgres', $indexes), $statistics, 'indexes and ids are the same on the standby');
$_->command_ok([ 'pg_amcheck', '--heapallindexed', '-d', 'postgres' ], 'tables and indexes are sound: ' . $_->name)
  foreach $primary, $standby;

# Nobody reads the pages of another session's temporary table.
my $other = $primary->background_psql('postgres');
$other->query_safe('CREATE TEMP TABLE others (id uuid PRIMARY KEY)');
is( $primary->safe_psql('postgres', q{
	SELECT count(*)
	FROM uuid_key_report(exact => true)
	WHERE table_name IN ('families'::regclass, 'events_01'::regclass)}),
	'10', 'keys are reported exactly beside a temporary table of another session');
is($other->query_safe('
		SELECT index_name FROM uuid_key_report(exact => true) WHERE table_name = \'others\'::regclass'),
	'others_pkey', 'who reports it itself');
$other->quit;

# What doc/partition-upkeep.md says of standbys: a new partition disturbs no reader there, and a month
# that is dropped is waited for, until the reader is cancelled.
$standby->append_conf('postgresql.conf', "max_standby_streaming_delay = '10s'\nhot_standby_feedback = on");
$standby->reload;
$primary->safe_psql(
	'postgres', q{
	CREATE TABLE logins (id uuid PRIMARY KEY DEFAULT gen_uuidv7()) PARTITION BY RANGE (id);
	SELECT uuid_partition_maintain('logins', '1 month', ahead => 0);
	SELECT uuid_partition_create('logins', '2020-01-01 00:00+00', '2020-02-01 00:00+00', '1 month');
	INSERT INTO logins VALUES (gen_uuidv7_at('2020-01-10 00:00+00'));
});
$primary->wait_for_catchup($standby);
is($standby->safe_psql('postgres', q{
	SELECT count(*)
	FROM uuid_partition_maintain('logins', '1 month', ahead => 1, dry_run => true)
	WHERE action = 'to be created'}) > 0,
	1, 'a dry run works on the standby');
is($standby->safe_psql('postgres',
		q{SELECT action FROM uuid_partition_drop('logins', '2020-02-01 00:00+00', dry_run => true)}),
	'to be dropped', 'that of a drop');
is($standby->safe_psql('postgres',
		q{CALL uuid_partition_drain('events', '1 month', dry_run => true); SELECT 'done'}), 'done',
	'and that of a drain');
my ($report_out, $report_err) = ('', '');
my $reads = IPC::Run::start(
	[ 'psql', '-qXAt', '-v', 'VERBOSITY=verbose', '-d', $standby->connstr('postgres'), '-c', 'SELECT pg_sleep(180) FROM logins' ],
	'>', \$report_out, '2>', \$report_err);
$standby->poll_query_until('postgres',
	q{SELECT count(*) > 0 FROM pg_stat_activity WHERE wait_event = 'PgSleep'})
	or die 'nobody reads';
$primary->safe_psql('postgres', q{SELECT uuid_partition_maintain('logins', '1 month', ahead => 1)});
$primary->wait_for_catchup($standby);
is($standby->safe_psql('postgres', q{SELECT count(*) > 0 FROM pg_stat_activity WHERE wait_event = 'PgSleep'}),
	't', 'a reader goes on beside new partitions');
$primary->safe_psql('postgres', q{SELECT uuid_partition_drop('logins', '2020-02-01 00:00+00')});
$standby->poll_query_until('postgres',
	q{SELECT count(*) > 0 FROM pg_locks WHERE NOT granted AND mode = 'AccessExclusiveLock'})
	or die 'nothing is waited for';
(undef, undef, my $later) = $standby->psql('postgres', q{SET statement_timeout = '500ms'; SELECT count(*) FROM logins});
like($later, qr/canceling statement due to statement timeout/,
	'a later reader waits behind a drop that waits for an earlier one');
$reads->finish;
like($report_err, qr/^ERROR:  40001: canceling statement due to conflict with recovery/m,
	'the earlier one is cancelled in the end');
$primary->wait_for_catchup($standby);
is($standby->safe_psql('postgres', q{SELECT count(*) FROM logins}), '0', 'and the month is gone');

# Promotion; the session's series and the primary's ids do not meet.
my $session = $standby->background_psql('postgres');
my $early = $session->query_safe('SELECT gen_uuidv7()');
my ($last) = $primary->safe_psql('postgres', q{INSERT INTO events (note) VALUES ('last of the primary') RETURNING id});
$primary->wait_for_catchup($standby);
$primary->stop;
$standby->promote;
my ($first) = $standby->safe_psql('postgres', q{INSERT INTO events (note) VALUES ('first of the standby') RETURNING id});
isnt($first, $last, 'ids go on after promotion');
cmp_ok($session->query_safe('SELECT gen_uuidv7()'), 'gt', $early, 'so do those of a session that was there before');
$session->quit;
is( $standby->safe_psql('postgres', q{SELECT count(*) FROM events WHERE id > now() - interval '1 hour'}),
	'3', 'and are found');
is( $standby->safe_psql(
		'postgres', q{
		INSERT INTO families SELECT FROM generate_series(1, 1000);
		SELECT count(*), count(DISTINCT v7), count(DISTINCT numbered), count(DISTINCT v1) FROM families}),
	'11000|11000|11000|11000',
	'every default goes on, that of a sequence included');
$standby->command_ok([ 'pg_amcheck', '--parent-check', '--heapallindexed', '-d', 'postgres' ], 'and the indexes are sound');

$standby->stop;
done_testing();
