-- Services have event triggers that switch row level security on for each new table.
-- A month that comes then has all that it should have nevertheless, or the call says
-- why it is not made.

BEGIN;
\ir include/settings.sql
\ir include/outcome.sql
SET client_min_messages = error;
SELECT plan(16);

CREATE ROLE partition_app;
CREATE FUNCTION secure_new_tables() RETURNS event_trigger LANGUAGE plpgsql AS $$
DECLARE
	command record;
BEGIN
	FOR command IN SELECT * FROM pg_event_trigger_ddl_commands() WHERE command_tag = 'CREATE TABLE' AND object_type = 'table' LOOP
		EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', command.object_identity);
	END LOOP;
END $$;

CREATE FUNCTION pg_temp.like_first(table_name text) RETURNS text LANGUAGE sql AS $$
-- Which months are not like the first that was made by hand, and how.
SELECT string_agg(format('%s %s %s', c.relname, c.reloptions, c.relacl), '; ' ORDER BY c.relname)
FROM pg_inherits
JOIN pg_class c ON c.oid = inhrelid,
	LATERAL (SELECT * FROM pg_class f WHERE f.relname = table_name || '_2020_01') f
WHERE inhparent = to_regclass(table_name) AND (c.reloptions, c.relacl) IS DISTINCT FROM (f.reloptions, f.relacl)
$$;

CREATE TABLE orders (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
CREATE TABLE items (order_id uuid, n int, PRIMARY KEY (order_id, n)) PARTITION BY RANGE (order_id);
SELECT count(*) AS made FROM uuid_partition_create('orders', '2020-01-01 00:00+00', '2020-02-01 00:00+00', '1 month') \gset
SELECT count(*) AS made FROM uuid_partition_follow('items', 'orders') \gset
ALTER TABLE orders_2020_01 SET (fillfactor = 80);
ALTER TABLE items_2020_01 SET (fillfactor = 70);
GRANT SELECT ON orders_2020_01, items_2020_01 TO partition_app;

CREATE EVENT TRIGGER secure_new_tables ON ddl_command_end WHEN TAG IN ('CREATE TABLE') EXECUTE FUNCTION secure_new_tables();

CREATE FUNCTION pg_temp.lost(query text) RETURNS text LANGUAGE sql AS $$
-- What the months that a query makes have lost without a word.
SELECT CASE WHEN outcome ~ '^\d\d[0-9A-Z]{3}: |\mnot created\M' THEN ''
	ELSE concat_ws('; ', pg_temp.like_first('orders'), pg_temp.like_first('items')) END
FROM pg_temp.outcome(query) outcome
$$;

-- Of two calls, as the month that the first has made is the newest in the second.
SELECT is(pg_temp.lost(query), '', message || ' is made with the newest one''s storage parameters and grants, or not')
FROM (VALUES
	('the month of a create beside such a trigger',
		$$SELECT uuid_partition_create('orders', '2020-02-01 00:00+00', '2020-03-01 00:00+00', '1 month')$$),
	('the month of the next create',
		$$SELECT uuid_partition_create('orders', '2020-03-01 00:00+00', '2020-04-01 00:00+00', '1 month')$$),
	('a follower''s month', $$SELECT * FROM uuid_partition_follow('items', 'orders')$$),
	('each period of both tables by maintain',
		$$SELECT * FROM uuid_partition_maintain('orders', '3 years', 1, '20 years', followers => '{items}')$$),
	('each period of the next maintain',
		$$SELECT * FROM uuid_partition_maintain('orders', '3 years', 3, '20 years', followers => '{items}')$$),
	('the month of a template that the trigger has not seen',
		$$
			SELECT uuid_partition_create(
				'orders', '2019-12-01 00:00+00', '2020-01-01 00:00+00', '1 month', template => 'orders_2020_01')$$)
) AS calls(message, query);

-- An assertion that fails concerns one partition, as any other error does.
DROP EVENT TRIGGER secure_new_tables;
CREATE FUNCTION keep_all() RETURNS event_trigger LANGUAGE plpgsql AS $$BEGIN ASSERT false, 'nothing is dropped here'; END$$;
CREATE EVENT TRIGGER keep_all ON sql_drop EXECUTE FUNCTION keep_all();
CREATE TABLE visits (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
SELECT count(*) AS made FROM uuid_partition_create('visits', '2020-01-01 00:00+00', '2020-02-01 00:00+00', '1 month') \gset
SELECT is((SELECT string_agg(DISTINCT concat_ws(' ', action, problem), '; ' ORDER BY concat_ws(' ', action, problem))
		FROM uuid_partition_maintain('visits', '1 month', 1, '2 years')),
	'created; not dropped P0004: nothing is dropped here',
	'an event trigger whose assertion forbids a DROP keeps no month from being made');

-- A lack of memory keeps the month, and no new one from being made.
CREATE OR REPLACE FUNCTION keep_all()
RETURNS event_trigger
LANGUAGE plpgsql AS $$BEGIN RAISE 'out of memory' USING ERRCODE = 'out_of_memory'; END$$;
SELECT is((SELECT string_agg(DISTINCT concat_ws(' ', action, problem), '; ' ORDER BY concat_ws(' ', action, problem))
		FROM uuid_partition_maintain('visits', '1 month', 2, '2 years')),
	'created; not dropped 53200: out of memory', 'so does one whose DROP has no memory');

-- Rows that come to the default partition once the call has looked there.
CREATE TABLE rides (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
CREATE TABLE rides_rest PARTITION OF rides DEFAULT;
CREATE FUNCTION add_ride()
RETURNS event_trigger
LANGUAGE plpgsql AS $$
	BEGIN INSERT INTO public.rides VALUES (public.gen_uuidv7_at('2020-01-15 00:00+00')); END$$;
CREATE EVENT TRIGGER add_ride ON ddl_command_end WHEN TAG IN ('CREATE TABLE') EXECUTE FUNCTION add_ride();
CREATE FUNCTION pg_temp.hint_of(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	detail text;
	hint text;
BEGIN
	EXECUTE query;
	RETURN 'no error';
EXCEPTION WHEN OTHERS THEN
	GET STACKED DIAGNOSTICS detail = PG_EXCEPTION_DETAIL, hint = PG_EXCEPTION_HINT;
	RETURN concat_ws(' ', SQLSTATE, nullif(detail, ''), nullif(hint, ''));
END $$;
SELECT is(pg_temp.hint_of($$SELECT uuid_partition_create('rides', '2020-01-01 00:00+00', '2020-02-01 00:00+00', '1 month')$$),
	'23514 Move them with uuid_partition_drain(), which also makes the partition.',
	'rows that come to the default partition meanwhile are to be drained');
DROP EVENT TRIGGER add_ride;

-- Other violations of a CHECK while a partition is attached are not of the default partition, if there is one or not.
CREATE DOMAIN late_id AS uuid CHECK (uuid_boundary_time(VALUE) > '2020-01-01 00:00+00');
CREATE TABLE walks (id late_id PRIMARY KEY) PARTITION BY RANGE (id);
SELECT is(pg_temp.hint_of($$
		SELECT uuid_partition_create('walks', '2020-01-01 00:00+00', '2020-02-01 00:00+00', '1 month')$$),
	'23514',
	'a bound that the domain of the key refuses has nothing to do with a default partition');
CREATE TABLE walks_rest PARTITION OF walks DEFAULT;
SELECT is(pg_temp.hint_of($$
		SELECT uuid_partition_create('walks', '2020-01-01 00:00+00', '2020-02-01 00:00+00', '1 month')$$),
	'23514',
	'also where there is one');
CREATE FUNCTION refuse() RETURNS event_trigger LANGUAGE plpgsql AS $$
BEGIN
	RAISE 'no month' USING ERRCODE = 'check_violation', DETAIL = 'Not before Monday.';
END $$;
CREATE EVENT TRIGGER refuse ON ddl_command_end WHEN TAG IN ('ALTER TABLE') EXECUTE FUNCTION refuse();
SELECT is(pg_temp.hint_of($$SELECT uuid_partition_create('visits', '2021-01-01 00:00+00', '2021-02-01 00:00+00', '1 month')$$),
	'23514 Not before Monday.', 'such an error keeps its detail');
DROP EVENT TRIGGER refuse;

-- New partitions that are made alone, after a lock was not to be had, lack memory of their own.
DROP EVENT TRIGGER keep_all;
CREATE SEQUENCE attempts;
CREATE FUNCTION fail_twice() RETURNS event_trigger LANGUAGE plpgsql AS $$
DECLARE
	codes CONSTANT text[] := '{lock_not_available,out_of_memory}';
	attempt CONSTANT bigint := nextval('public.attempts');
BEGIN
	IF attempt <= 2 THEN
		RAISE 'attempt %', attempt USING ERRCODE = codes[attempt];
	END IF;
END $$;
CREATE EVENT TRIGGER fail_twice ON ddl_command_end WHEN TAG IN ('ALTER TABLE') EXECUTE FUNCTION fail_twice();
CREATE FUNCTION pg_temp.execute_late(parent regclass) RETURNS SETOF uidext_internal.partition_step LANGUAGE sql AS $$
	SELECT s.*
	FROM (SELECT ARRAY[uidext_internal.partition_read(parent, now())], clock_timestamp() + '1 h') t(family, deadline)
		CROSS JOIN LATERAL uidext_internal.partition_plan(
			t.family, uidext_internal.partition_missing(t.family[1], '1 month', 5, NULL, 'UTC'),
			'1 month', 'UTC', t.deadline, now() - interval '1 year', 'drop', 100) p(steps)
		CROSS JOIN LATERAL unnest(uidext_internal.partition_execute_possible(t.family, p.steps, t.deadline, now() - interval '1 s')) s
$$;
SELECT is(pg_temp.outcome($$SELECT DISTINCT action, problem FROM pg_temp.execute_late('visits')$$), '53200: attempt 2',
	'a lack of memory for new months alone is no problem of old ones');
DROP EVENT TRIGGER fail_twice;

-- An error of the server as a whole ends the call, as it would each partition's.
CREATE FUNCTION fill_disk()
RETURNS event_trigger
LANGUAGE plpgsql AS $$BEGIN RAISE 'the disk is full' USING ERRCODE = 'disk_full'; END$$;
CREATE EVENT TRIGGER fill_disk ON ddl_command_start WHEN TAG IN ('CREATE TABLE') EXECUTE FUNCTION fill_disk();
SELECT throws_ok($$SELECT * FROM uuid_partition_maintain('visits', '1 month', 3)$$, '53100', 'the disk is full',
	'an error that no partition has to itself ends the call');

-- An event trigger that writes to a table with row security writes there during a call, too.
DROP EVENT TRIGGER fill_disk;
CREATE ROLE partition_owner;
CREATE SCHEMA shop AUTHORIZATION partition_owner;
CREATE TABLE shop.audit (role name DEFAULT current_user, tag text);
ALTER TABLE shop.audit ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON shop.audit USING (role = current_user);
GRANT INSERT ON shop.audit TO PUBLIC;
CREATE FUNCTION shop.note() RETURNS event_trigger LANGUAGE plpgsql AS $$BEGIN INSERT INTO shop.audit (tag) VALUES (tg_tag); END$$;
SET ROLE partition_owner;
CREATE TABLE shop.orders (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
CREATE TABLE shop.refunds (order_id uuid REFERENCES shop.orders);
SELECT count(*) AS made FROM uuid_partition_create('shop.orders', '2020-01-01 00:00+00', '2020-03-01 00:00+00', '1 month') \gset
RESET ROLE;
CREATE EVENT TRIGGER note ON ddl_command_end WHEN TAG IN ('ALTER TABLE', 'DROP TABLE') EXECUTE FUNCTION shop.note();
SET ROLE partition_owner;
SELECT is(pg_temp.outcome($$SELECT action FROM uuid_partition_drop('shop.orders', '2020-02-01 00:00+00')$$), '(dropped)',
	'a month goes beside an event trigger that writes to a table with row security');
RESET ROLE;

-- One that hides what refers to the month, after the call has looked.
CREATE FUNCTION shop.hide() RETURNS event_trigger LANGUAGE plpgsql AS $$
BEGIN
	IF current_setting('shop.is_hidden', true) IS DISTINCT FROM 'yes' THEN
		PERFORM set_config('shop.is_hidden', 'yes', true);
		ALTER TABLE shop.refunds ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
	END IF;
END $$;
CREATE EVENT TRIGGER hide ON ddl_command_start WHEN TAG IN ('ALTER TABLE') EXECUTE FUNCTION shop.hide();
SET ROLE partition_owner;
SELECT matches(
	pg_temp.outcome($$SELECT action FROM uuid_partition_drop('shop.orders', '2020-03-01 00:00+00')$$),
	'^42501: .*row.security',
	'no month goes when rows that refer to it have been hidden meanwhile');
RESET ROLE;

SELECT * FROM finish();
ROLLBACK;
