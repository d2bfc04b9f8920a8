-- Validation of ids made elsewhere: tolerances, the wrap, and enforcement on INSERT
\getenv test PG_ABS_SRCDIR
\i :test/include/preamble.sql
SET intervalstyle = 'postgres_verbose';

-- uuid_is_recent: from at - past to at + future, both included; the id's tick may be under way
SELECT at,
	string_agg(layout, ' ') FILTER (WHERE uuid_is_recent(id, '10 minutes', '0', at)) AS past,
	string_agg(layout, ' ') FILTER (WHERE uuid_is_recent(id, '0', '3 minutes', at)) AS future,
	string_agg(layout, ' ') FILTER (WHERE uuid_is_recent(id, '10 minutes', '3 minutes', at)) AS both
FROM unnest(ARRAY[
		'2026-03-04 11:56:59.999999', '2026-03-04 11:57', '2026-03-04 11:59:59.999999', '2026-03-04 12:00',
		'2026-03-04 12:00:00.000001', '2026-03-04 12:10', '2026-03-04 12:10:00.000001',
		'2026-03-04 12:10:00.000999', '2026-03-04 12:10:00.001']::timestamptz[]) AS at,
	(VALUES
		('v1', gen_uuidv1_at('2026-03-04 12:00')), ('v6', gen_uuidv6_at('2026-03-04 12:00')),
		('v7', gen_uuidv7_at('2026-03-04 12:00')), ('v13', gen_uuidv13_at('2026-03-04 12:00')),
		('boundary', uuid_boundary('2026-03-04 12:00'))) AS ids(layout, id)
GROUP BY at ORDER BY at;

-- The time of a v1 counts to the microsecond, that of a v7 to the millisecond (floor)
SELECT uuid_is_recent(gen_uuidv1_at('2026-03-04 12:00:00.000999+00'), '0', '0', '2026-03-04 12:00:00.000999+00') AS v1,
	uuid_is_recent(gen_uuidv1_at('2026-03-04 12:00:00.000999+00'), '0', '0', '2026-03-04 12:00:00.000998+00') AS v1_earlier,
	uuid_is_recent(gen_uuidv1_at('2026-03-04 12:00:00.000999+00'), '0', '1 microsecond',
		'2026-03-04 12:00:00.000998+00') AS v1_tolerated,
	uuid_is_recent(gen_uuidv7_at('2026-03-04 12:00:00.000999+00'), '0', '0', '2026-03-04 12:00+00') AS v7,
	uuid_is_recent(gen_uuidv7_at('2026-03-04 12:00:00.000999+00'), '999 microseconds', '0',
		'2026-03-04 12:00:00.000999+00') AS v7_tolerated;

-- Zero tolerance is the id's own tick, wherever in it the clock stands
SELECT count(*) AS moments,
	count(*) FILTER (WHERE uuid_is_recent(v7, '0', '0', at)) AS v7,
	count(*) FILTER (WHERE uuid_is_recent(v1, '0', '0', at)) AS v1,
	count(*) FILTER (WHERE comb_is_recent(comb, '0', '0', at)) AS comb,
	count(*) FILTER (WHERE uuid_is_recent(v7, '0', '0', at + interval '1 ms') OR uuid_is_recent(v7, '0', '0', at - interval '1 ms')
		OR comb_is_recent(comb, '0', '0', at + interval '1 ms') OR comb_is_recent(comb, '0', '0', at - interval '1 ms')
		OR uuid_is_recent(v1, '0', '0', at + interval '1 us') OR uuid_is_recent(v1, '0', '0', at - interval '1 us')) AS another_tick
FROM (SELECT timestamptz '2026-03-04 12:00+00' + us * interval '1 us' AS at FROM generate_series(0, 1999) AS us) AS t,
	gen_uuidv7_at(at) AS v7, gen_uuidv1_at(at) AS v1, gen_comb_at(at) AS comb;

-- comb_is_recent: the same for COMBs
SELECT at,
	comb_is_recent(id, '10 minutes', '0', at) AS past,
	comb_is_recent(id, '0', '3 minutes', at) AS future,
	comb_is_recent(id, '10 minutes', '3 minutes', at) AS both
FROM gen_comb_at('2026-03-04 12:00+00') AS id, unnest(ARRAY[
	'2026-03-04 11:56:59.999999', '2026-03-04 11:57', '2026-03-04 11:59:59.999999', '2026-03-04 12:00',
	'2026-03-04 12:00:00.000001', '2026-03-04 12:10', '2026-03-04 12:10:00.000001',
	'2026-03-04 12:10:00.000999', '2026-03-04 12:10:00.001']::timestamptz[]) AS at;

-- short_comb_is_recent: whether some moment of the window has the id's block
SELECT at,
	short_comb_is_recent(id, '10 minutes', '0', at => at) AS past,
	short_comb_is_recent(id, '0', '3 minutes', at => at) AS future,
	short_comb_is_recent(id, '90 seconds', '90 seconds', at => at) AS ninety_seconds,
	short_comb_is_recent(id, '0', '0', at => at) AS none
FROM gen_short_comb_at('2026-03-04 12:00:30+00') AS id, unnest(ARRAY[
	'2026-03-04 11:56:59.999999', '2026-03-04 11:57', '2026-03-04 11:58:29.999999', '2026-03-04 11:58:30',
	'2026-03-04 11:59:59.999999', '2026-03-04 12:00', '2026-03-04 12:00:59.999999', '2026-03-04 12:01',
	'2026-03-04 12:02:29.999999', '2026-03-04 12:02:30',
	'2026-03-04 12:10:59.999999', '2026-03-04 12:11']::timestamptz[]) AS at;

-- Across the wrap, 45.5 days of minutes: 03:44 is block 0
SELECT made, at, short_comb_is_recent(gen_short_comb_at(made), '10 minutes', '5 minutes', at => at) AS recent
FROM (VALUES
	(timestamptz '2022-03-18 03:43', timestamptz '2022-03-18 03:44'),
	('2022-03-18 03:34', '2022-03-18 03:44'), ('2022-03-18 03:33:59', '2022-03-18 03:44'),
	('2022-03-18 03:44', '2022-03-18 03:54'), ('2022-03-18 03:43:59', '2022-03-18 03:54'),
	('2022-03-18 03:48:59', '2022-03-18 03:43:59'), ('2022-03-18 03:49', '2022-03-18 03:43:59'),
	('2022-03-18 03:44', '2022-03-18 03:39'), ('2022-03-18 03:44', '2022-03-18 03:38:59')) AS v(made, at);

-- Blocks of 15 seconds wrap at 2026-01-04 05:52
SELECT made, short_comb_is_recent(gen_short_comb_at(made, '15 s'), '30 s', '15 s', '15 s', '2026-01-04 05:52:14.999999') AS recent
FROM unnest(ARRAY[
	'2026-01-04 05:51:29.999999', '2026-01-04 05:51:30', '2026-01-04 05:51:59.999999', '2026-01-04 05:52',
	'2026-01-04 05:52:29.999999', '2026-01-04 05:52:30']::timestamptz[]) AS made;

-- What it cannot tell: ids of one wrap before and after carry the same block
SELECT made, short_comb_is_recent(gen_short_comb_at(made), at => '2026-03-04 12:00') AS recent
FROM unnest(ARRAY['2026-01-17 23:44', '2026-03-04 12:00', '2026-04-19 00:16']::timestamptz[]) AS made;

-- Defaults: ten minutes both ways from now()
SELECT offs,
	uuid_is_recent(gen_uuidv7_at(now() + offs)) AS uuid,
	comb_is_recent(gen_comb_at(now() + offs)) AS comb,
	short_comb_is_recent(gen_short_comb_at(now() + offs)) AS short_comb
FROM unnest(ARRAY['-1 hour', '-11 minutes', '-9 minutes', '0', '9 minutes', '11 minutes', '1 hour']::interval[]) AS offs;

-- A short COMB's default follows its interval: ten of them
SELECT length, short_comb_is_recent(gen_short_comb_at(at - 10 * length, length), interval_length => length, at => at) AS ten_ago,
	short_comb_is_recent(gen_short_comb_at(at - 11 * length, length), interval_length => length, at => at) AS eleven_ago,
	short_comb_is_recent(gen_short_comb_at(at + 10 * length, length), NULL, NULL, length, at) AS ten_ahead,
	short_comb_is_recent(gen_short_comb_at(at + 11 * length, length), NULL, NULL, length, at) AS eleven_ahead,
	short_comb_is_recent(gen_short_comb_at(at + 10 * length, length), future => '0', interval_length => length,
		at => at) AS none_ahead
FROM unnest(ARRAY['1 minute', '30 seconds', '15 seconds', '1 ms', '1 day']::interval[]) AS length,
	(VALUES (timestamptz '2026-03-04 12:00:07+00')) AS v(at);

-- Ids without such a time: false. No id, no tolerance or no clock: NULL
SELECT id, uuid_is_recent(id, '10 days', '10 days', '2023-12-01') AS uuid,
	comb_is_recent(id, '10 days', '10 days', '2023-12-01') AS comb,
	short_comb_is_recent(id, '10 days', '10 days', at => '2023-12-01') AS short_comb
FROM unnest(ARRAY[
	'018c22ac-d000-4000-8000-000000000000',
	'018c22ac-d000-7000-8000-000000000000',
	'018c22ac-d000-8000-8000-000000000000',
	'018c22ac-d000-8100-8000-000000000000',
	'018c22ac-d000-3000-8000-000000000000',
	'018c22ac-d000-4000-0000-000000000000',
	'018c22ac-d000-4000-c000-000000000000',
	'00000000-0000-0000-0000-000000000000',
	'ffffffff-ffff-ffff-ffff-ffffffffffff']::uuid[]) AS id;
SELECT string_agg(to_hex(version), '')
	FILTER (
		WHERE short_comb_is_recent(
			format('af80aaaa-bbbb-%sccc-8ddd-eeeeeeeeeeee', to_hex(version))::uuid, at => '2023-12-01'))
		AS versions,
	string_agg(to_hex(version), '')
		FILTER (
			WHERE short_comb_is_recent(
				format('af80aaaa-bbbb-4ccc-%sddd-eeeeeeeeeeee', to_hex(version))::uuid, at => '2023-12-01'))
			AS variants
FROM generate_series(0, 15) AS version;
SELECT uuid_is_recent(NULL) IS NULL AS null_of_no_id, uuid_is_recent(gen_uuidv7(), NULL) IS NULL AS null_of_no_tolerance,
	uuid_is_recent(gen_uuidv7(), at => NULL) IS NULL AS null_at_no_time,
	comb_is_recent(gen_comb(), at => NULL) IS NULL AS null_of_comb,
	short_comb_is_recent(gen_short_comb(), at => NULL) IS NULL AS null_of_short_comb;

-- At both ends of time
SELECT uuid_is_recent(gen_uuidv7_at('1970-01-01'), '3257812 days', '3257812 days', '1970-01-01') AS first,
	uuid_is_recent(gen_uuidv7_at('10889-08-02 05:31:50.655999'), '1 ms', '3257812 days', '10889-08-02 05:31:50.655999') AS last,
	comb_is_recent(gen_comb_at('1970-01-01'), '1 day', '0', '1970-01-01') AS first_comb,
	short_comb_is_recent(gen_short_comb_at('1970-01-01'), '10 minutes', '0', at => '1970-01-01') AS first_short_comb,
	short_comb_is_recent(gen_short_comb_at('10889-08-02 05:31:50.655999'), '0', '10 minutes',
		at => '10889-08-02 05:31:50.655999') AS last_short_comb;

-- The widest window has 65535 blocks: all but one
SELECT count(*) FILTER (WHERE recent) AS accepted, array_agg(block) FILTER (WHERE NOT recent) AS refused,
	short_comb_block(gen_short_comb_at('2026-03-04 12:00')) AS now_block
FROM generate_series(0, 65535) AS block,
	short_comb_is_recent((lpad(to_hex(block), 4, '0') || '0000-0000-4000-8000-000000000000')::uuid,
		'32767 minutes', '32767 minutes', at => '2026-03-04 12:00') AS recent;

-- A window of all 65536 blocks would accept everything
\set id '\'8992aaaa-bbbb-4ccc-9ddd-123456789abc\''
SELECT short_comb_is_recent(:id, '32768 minutes', '32767 minutes', at => '2026-03-04 12:00');
\echo :SQLSTATE
SELECT short_comb_is_recent(:id, '0', '65535 minutes', at => '2026-03-04 12:00');
\echo :SQLSTATE
SELECT short_comb_is_recent(:id, '46 days', '0', at => '2026-03-04 12:00');
\echo :SQLSTATE
SELECT short_comb_is_recent(:id, '12 days', '0', '15 seconds', '2026-03-04 12:00');
\echo :SQLSTATE
SELECT short_comb_is_recent('018c22ac-d000-7000-8000-000000000000', '46 days');
\echo :SQLSTATE
SELECT short_comb_is_recent(:id, '46 days', '46 days', '1 hour', '2026-03-04 12:00') AS longer_intervals;

-- Errors
SELECT uuid_is_recent(:id, '-1 second');
\echo :SQLSTATE
SELECT uuid_is_recent(:id, '-2000000000 days');
\echo :SQLSTATE
SELECT uuid_is_recent(:id, '1 second', '-1 second');
\echo :SQLSTATE
SELECT comb_is_recent(:id, '1 month');
\echo :SQLSTATE
SELECT comb_is_recent(:id, '0', '1 month -30 days');
\echo :SQLSTATE
SELECT short_comb_is_recent(:id, '-1 second');
\echo :SQLSTATE
SELECT short_comb_is_recent(:id, interval_length => '0');
\echo :SQLSTATE
SELECT short_comb_is_recent(:id, interval_length => '1 month');
\echo :SQLSTATE
SELECT uuid_is_recent(:id, '3257813 days');
\echo :SQLSTATE
SELECT uuid_is_recent(:id, '2000000000 days');
\echo :SQLSTATE
SELECT uuid_is_recent(:id, at => 'infinity');
\echo :SQLSTATE
SELECT comb_is_recent(:id, at => '-infinity');
\echo :SQLSTATE
SELECT short_comb_is_recent(:id, at => '1969-12-31 23:59:59.999999');
\echo :SQLSTATE
SELECT short_comb_is_recent(:id, at => '10889-08-02 05:31:50.656');
\echo :SQLSTATE

-- Enforcement by a BEFORE INSERT trigger.  A batch job submits the clock by
-- which it made its ids in the setting app.clock; without one the server's
-- counts.  "IS NOT TRUE", so that nothing unknown passes.
CREATE TABLE bookings (id uuid PRIMARY KEY DEFAULT gen_short_comb(), note text);

CREATE FUNCTION submitted_clock() RETURNS timestamptz LANGUAGE sql
	RETURN coalesce(nullif(current_setting('app.clock', true), '')::timestamptz, clock_timestamp());

CREATE FUNCTION refuse_old_id() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF short_comb_is_recent(NEW.id, at => submitted_clock()) IS NOT TRUE THEN
		RAISE EXCEPTION 'id is not a recent short COMB' USING ERRCODE = 'check_violation';
	END IF;
	RETURN NEW;
END
$$;
CREATE TRIGGER refuse_old_id BEFORE INSERT ON bookings FOR EACH ROW EXECUTE FUNCTION refuse_old_id();

INSERT INTO bookings (note) VALUES ('the server''s own');
INSERT INTO bookings VALUES (gen_short_comb_at(now() - interval '5 minutes'), 'a client''s, five minutes old');
INSERT INTO bookings VALUES (gen_short_comb_at(now() + interval '5 minutes'), 'of a client whose clock is fast');
INSERT INTO bookings VALUES (gen_short_comb_at(now() - interval '30 minutes'), 'too old');
\echo :SQLSTATE
INSERT INTO bookings VALUES (gen_short_comb_at(now() + interval '30 minutes'), 'too early');
\echo :SQLSTATE
INSERT INTO bookings VALUES (overlay(gen_short_comb()::text PLACING '7' FROM 15)::uuid, 'no version 4');
\echo :SQLSTATE
INSERT INTO bookings SELECT gen_short_comb_at(now() - past), 'one bad id spoils the statement'
	FROM unnest(ARRAY['0', '1 hour']::interval[]) AS past;
\echo :SQLSTATE

-- Yesterday's batch
BEGIN;
SET LOCAL app.clock = '2022-03-18 03:44:00+00';
INSERT INTO bookings SELECT gen_short_comb_at(at), 'of the batch'
	FROM generate_series(timestamptz '2022-03-18 03:34', '2022-03-18 03:54', '1 minute') AS at;
SAVEPOINT refused;
INSERT INTO bookings VALUES (gen_short_comb_at('2022-03-18 03:55'), 'not of the batch');
ROLLBACK TO refused;
COMMIT;

-- The setting ended with its transaction, and old rows live on
INSERT INTO bookings (note) VALUES ('the server''s own');
UPDATE bookings SET note = note || ', updated' WHERE note = 'of the batch';
SELECT note, count(*) AS bookings FROM bookings GROUP BY note ORDER BY note;
DROP TABLE bookings;
DROP FUNCTION refuse_old_id;

-- The same by row-level security, where the role decides who may submit a clock
CREATE ROLE regress_uidext_client;
CREATE ROLE regress_uidext_batch;
CREATE TABLE bookings (id uuid PRIMARY KEY DEFAULT gen_comb(), note text);
ALTER TABLE bookings ENABLE ROW LEVEL SECURITY;
GRANT SELECT, INSERT, UPDATE ON bookings TO regress_uidext_client, regress_uidext_batch;
CREATE POLICY readable ON bookings FOR SELECT USING (true);
CREATE POLICY updatable ON bookings FOR UPDATE USING (true);
CREATE POLICY recent ON bookings FOR INSERT TO regress_uidext_client
	WITH CHECK (comb_is_recent(id, at => clock_timestamp()));
CREATE POLICY recent_by_submitted_clock ON bookings FOR INSERT TO regress_uidext_batch
	WITH CHECK (comb_is_recent(id, at => submitted_clock()));

SET ROLE regress_uidext_client;
INSERT INTO bookings (note) VALUES ('the server''s own');
INSERT INTO bookings VALUES (gen_comb_at(now() - interval '9 minutes'), 'a client''s, nine minutes old');
INSERT INTO bookings VALUES (gen_comb_at(now() - interval '11 minutes'), 'too old');
\echo :SQLSTATE
INSERT INTO bookings VALUES (gen_comb_at(now() + interval '11 minutes'), 'too early');
\echo :SQLSTATE
INSERT INTO bookings VALUES (gen_uuidv7(), 'no version 4');
\echo :SQLSTATE
SET app.clock = '2026-03-04 12:00+00';
INSERT INTO bookings VALUES (gen_comb_at('2026-03-04 12:00+00'), 'a clock that a client may not submit');
\echo :SQLSTATE

SET ROLE regress_uidext_batch;
INSERT INTO bookings VALUES (gen_comb_at('2026-03-04 12:00+00'), 'of the batch');
INSERT INTO bookings VALUES (gen_comb_at('2026-03-04 12:10:00.001+00'), 'not of the batch');
\echo :SQLSTATE
RESET app.clock;
INSERT INTO bookings VALUES (gen_comb_at('2026-03-04 12:00+00'), 'late');
\echo :SQLSTATE
UPDATE bookings SET note = note || ', updated' WHERE note = 'of the batch';
RESET ROLE;
SELECT note FROM bookings ORDER BY note;
DROP TABLE bookings;
DROP ROLE regress_uidext_client, regress_uidext_batch;

-- Not by a CHECK constraint: it judges old rows by the new clock
CREATE TABLE bookings (id uuid PRIMARY KEY, note text, CONSTRAINT recent CHECK (uuid_is_recent(id, at => submitted_clock())));
SET app.clock = '2023-12-01 00:05+00';
INSERT INTO bookings VALUES ('018c22ac-d000-7000-8000-000000000000', 'made at midnight');
SET app.clock = '2023-12-02 00:05+00';
UPDATE bookings SET note = 'a day later';
\echo :SQLSTATE
RESET app.clock;
DROP TABLE bookings;
DROP FUNCTION submitted_clock;
