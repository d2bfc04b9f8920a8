-- UUIDv7: what do generators and the check of an id answer, and what do they refuse?
\getenv test PG_ABS_SRCDIR
\i :test/include/preamble.sql

-- The time goes into the first 60 bits around the version, the fraction of the
-- millisecond in steps of 1/4096; the variant follows.
SELECT at, left(gen_uuidv7_at(at)::text, 18) AS id, gen_uuidv7_at(at)::text ~ '^.{19}[89ab]' AS variant
FROM (VALUES
	('1970-01-01 00:00:00+00'::timestamptz),
	('2022-02-22 14:22:22-05'),
	('2026-01-01 00:00:00+00'),
	('2026-01-01 00:00:00.000001+00'),
	('2026-01-01 00:00:00.0005+00'),
	('2026-01-01 00:00:00.000999+00'),
	('2026-01-01 00:00:00.001+00'),
	('10889-08-02 05:31:50.655999+00')) AS v(at)
ORDER BY at;

-- No two are the same, and those of a session increase.
SELECT count(*) AS ids, count(DISTINCT id) AS different_ids,
	bool_and(left(id::text, 18) >= left(previous::text, 18)) AS increasing
FROM (SELECT id, lag(id) OVER (ORDER BY n) AS previous
	FROM (SELECT n, gen_uuidv7() AS id FROM generate_series(1, 1000) AS n) AS ids) AS pairs;

SELECT count(DISTINCT gen_uuidv7_at('2026-01-01+00')) AS different FROM generate_series(1, 1000);

-- The time is that of the clock, plus the shift if there is one.
SELECT uuid_is_recent(gen_uuidv7(), '1 hour', '1 hour') AS current,
	uuid_is_recent(gen_uuidv7('-1 day'), '1 hour', '1 hour', now() - interval '24 hours') AS yesterday,
	uuid_is_recent(gen_uuidv7('1 month'), '2 days', '2 days', now() + interval '1 month') AS next_month;

-- As a default.
CREATE TABLE orders (id uuid PRIMARY KEY DEFAULT gen_uuidv7(), item text);
INSERT INTO orders (item) VALUES ('first');
INSERT INTO orders (item) VALUES ('second');
INSERT INTO orders (item) VALUES ('third');
SELECT item FROM orders ORDER BY id;

-- NULL in, NULL out.
SELECT gen_uuidv7(NULL) IS NULL AS shift, gen_uuidv7_at(NULL) IS NULL AS at;

-- Times that do not fit.
SELECT gen_uuidv7_at('1969-12-31 23:59:59.999999+00');
SELECT gen_uuidv7_at('10889-08-02 05:31:50.656+00');
SELECT gen_uuidv7_at('4713-01-01 BC');
SELECT gen_uuidv7_at('infinity');
SELECT gen_uuidv7_at('-infinity');
SELECT gen_uuidv7('-1000 years');
SELECT gen_uuidv7('10000 years');
SELECT gen_uuidv7('1000000 years');
SELECT uuidv7_is_valid(gen_uuidv7()) AS "still works";

-- A column that must hold UUIDv7 says so in a CHECK.
SELECT id, uuidv7_is_valid(id)
FROM (VALUES
	('017f22e2-79b0-7cc3-98c4-dc0c0c07398f'::uuid),
	('017f22e2-79b0-7cc3-18c4-dc0c0c07398f'),
	('017f22e2-79b0-7cc3-58c4-dc0c0c07398f'),
	('017f22e2-79b0-7cc3-d8c4-dc0c0c07398f'),
	('017f22e2-79b0-8cc3-98c4-dc0c0c07398f'),
	('919108f7-52d1-4320-9bac-f847db4148a8'),
	('00000000-0000-0000-0000-000000000000'),
	('ffffffff-ffff-ffff-ffff-ffffffffffff'),
	(NULL)) AS v(id);

CREATE TABLE strict_orders (id uuid PRIMARY KEY DEFAULT gen_uuidv7() CHECK (uuidv7_is_valid(id)),
	ref uuid CHECK (uuidv7_is_valid(ref)));
INSERT INTO strict_orders VALUES (DEFAULT, NULL), ('017f22e2-79b0-7cc3-98c4-dc0c0c07398f', NULL);
INSERT INTO strict_orders VALUES ('919108f7-52d1-4320-9bac-f847db4148a8');
INSERT INTO strict_orders VALUES ('00000000-0000-0000-0000-000000000000');
\set VERBOSITY terse
UPDATE strict_orders SET ref = uuid_boundary('2026-01-01+00');
\set VERBOSITY default
SELECT count(*) AS orders FROM strict_orders;

DROP TABLE orders, strict_orders;
