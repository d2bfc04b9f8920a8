-- ULID. In the SQL edition, the ids of a session are in order to the microsecond of the clock.

-- [c]
CREATE TYPE ulid;

-- [sql]
CREATE FUNCTION uidext_internal.is_ulid(digits text) RETURNS bool
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN octet_length(digits) = 26 AND digits COLLATE "C" < '8' AND digits COLLATE "C" !~ '[^0-9A-HJKMNP-TV-Z]';
COMMENT ON FUNCTION uidext_internal.is_ulid(text) IS
	'whether a text is what the type ulid prints';

CREATE FUNCTION uidext_internal.ulid_fault(digits text) RETURNS text
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN CASE
		WHEN length(digits) <> 26 THEN 'A ULID has 26 characters, not ' || length(digits)::text || '.'
		WHEN digits COLLATE "C" ~ '[^0-9A-HJKMNP-TV-Z]'
			THEN 'Character ' || (length(substring(digits COLLATE "C" FROM '^[0-9A-HJKMNP-TV-Z]*')) + 1)::text || ' is not a digit of Crockford''s base 32.'
		ELSE 'A ULID begins with a digit from 0 to 7, because it has 128 bits.'
	END;
COMMENT ON FUNCTION uidext_internal.ulid_fault(text) IS
	'what is wrong with a text that is not a ULID';

-- The text that the type of the C edition prints. It sorts as the bytes do.
CREATE DOMAIN ulid AS text COLLATE "C" CHECK (uidext_internal.is_ulid(VALUE));

-- [c]
CREATE FUNCTION uidext_internal.ulid_in(cstring) RETURNS ulid
	AS 'MODULE_PATHNAME', 'uidext_ulid_in'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uidext_internal.ulid_in(cstring) IS
	'input of type ulid; raises 22P02 for text that is not a ULID';

CREATE FUNCTION uidext_internal.ulid_out(ulid) RETURNS cstring
	AS 'MODULE_PATHNAME', 'uidext_ulid_out'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION uidext_internal.ulid_out(ulid) IS 'output of type ulid: 26 digits in upper case';

CREATE FUNCTION uidext_internal.ulid_recv(internal) RETURNS ulid
	AS 'MODULE_PATHNAME', 'uidext_as_uuid_recv'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uidext_internal.ulid_recv(internal) IS 'binary input of type ulid: 16 bytes';

CREATE FUNCTION uidext_internal.ulid_send(ulid) RETURNS bytea
	AS 'MODULE_PATHNAME', 'uidext_as_uuid_send'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION uidext_internal.ulid_send(ulid) IS 'binary output of type ulid: 16 bytes';

CREATE TYPE ulid (
	INPUT = uidext_internal.ulid_in, OUTPUT = uidext_internal.ulid_out,
	RECEIVE = uidext_internal.ulid_recv, SEND = uidext_internal.ulid_send,
	LIKE = uuid, CATEGORY = 'U'
);
-- [both]
COMMENT ON TYPE ulid IS
	'ULID: the bits of a uuid, written in 26 digits of Crockford''s base 32';

-- [sql]
-- The first 58 bits of a ULID are its time.  The other 70 are random bits of a UUIDv4, without its version and variant.
CREATE FUNCTION uidext_internal.ulid_text(ticks bigint, random bytea, middle bigint) RETURNS ulid
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN uidext_internal.base32_text(ticks, middle, (get_byte(random, 0) << 8 | get_byte(random, 1))::bigint)::ulid;
COMMENT ON FUNCTION uidext_internal.ulid_text(bigint, bytea, bigint) IS
	'a ULID of 58 bits of time, 60 bits in the middle and 10 of the first two random bytes';

-- The clock's reading and the random bytes are arguments: a VOLATILE function in PL/pgSQL would not
-- run in a parallel plan.
CREATE FUNCTION uidext_internal.ulid_of_ticks(ticks bigint, random bytea) RETURNS ulid
	LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
AS $$
DECLARE
	middle bigint := uidext_internal.bytes_half(random, 9);
BEGIN
	RETURN uidext_internal.ulid_text(ticks, random, middle);
END
$$;
COMMENT ON FUNCTION uidext_internal.ulid_of_ticks(bigint, bytea) IS
	'ULID of a time in 1/1024 ms since 1970, with 70 of the random bits';

-- [c]
-- Generators and readers

CREATE FUNCTION gen_ulid() RETURNS ulid
	AS 'MODULE_PATHNAME', 'uidext_gen_ulid'
	LANGUAGE C VOLATILE PARALLEL RESTRICTED
	SUPPORT uidext_internal.generator_support;

-- [sql]
CREATE FUNCTION gen_ulid() RETURNS ulid
	LANGUAGE sql VOLATILE PARALLEL RESTRICTED
	RETURN uidext_internal.ulid_of_ticks(uidext_internal.clock_us() * 128::bigint / 125::bigint, uidext_internal.random_bytes());
-- [c]
COMMENT ON FUNCTION gen_ulid() IS
	'new ULID: Unix milliseconds, 12 bits of their fraction, 68 random bits; greater than every earlier one of the session';
-- [sql]
COMMENT ON FUNCTION gen_ulid() IS
	'new ULID: Unix milliseconds, 10 bits of their fraction, 70 random bits; in order within a session, to the '
	'microsecond';

-- [c]
CREATE FUNCTION gen_ulid_at(at timestamptz) RETURNS ulid
	AS 'MODULE_PATHNAME', 'uidext_gen_ulid_at'
	LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED
	SUPPORT uidext_internal.generator_support;

-- [sql]
CREATE FUNCTION gen_ulid_at(at timestamptz) RETURNS ulid
	LANGUAGE sql VOLATILE PARALLEL RESTRICTED
	RETURN uidext_internal.ulid_of_ticks((uidext_internal.timestamptz_to_unix_us(at) / 1000::bigint << 10)
		+ uidext_internal.timestamptz_to_unix_us(at) % 1000::bigint * 128::bigint / 125::bigint, uidext_internal.random_bytes());
-- [both]
COMMENT ON FUNCTION gen_ulid_at(timestamptz) IS
	'new ULID of the given time (microseconds count); no order within a microsecond; raises 22008 for times outside 1970-01-01 to 10889-08-02';

-- [c]
CREATE FUNCTION ulid_time(id ulid) RETURNS timestamptz
	AS 'MODULE_PATHNAME', 'uidext_uuid_boundary_time'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;

-- [sql]
CREATE FUNCTION ulid_time(id ulid) RETURNS timestamptz
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN uidext_internal.unix_ms_to_timestamptz(uidext_internal.base32_bits(decode(id, 'escape'), 0) >> 10);
-- [both]
COMMENT ON FUNCTION ulid_time(ulid) IS 'creation time of a ULID, in milliseconds';

-- [c]
CREATE FUNCTION ulid_boundary(at timestamptz) RETURNS ulid
	AS 'MODULE_PATHNAME', 'uidext_uuid_boundary'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

-- [sql]
CREATE FUNCTION ulid_boundary(at timestamptz) RETURNS ulid
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN uidext_internal.base32_encode(uuid_boundary(at))::ulid;
-- [both]
COMMENT ON FUNCTION ulid_boundary(timestamptz) IS
	'the least ULID of a millisecond, for partition bounds; the least and the greatest of all for infinities; raises 22008 for other times outside 1970-01-01 to 10889-08-02';

-- [c]
-- Casts
--
-- A ulid is accepted where a uuid is needed, and a uuid where a ulid is needed. A column of either
-- type can therefore refer to a key of the other (otherwise FOREIGN KEY raises "incompatible
-- types"), and tables can change from one type to the other one by one. Functions that depend on
-- the version of a uuid have an overload for ulid, below.

CREATE CAST (uuid AS ulid) WITHOUT FUNCTION AS IMPLICIT;
COMMENT ON CAST (uuid AS ulid) IS 'the same 128 bits';

CREATE CAST (ulid AS uuid) WITHOUT FUNCTION AS IMPLICIT;
COMMENT ON CAST (ulid AS uuid) IS 'the same 128 bits';

CREATE CAST (ulid AS bytea) WITH FUNCTION uidext_internal.ulid_send(ulid);
COMMENT ON CAST (ulid AS bytea) IS 'the 16 bytes';

CREATE CAST (ulid AS timestamptz) WITH FUNCTION ulid_time(ulid);
COMMENT ON CAST (ulid AS timestamptz) IS 'ulid_time(id)';

CREATE CAST (timestamptz AS ulid) WITH FUNCTION ulid_boundary(timestamptz);
COMMENT ON CAST (timestamptz AS ulid) IS 'ulid_boundary(at)';

-- [both]
-- The same 128 bits as a uuid, and back

-- [c]
-- These functions are only those casts. They are inlined, so a plan has no call of either. Their
-- bodies are texts, because pg_upgrade restores what the CHECK of a domain calls before the casts.
CREATE FUNCTION uuid_to_ulid(id uuid) RETURNS ulid
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF
	AS 'SELECT $1::@extschema@.ulid';

CREATE FUNCTION ulid_to_uuid(ulid ulid) RETURNS uuid
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF
	AS 'SELECT $1::pg_catalog.uuid';
COMMENT ON FUNCTION ulid_to_uuid(ulid) IS
	'inverse of uuid_to_ulid(); its time is ulid_time(), because a ULID has no version';

-- A literal without a type is read as text.
CREATE FUNCTION ulid_to_uuid(ulid text) RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_ulid_to_uuid'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

-- [sql]
CREATE FUNCTION uuid_to_ulid(id uuid) RETURNS ulid
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN uidext_internal.base32_encode(id)::ulid;

-- I and L are read as 1, O as 0, in upper and lower case.
CREATE FUNCTION ulid_to_uuid(ulid text) RETURNS uuid
	LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
AS $$
DECLARE
	digits pg_catalog.text := uidext_internal.crockford_fold(ulid);
BEGIN
	IF uidext_internal.is_ulid(digits) THEN
		RETURN uidext_internal.base32_decode(digits);
	END IF;
	RAISE EXCEPTION 'invalid input syntax for type %: "%"', 'ulid', ulid
		USING ERRCODE = 'invalid_text_representation', DETAIL = uidext_internal.ulid_fault(digits);
END
$$;
-- [both]
COMMENT ON FUNCTION uuid_to_ulid(uuid) IS
	'the 128 bits as a ULID; sorts as the uuid does';
COMMENT ON FUNCTION ulid_to_uuid(text) IS
	'inverse of uuid_to_ulid(); takes upper or lower case, and I and L for 1, O for 0; its time is ulid_time(), '
	'because a ULID has no version; raises 22P02 for text that is not a ULID';

-- Functions that find out the layout of an id have an overload for ulid. Otherwise they would take
-- random bits of a ULID for a version, and give a wrong time for one ULID in twenty. A literal may
-- be a uuid or a ulid, so the text of both is read.

-- [c]
CREATE FUNCTION uuid_time(id ulid) RETURNS timestamptz
	AS 'MODULE_PATHNAME', 'uidext_uuid_boundary_time'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION uuid_time(ulid) IS 'creation time of a ULID, as ulid_time()';

CREATE FUNCTION uuid_inspect(id ulid) RETURNS uuid_info
	AS 'MODULE_PATHNAME', 'uidext_ulid_inspect'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION uuid_inspect(ulid) IS 'layout, time and random bits of a ULID';

-- A UUIDv7 of the same time: a boundary has none for the millisecond 0.
CREATE FUNCTION uuid_is_recent(id ulid, past interval DEFAULT '10 minutes', future interval DEFAULT '10 minutes', at timestamptz DEFAULT now()) RETURNS bool
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN uuid_is_recent(overlay(ulid_to_uuid(id)::text PLACING '7000-8' FROM 15)::uuid, past, future, at);
COMMENT ON FUNCTION uuid_is_recent(ulid, interval, interval, timestamptz) IS
	'whether a ULID was made from at - past to at + future; its millisecond overlaps that span; raises 22023 for '
	'a negative tolerance or months, 22008 for an at outside 1970-01-01 to 10889-08-02';

CREATE FUNCTION uidext_internal.ulid_inspect(id text) RETURNS uuid_info
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN uuid_inspect(id::ulid);

-- [sql]
CREATE FUNCTION uidext_internal.ulid_inspect(id text) RETURNS uuid_info
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN ROW(NULL, NULL, 'ULID', uuid_boundary_time(ulid_to_uuid(id)), NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 68, NULL, NULL, NULL)::uuid_info;
-- [both]
COMMENT ON FUNCTION uidext_internal.ulid_inspect(text) IS 'uuid_inspect() of the text of a ULID; raises 22P02 for other text';

CREATE FUNCTION uuid_time(id text) RETURNS timestamptz
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN CASE WHEN octet_length(id) = 26 THEN uuid_boundary_time(ulid_to_uuid(id)) ELSE uuid_time(id::uuid) END;
COMMENT ON FUNCTION uuid_time(text) IS
	'creation time in the text of a uuid or a ULID; the latter has 26 characters; raises 22P02 for other text';

CREATE FUNCTION uuid_inspect(id text) RETURNS uuid_info
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN CASE WHEN octet_length(id) = 26 THEN uidext_internal.ulid_inspect(id) ELSE uuid_inspect(id::uuid) END;
COMMENT ON FUNCTION uuid_inspect(text) IS
	'all fields of an id that is given as text: a uuid, or a ULID of 26 characters; raises 22P02 for other text';

CREATE FUNCTION uuid_is_recent(id text, past interval DEFAULT '10 minutes', future interval DEFAULT '10 minutes', at timestamptz DEFAULT now()) RETURNS bool
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN uuid_is_recent(
		CASE WHEN octet_length(id) = 26 THEN overlay(ulid_to_uuid(id)::text PLACING '7000-8' FROM 15)::uuid ELSE id::uuid END,
		past, future, at);
COMMENT ON FUNCTION uuid_is_recent(text, interval, interval, timestamptz) IS
	'whether a uuid or a ULID of 26 characters was made in a span of time; as uuid_is_recent(uuid) and uuid_is_recent(ulid); raises 22P02 for other text, 22023 for a negative tolerance or months, 22008 for an at outside 1970-01-01 to 10889-08-02';
