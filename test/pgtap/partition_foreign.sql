-- Beside months that are foreign tables, no month is made on this server unless a
-- template says so.

BEGIN;
\ir include/settings.sql
\ir include/outcome.sql
SET client_min_messages = error;
SELECT plan(19);

CREATE FOREIGN DATA WRAPPER nowhere;
CREATE SERVER kazakhstan FOREIGN DATA WRAPPER nowhere;
CREATE TABLE rides (id uuid NOT NULL, fare numeric) PARTITION BY RANGE (id);
CREATE TABLE notes (ride_id uuid NOT NULL, note text) PARTITION BY RANGE (ride_id);
CREATE TABLE rides_template (LIKE rides);
CREATE TABLE notes_template (LIKE notes);
SELECT from_id, to_id FROM uuid_partition_bounds(date_trunc('month', now(), 'UTC'), now(), '1 month') \gset
CREATE FOREIGN TABLE rides_now PARTITION OF rides FOR VALUES FROM (:'from_id') TO (:'to_id') SERVER kazakhstan;

SELECT is((SELECT problem FROM uuid_partition_maintain('rides', '1 month', 1, dry_run => true)),
	'0A000: partition public.rides_now is a foreign table', 'a dry run of maintain refuses the next month');
SELECT is((SELECT problem FROM uuid_partition_maintain('rides', '1 month', 1)),
	'0A000: partition public.rides_now is a foreign table', 'maintain makes no month on this server');
SELECT is(
	pg_temp.outcome($$
		SELECT uuid_partition_create('rides', '2020-01-01Z', '2020-02-01Z', '1 month')$$)
		~ '^0A000: partition public.rides_now is a foreign table',
	true, 'nor does create');
SELECT is((SELECT count(*) FROM uuid_partition_follow('notes', 'rides', foreign_keys => false)), 0::bigint,
	'follow makes no counterpart of a foreign table');
SELECT is((SELECT count(*) FROM pg_inherits WHERE inhparent IN ('rides'::regclass, 'notes'::regclass)),
	1::bigint, 'nothing was made');

SELECT is((SELECT action FROM uuid_partition_maintain('rides', '1 month', 1, template => 'rides_template')),
	'created', 'a template lets maintain make the month here');
SELECT is((SELECT problem FROM uuid_partition_maintain('rides', '1 month', 2)), NULL, 'later months are like that one');
SELECT is((SELECT string_agg(action, ' ') FROM uuid_partition_follow('notes', 'rides', foreign_keys => false)), 'created created',
	'their counterparts are made, that of the foreign table is not');
SELECT is((SELECT count(*) FROM uuid_partition_check('rides', followers => '{notes}') WHERE message ~ 'lacks'),
	0::bigint, 'check does not miss it');
SELECT is((SELECT action FROM uuid_partition_follow('notes', 'rides', foreign_keys => false, template => 'notes_template')),
	'created', 'a template lets follow make it, too');

-- Rows of a default partition are here already.
CREATE TABLE rides_rest PARTITION OF rides DEFAULT;
SELECT is((SELECT problem FROM uidext_internal.partition_plan_periods(uidext_internal.partition_read('rides', now()),
		uidext_internal.partition_requested(
			uidext_internal.partition_read('rides', now()), '2020-01-01Z', '2020-02-01Z', '1 month', 'UTC'),
		'1 month', 'UTC', 'drain')),
	NULL, 'a drain makes months beside foreign tables');
-- Nothing of a foreign table is copied, so its owner does not matter.
CREATE ROLE partition_abroad;
CREATE TABLE trips (id uuid NOT NULL, fare numeric) PARTITION BY RANGE (id);
CREATE FOREIGN TABLE trips_now PARTITION OF trips FOR VALUES FROM (:'from_id') TO (:'to_id') SERVER kazakhstan;
ALTER FOREIGN TABLE trips_now OWNER TO partition_abroad;
CREATE TABLE trips_rest PARTITION OF trips DEFAULT;
INSERT INTO trips VALUES (uuid_boundary('2020-01-10Z'));
SELECT is((SELECT done FROM uidext_internal.partition_drain_next('trips', '1 month', 'UTC', NULL, NULL, 10, false, NULL, NULL)),
	'1 rows moved', 'nor does it matter to a drain whose they are');
SELECT is((SELECT problem FROM uuid_partition_maintain('trips', '1 month', 1)),
	'0A000: partition public.trips_now is a foreign table',
	'maintain refuses the next month all the same');
DROP TABLE trips;

DROP TABLE rides_rest;

CREATE FOREIGN TABLE rides_rest PARTITION OF rides DEFAULT SERVER kazakhstan;
SELECT is((SELECT count(*) FROM uuid_partition_follow('notes', 'rides', foreign_keys => false)), 0::bigint,
	'follow makes no counterpart of a default partition that is a foreign table');
SELECT is((
		SELECT string_agg(concat_ws(' ', action, partition), '; ')
		FROM uuid_partition_follow('notes', 'rides', foreign_keys => false, template => 'notes_template')),
	'created public.notes_rest', 'a template lets follow make that, too');
DROP FOREIGN TABLE rides_rest;

-- The follower's months are elsewhere, too.
DROP TABLE notes;
CREATE TABLE notes (ride_id uuid NOT NULL, note text) PARTITION BY RANGE (ride_id);
CREATE FOREIGN TABLE notes_now PARTITION OF notes FOR VALUES FROM (:'from_id') TO (:'to_id') SERVER kazakhstan;
SELECT is((SELECT string_agg(DISTINCT problem, '; ') FROM uuid_partition_maintain('rides', '1 month', 2, followers => '{notes}')),
	'0A000: partition public.notes_now is a foreign table', 'maintain makes no month of a follower whose months are foreign tables');

-- The newest is elsewhere, and nothing is made like it.
CREATE TABLE legs (id uuid NOT NULL, fare numeric) PARTITION BY RANGE (id);
CREATE TABLE legs_now PARTITION OF legs FOR VALUES FROM (:'from_id') TO (:'to_id');
CREATE INDEX ON legs_now (fare);
CREATE FOREIGN TABLE legs_next PARTITION OF legs FOR VALUES FROM (:'to_id') TO (MAXVALUE) SERVER kazakhstan;
SELECT is((SELECT count(*) FROM uuid_partition_check('legs', '0') WHERE message ~ 'does not have'), 0::bigint,
	'check asks for no index on a foreign table');
-- Which table a follower lacks, tells the present one.
CREATE FOREIGN TABLE legs_before PARTITION OF legs FOR VALUES FROM (MINVALUE) TO (:'from_id') SERVER kazakhstan;
CREATE TABLE stops (leg_id uuid NOT NULL) PARTITION BY RANGE (leg_id);
SELECT is((
		SELECT count(*)
		FROM uuid_partition_check('legs', '0', followers => '{stops}')
		WHERE message ~ 'stops has no partition for the present'), 1::bigint,
	'check misses the present of a follower also where other months of its table are foreign tables');
CREATE TABLE tips (ride_id uuid NOT NULL) PARTITION BY RANGE (ride_id);
SELECT is((
		SELECT count(*)
		FROM uuid_partition_check('rides', '0', followers => '{tips}')
		WHERE message ~ 'for the present'), 0::bigint,
	'and does not where the present one is a foreign table');

SELECT * FROM finish();
ROLLBACK;
