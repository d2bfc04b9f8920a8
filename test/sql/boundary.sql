-- Boundary values: UUIDs that stand for moments.
\getenv test PG_ABS_SRCDIR
\i :test/include/preamble.sql

SELECT at, uuid_boundary(at), iuid_boundary(at)
FROM (VALUES
	('-infinity'::timestamptz),
	('1970-01-01 00:00:00+00'),
	('1970-01-01 00:00:00.000999+00'),
	('1970-01-01 00:00:00.001+00'),
	('2023-06-01 00:00:00+00'),
	('2023-12-01 00:00:00+00'),
	('2023-11-30 19:00:00-05'),
	('2026-01-01 00:00:00.000999+00'),
	('10889-08-02 05:31:50.655999+00'),
	('infinity'),
	(NULL)) AS v(at);

-- Back: the first 48 bits, whatever the version.
SELECT id, uuid_boundary_time(id)
FROM (VALUES
	('00000000-0000-0000-0000-000000000000'::uuid),
	('01887441-0c00-0000-0000-000000000000'),
	('017f22e2-79b0-7cc3-98c4-dc0c0c07398f'),
	('919108f7-52d1-4320-9bac-f847db4148a8'),
	('ffffffff-ffff-ffff-ffff-ffffffffffff'),
	(NULL)) AS v(id);

-- Below every id of its millisecond and above every earlier one.
SELECT id, id >= uuid_boundary('2023-12-01 00:00:00+00') AS ge, id >= uuid_boundary('2023-12-01 00:00:00.001+00') AS ge_next
FROM (VALUES
	('018c22ac-cfff-ffff-ffff-ffffffffffff'::uuid),
	('018c22ac-d000-0000-0000-000000000000'),
	('018c22ac-d000-4000-8000-000000000000'),
	('018c22ac-d000-7000-8000-000000000000'),
	('018c22ac-d000-8037-a940-000000000000'),
	('018c22ac-d000-8fff-bfff-ffffffffffff'),
	('018c22ac-d001-4000-8000-000000000000')) AS v(id);

-- iuid_boundary() is the same value as an iuid.
SELECT pg_typeof(iuid_boundary('2023-12-01')), iuid_boundary('2023-12-01')::uuid = uuid_boundary('2023-12-01') AS same,
	uuid_boundary('2023-12-01')::iuid AS checked, uuid_boundary_time(iuid_boundary('2023-12-01')) AS back;

-- Immutable: TimeZone does not matter to a timestamptz.
SET timezone = 'Asia/Kolkata';
SELECT uuid_boundary('2023-12-01 00:00:00+00'), uuid_boundary_time('018c22ac-d000-0000-0000-000000000000');
SET timezone = 'UTC';

-- Times that do not fit.
SELECT uuid_boundary('1969-12-31 23:59:59.999999+00');
SELECT uuid_boundary('10889-08-02 05:31:50.656+00');
SELECT iuid_boundary('1969-12-31 23:59:59.999999+00');
SELECT iuid_boundary('10889-08-02 05:31:50.656+00');
