-- How long a call waits for a lock, and for all locks, by the settings of the session.

BEGIN;
\ir include/settings.sql
SELECT plan(20);

SET LOCAL deadlock_timeout = '1s';
SELECT is(uidext_internal.partition_patience(), '100 ms', 'one lock is waited for a tenth of deadlock_timeout');
SET LOCAL deadlock_timeout = '300ms';
SELECT is(uidext_internal.partition_patience(), '30 ms', 'so it is where that is less');
SET LOCAL deadlock_timeout = '2min';
SELECT is(uidext_internal.partition_patience(), '100 ms', 'and for 100 ms where that is more');
SET LOCAL deadlock_timeout = '5ms';
SELECT is(uidext_internal.partition_patience(), '1 ms', 'at least for a millisecond, as 0 would be for ever');

-- Minutes are counted, so that a slow machine does not matter.
CREATE FUNCTION pg_temp.minutes_left(share float8) RETURNS float8 LANGUAGE sql VOLATILE AS $$
SELECT extract(epoch FROM uidext_internal.partition_deadline(share) - clock_timestamp()) / 60
$$;
SET LOCAL statement_timeout = 0;
SET LOCAL lock_timeout = '600min';
SELECT is(ceil(pg_temp.minutes_left(1) / 10), 60::float8, 'all locks are waited for as long as lock_timeout says');
SELECT is(ceil(pg_temp.minutes_left(0.5) / 10), 30::float8, 'the half of it is half of it');
SET LOCAL statement_timeout = '100min';
SELECT is(ceil(pg_temp.minutes_left(1) / 10), 5::float8, 'or for half of statement_timeout');
SELECT is(ceil(pg_temp.minutes_left(0.5) / 5), 5::float8, 'the half of this is a quarter of that');
-- A drain is one statement, and each of its periods has a deadline of its own.
CREATE FUNCTION pg_temp.deadline_after(seconds float8) RETURNS interval LANGUAGE plpgsql AS $$
BEGIN
	PERFORM pg_sleep(seconds);
	RETURN uidext_internal.partition_deadline() - statement_timestamp();
END $$;
SELECT cmp_ok(pg_temp.deadline_after(0.2), '>=', '50 min 0.1 s'::interval, 'later in the statement it is half of what is left');
SET LOCAL lock_timeout = '20min';
SELECT is(ceil(pg_temp.minutes_left(1) / 10), 2::float8, 'whichever ends first');
SET LOCAL lock_timeout = 0;
SELECT cmp_ok(pg_temp.minutes_left(1) * 60, '<=', 10::float8, 'without lock_timeout no more than ten seconds');
SET LOCAL statement_timeout = 0;
SELECT cmp_ok(pg_temp.minutes_left(1) * 60, '>', 0::float8, 'and without both no less than some');

SELECT is(string_agg(code, ' ' ORDER BY code) FILTER (WHERE uidext_internal.partition_concerns_one_group(code)),
	'22023 23514 42501 55000 P0001',
	'errors of one partition do not keep others from being made')
FROM unnest('{22023, 23514, 42501, 55000, P0001, 53200, 57014, 58030, XX000, 55P03, 40P01}'::text[]) code;

-- Where there are too few locks for all drops, one call drops the first half.
CREATE FUNCTION pg_temp.taken(tables int[], times int) RETURNS text LANGUAGE plpgsql AS $$
-- What becomes of drops of so many tables each after so many times without room.
DECLARE
	steps uidext_internal.partition_step[] := ARRAY(
		SELECT jsonb_populate_record(NULL::uidext_internal.partition_step,
			jsonb_build_object(
				'group_number', n, 'action', 'drop', 'tables', tables[n])) FROM generate_subscripts(tables, 1) n
			ORDER BY n);
BEGIN
	FOR n IN 1 .. times LOOP
		steps := uidext_internal.partition_take_fewer(
			steps, '53200: out of shared memory', 'You might need to increase max_locks_per_transaction.');
	END LOOP;
	RETURN (SELECT string_agg(concat_ws(' ', s.action, left(s.problem, 5)), ', ' ORDER BY s.group_number) FROM unnest(steps) s);
END $$;
SELECT is(pg_temp.taken('{1,1}', 1), 'drop, leave', 'of two drops that need as many locks each the first is left in the call');
SELECT is(pg_temp.taken('{5,2,1}', 1), 'drop, leave, leave',
	'one with more than half of the tables stays in the call where it is the first');
SELECT is(pg_temp.taken('{1,1,5,1}', 1), 'drop, drop, leave, leave', 'and is left for the next call where it is not');
SELECT is(pg_temp.taken('{5,2,5,1}', 2), 'drop 53200, drop, leave, drop',
	'one that has no room alone is reported, and smaller ones come back');
SELECT is(pg_temp.taken('{1,1}', 2), 'drop 53200, leave', 'but none that needs as many locks');

-- A lack of memory is none of room for locks.
CREATE FUNCTION pg_temp.hint_for(hint text) RETURNS text LANGUAGE sql AS $$
SELECT s.hint FROM unnest(uidext_internal.partition_take_fewer(
	ARRAY[
		jsonb_populate_record(
			NULL::uidext_internal.partition_step, '{"group_number": 1, "action": "drop", "tables": 1}')],
	'53200', hint)) s
$$;
SELECT is(pg_temp.hint_for('You might need to increase max_locks_per_transaction.'),
	'Increase max_locks_per_transaction and restart the server.',
	'where locks have no room, the hint names the setting');
SELECT is(pg_temp.hint_for(''), 'The server lacks memory. See its log, and call again when it has some.',
	'and not where memory is lacking');

SELECT * FROM finish();
ROLLBACK;
