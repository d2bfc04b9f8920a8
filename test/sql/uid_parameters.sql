-- Schemes with parameters: which layouts do they describe, and which are refused?
\getenv test PG_ABS_SRCDIR
\i :test/include/preamble.sql
\i :test/include/error_of.sql

-- An epoch alone, and named
SELECT uid_time(175928847299117063, 'snowflake:1420070400000') AS epoch_alone,
	uid_time('175928847299117063', 'snowflake:epoch=1420070400000') AS epoch_named,
	uid_time(9223372036854775807, 'snowflake:0') AS from_1970, uid_time(0, 'snowflake:279275953455103') AS last_epoch;
-- ticks and fields
SELECT uid_time((123456::bigint << 24) + 5,
	'sonyflake2:epoch=1735689600000,tick=1,sequence=12,machine=12') AS ticks_of_a_millisecond,
	uid_time((123456::bigint << 26) + 5,
		'snowflake:epoch=1577836800000,tick=1000,region=6,shard=4,sequence=16') AS ticks_of_a_second;
SELECT uid_time(1, 'snowflake:epoch=0,node=62') AS widest_field,
	uid_time(1, 'snowflake:epoch=0,node=1,sequence=21') AS narrowest_field,
	uid_time(1, 'snowflake:no=10,node=12') AS one_name_begins_another;
-- an id comes back, and the boundary of a moment has its time
SELECT scheme, uid_from_uuid(uid_to_uuid(123456789012345678, scheme), scheme) AS comes_back,
	uid_boundary('2026-01-01', scheme) AS boundary, uid_time(uid_boundary('2026-01-01', scheme), scheme) AS time_of_boundary
FROM unnest(
	'{"snowflake:1577836800000", "snowflake:epoch=1577836800000,node=8,sequence=14",
		"snowflake:epoch=1577836800000,tick=10,node=20",
		"discord:epoch=1577836800000,a=5,b=5,c=5,d=3,e=2,f=4"}'::text[])
	AS scheme;
-- the name is looked up again where it is another one
SELECT scheme, uid_time(175928847299117063, scheme) AS "time"
FROM unnest('{snowflake,discord,snowflake:0,discord}'::text[]) AS scheme;

-- Parameters that are none: their DETAIL, where the message is "invalid parameters of id
-- scheme".  2^42 seconds are too many, 2^38 are not.
SELECT scheme,
	replace(error_of(format('SELECT uid_time(1, %L)', scheme)),
		format(E'22023 invalid parameters of id scheme "%s"\n  DETAIL: ', scheme), '') AS refused_because
FROM unnest('{
	snowflake:,
	snowflake:-1,
	snowflake:281474976710656,
	"snowflake:1420070400000,node=10",
	"snowflake:node=10,sequence=12,",
	"snowflake:node=10,sequence=12x",
	snowflake:node,
	snowflake:node=,
	snowflake:node=x,
	snowflake:Node=10,
	snowflake:node.x=10,
	snowflake:node-x=10,
	snowflake:abcdefghijklmnopqrstuvwx=22,
	snowflake:a_very_long_name_of_a_field=22,
	"snowflake:node=0,sequence=22",
	snowflake:node=63,
	"snowflake:node=32,sequence=32",
	"snowflake:node=1,sequence=2",
	snowflake:tick=0,
	snowflake:tick=86400001,
	"snowflake:tick=1000,node=21",
	"snowflake:tick=1000,node=25",
	"snowflake:a=4,b=4,c=4,d=4,e=4,f=4,g=4",
	"snowflake:node=10,node=12",
	"snowflake:epoch=0,node=10,epoch=1",
	"snowflake:node=10,time=12"}'::text[]) AS scheme;
SELECT command, regexp_replace(error_of(command), 's{255,}', '...') AS error
FROM unnest(ARRAY[
	$$SELECT uid_time(9223372036854775807, 'flakeid:281474976710655')$$,
	$$SELECT uid_time('0ujtsYcgvSTl8PAuAdqWYSMnLOv', 'ksuid:1400000000')$$,
	$$SELECT uid_time(1, repeat('s', 255))$$,
	$$SELECT uid_time(1, repeat('s', 256))$$]) AS command :unaligned

-- Names of no scheme
SELECT scheme, error_of(format('SELECT uid_time(1, %L)', scheme)) AS error
FROM unnest('{snowflakes,"",Snowflake}'::text[]) AS scheme :unaligned
DROP FUNCTION error_of;
