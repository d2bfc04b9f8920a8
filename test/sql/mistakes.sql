-- What doc/troubleshooting.md says that people type, and what they want
\getenv test PG_ABS_SRCDIR
\i :test/include/preamble.sql
\i :test/include/error_of.sql
CREATE TABLE clicks (id uuid PRIMARY KEY DEFAULT gen_uuidv7()) PARTITION BY RANGE (id);
SELECT command || E'\n  ' || split_part(error_of(command), E'\n', 1) FROM unnest(ARRAY[
	$$SELECT id::timestamp FROM clicks$$,
	$$SELECT id::date FROM clicks$$,
	$$SELECT date_trunc('day', id) FROM clicks$$,
	$$SELECT to_timestamp(id) FROM clicks$$,
	$$SELECT extract(epoch FROM id) FROM clicks$$,
	$$SELECT now() - id FROM clicks$$,
	$$SELECT * FROM clicks WHERE id >= '2026-01-01'$$,
	$$SELECT * FROM clicks WHERE id BETWEEN '2026-01-01' AND '2026-02-01'$$,
	$$SELECT * FROM clicks WHERE id <@ '[2026-01-01,2026-02-01)'$$,
	$$PREPARE of_period AS SELECT * FROM clicks WHERE id <@ $1$$,
	$$SELECT * FROM clicks WHERE id <@ tsrange('2026-01-01', '2026-02-01')$$,
	$$SELECT * FROM clicks WHERE id = timestamptz '2026-01-01'$$,
	$$CREATE TABLE clicks_2026 PARTITION OF clicks FOR VALUES FROM (timestamptz '2026-01-01') TO (timestamptz '2027-01-01')$$,
	$$SELECT gen_iuid('76', '1')$$,
	$$SELECT date_trunc('day', id::timestamptz, 'UTC'), (id::timestamptz AT TIME ZONE 'UTC')::date, $$
		|| $$now() - id::timestamptz FROM clicks$$,
	$$SELECT extract(epoch FROM id::timestamptz) FROM clicks $$
		|| $$WHERE id >= timestamptz '2026-01-01' AND id < timestamptz '2026-01-02'$$,
	$$SELECT uuid_time(min(id)) FROM clicks WHERE id <@ tstzrange '[2026-01-01,2026-02-01)'$$,
	$$PREPARE of_period AS SELECT * FROM clicks WHERE id <@ $1::tstzrange AND id <@ $2::tstzmultirange$$,
	$$CREATE TABLE clicks_2026 PARTITION OF clicks FOR VALUES FROM (uuid_boundary('2026-01-01')) TO (uuid_boundary('2027-01-01'))$$
]) AS command :unaligned
DROP TABLE clicks;
DROP FUNCTION error_of;
