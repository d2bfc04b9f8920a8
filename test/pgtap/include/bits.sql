-- pg_temp.bits_are(generator, layout, ids)
--
-- In so many ids that the expression "generator" makes, none repeats, every
-- fixed bit has its value, and every free bit is set in half of them, within 6
-- sigma (which fair coins miss once in 500 million bits).
--
-- The layout is the text of a uuid in which stand
--   x  for four free bits,
--   v  for the variant: 10 and two free bits,
--   m  for three free bits and a 1, the multicast bit of a node,
--   .  for four bits of which nothing is said.
--
-- Where a tail is stepped within a tick, only the ids of an _at function are
-- independent draws.
--
-- So many draws notice, in half of all runs, a bit that is set by 3 / sqrt(draws) more or less
-- often than half of the time: of 5,000 by 4 %.  One that is stuck, or the AND of two, is off by
-- 25 % or more; finer faults of the generators' C are test/unit/distribution.c's.

-- UIDEXT_LONG=1 draws forty times as many.
\set draws 5000
\getenv long UIDEXT_LONG
\if :{?long}
	\set draws 200000
\endif
CREATE FUNCTION pg_temp.bits_are(generator text, layout text, ids int DEFAULT :draws) RETURNS SETOF text
LANGUAGE plpgsql AS $$
DECLARE
	pattern text;
	sums text;
	different int;
	ones int[];
BEGIN
	SELECT string_agg(CASE digit
			WHEN 'x' THEN 'xxxx' WHEN 'v' THEN '10xx' WHEN 'm' THEN 'xxx1' WHEN '.' THEN '....'
			ELSE ('x' || digit)::bit(4)::text END, '' ORDER BY n)
		INTO STRICT pattern
		FROM string_to_table(replace(layout, '-', ''), NULL) WITH ORDINALITY AS digits(digit, n);

	-- get_bit() counts from the right of each byte
	SELECT string_agg(format('sum(get_bit(bytes, %s))', bit / 8 * 8 + 7 - bit % 8), ', ' ORDER BY bit)
		INTO STRICT sums
		FROM generate_series(0, 127) AS bit;

	EXECUTE format('SELECT count(DISTINCT id), ARRAY[%s] FROM (
				SELECT id, uuid_send(id) AS bytes FROM (SELECT %s AS id FROM generate_series(1, %s)) AS made OFFSET 0) AS ids',
			sums, generator, ids)
		INTO STRICT different, ones;

	RETURN NEXT is(different, ids, generator || ': no id repeats');
	RETURN NEXT is(
		(SELECT string_agg(format('bit %s (%s): %s', bit, expected, set), E'\n' ORDER BY bit)
			FROM (SELECT bit, substr(pattern, bit + 1, 1) AS expected, ones[bit + 1] AS set FROM generate_series(0, 127) AS bit) AS bits
			WHERE NOT CASE expected
				WHEN '0' THEN set = 0
				WHEN '1' THEN set = ids
				WHEN 'x' THEN abs(set - ids / 2) <= 6 * sqrt(ids) / 2
				ELSE true END),
		NULL,
		generator || ': fixed bits are fixed, free bits are fair');
END
$$;
