-- uuid_partition_check() says of a table that is not partitioned by time whether rows of now find a partition:
-- as the first line, and only if that is true.

BEGIN;
\ir include/settings.sql
SET client_min_messages = error;
SELECT plan(15);

CREATE FUNCTION pg_temp.levels(parent text, followers text DEFAULT '{}') RETURNS text LANGUAGE sql AS $$
SELECT string_agg(status || ' ' || regexp_replace(message, '(, and |: ).*', ''), E'\n' ORDER BY severity DESC, message COLLATE "C")
FROM uuid_partition_check(parent::regclass, '0', followers => followers::regclass[])
$$;

-- Somebody gives the key of a table of months another default.
CREATE TABLE orders (id uuid PRIMARY KEY DEFAULT gen_uuidv7()) PARTITION BY RANGE (id);
SELECT count(*) FROM uuid_partition_create('orders', date_trunc('month', now(), 'UTC') - interval '2 months',
	date_trunc('month', now(), 'UTC') + interval '1 month', '1 month') \gset
ALTER TABLE orders ALTER id SET DEFAULT gen_random_uuid();
SELECT is(pg_temp.levels('orders'), 'WARNING table public.orders is not partitioned by time',
	'a table whose key has got a random default is a warning as long as the present has a partition');
SELECT format('DROP TABLE %s', to_char(now() AT TIME ZONE 'UTC', '"orders_"YYYY_MM')) \gexec
SELECT is((SELECT string_agg(status || ' ' || message, E'\n') FROM uuid_partition_check('orders')),
	E'CRITICAL no partition for the present, and uuid_partition_maintain() refuses table public.orders: '
	'first remove the problem that another line reports for this table\n'
	'WARNING table public.orders is not partitioned by time: The default of column "id" is of gen_random_uuid(), '
	'whose keys are not in the order of Unix time.',
	'it is critical when its months have ended');
CREATE TABLE orders_rest PARTITION OF orders DEFAULT;
SELECT is(pg_temp.levels('orders'), E'CRITICAL no partition for the present\nWARNING table public.orders is not partitioned by time',
	'also if rows of the present go to a default partition');
ALTER TABLE orders ALTER id SET DEFAULT gen_uuidv7();
SELECT alike(pg_temp.levels('orders'), 'CRITICAL no partition for the present%', '(as in a table that is partitioned by time)');
DROP TABLE orders;

-- Without any partition no row finds one, whatever its id is.
CREATE TABLE tickets (id uuid DEFAULT gen_random_uuid()) PARTITION BY RANGE (id);
SELECT is(pg_temp.levels('tickets'), E'CRITICAL no partition for the present\nWARNING table public.tickets is not partitioned by time',
	'no partition at all is critical');
CREATE TABLE tickets_rest PARTITION OF tickets DEFAULT;
SELECT is(pg_temp.levels('tickets'), 'WARNING table public.tickets is not partitioned by time', 'a default partition alone is not');
DROP TABLE tickets;

-- Partitions of other ids end at no time that matters.
CREATE TABLE calls (id uuid DEFAULT gen_uuidv6()) PARTITION BY RANGE (id);
CREATE TABLE calls_now PARTITION OF calls
FOR VALUES FROM (uuidv6_boundary(now() - interval '1 month')) TO (uuidv6_boundary(now() + interval '1 month'));
SELECT is(pg_temp.levels('calls'), 'WARNING table public.calls is not partitioned by time',
	'partitions of UUIDv6 do not lack the present');
CREATE TABLE calls_2020_01 PARTITION OF calls
FOR VALUES FROM (uuid_boundary('2020-01-01 00:00+00')) TO (uuid_boundary('2020-02-01 00:00+00'));
SELECT is(pg_temp.levels('calls'), 'WARNING table public.calls is not partitioned by time',
	'also if months of UUIDv7 are there from before');
CREATE SEQUENCE numbers;
CREATE TABLE parcels (id bigint DEFAULT nextval('numbers') CHECK (uid_is_valid(id, 'snowflake'))) PARTITION BY RANGE (id);
CREATE TABLE parcels_1 PARTITION OF parcels FOR VALUES FROM (0) TO (1000000000000);
SELECT is(pg_temp.levels('parcels'), 'WARNING table public.parcels is not partitioned by time',
	'nor do those of numbers of a sequence');
CREATE TABLE parcels_2 PARTITION OF parcels
FOR VALUES FROM (uid_boundary('2025-01-01 00:00+00', 'snowflake')) TO (uid_boundary('2025-02-01 00:00+00', 'snowflake'));
SELECT is(pg_temp.levels('parcels'),
	E'CRITICAL no partition for the present\nWARNING table public.parcels is not partitioned by time',
	'but those of Snowflakes beside such numbers do');

-- The hash of PostgreSQL spreads the ids of each moment over all partitions.
CREATE TABLE rides (id iuid) PARTITION BY HASH (id uuid_ops);
CREATE TABLE rides_0 PARTITION OF rides FOR VALUES WITH (MODULUS 2, REMAINDER 0);
SELECT is(pg_temp.levels('rides'),
	E'CRITICAL some ids of the present find no partition in table public.rides\n'
	'WARNING table public.rides is partitioned by PostgreSQL''s own hash of an iuid, which spreads the rows of a country over all partitions',
	'a hash of which parts are missing is critical');
CREATE TABLE rides_1 PARTITION OF rides FOR VALUES WITH (MODULUS 2, REMAINDER 1) PARTITION BY RANGE (id);
CREATE TABLE rides_1_past PARTITION OF rides_1 FOR VALUES FROM (MINVALUE) TO (uuid_boundary('2020-01-01 00:00+00'));
SELECT alike(pg_temp.levels('rides'), 'CRITICAL %', 'so is one of which a part has no partition for the present');
CREATE TABLE rides_1_rest PARTITION OF rides_1 FOR VALUES FROM (uuid_boundary('2020-01-01 00:00+00')) TO (MAXVALUE);
SELECT alike(pg_temp.levels('rides'), 'WARNING %', 'one that takes all ids is not');

-- A follower of such kinds.
CREATE TABLE visits (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
CREATE TABLE pages (visit_id uuid DEFAULT gen_random_uuid()) PARTITION BY RANGE (visit_id);
CREATE TABLE pages_2020_01 PARTITION OF pages
FOR VALUES FROM (uuid_boundary('2020-01-01 00:00+00')) TO (uuid_boundary('2020-02-01 00:00+00'));
SELECT is(pg_temp.levels('visits', '{pages,rides}'),
	E'CRITICAL no partition for the present\nWARNING follower public.pages is not partitioned by time\n'
	'WARNING table public.rides is partitioned by PostgreSQL''s own hash of an iuid, which spreads the rows of a country over all partitions',
	'of a family that has none for the present that is said of the table');
SELECT count(*) FROM uuid_partition_maintain('visits', '1 month', 0) \gset
SELECT alike(pg_temp.levels('visits', '{pages,rides}'),
	E'CRITICAL follower public.pages has no partition for the present\nWARNING follower public.pages is not partitioned by time\n%rides%',
	'and otherwise of the follower that has none');

SELECT * FROM finish();
ROLLBACK;
