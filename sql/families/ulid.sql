-- ULID: in the SQL edition in order within a session as far as the clock tells ids
-- apart, 1 us

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
	'what is wrong with a text that is no ULID';

-- What the type of the C edition prints, which sorts as its bytes do.
CREATE DOMAIN ulid AS text COLLATE "C" CHECK (uidext_internal.is_ulid(VALUE));

-- [c]
CREATE FUNCTION uidext_internal.ulid_in(cstring) RETURNS ulid
	AS 'MODULE_PATHNAME', 'uidext_ulid_in'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uidext_internal.ulid_in(cstring) IS 'input of type ulid; raises 22P02 for text that is no ULID';

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
-- Behind the time go the last 70 bits of a version 4 but for what is not random.
CREATE FUNCTION uidext_internal.ulid_text(ticks bigint, random bytea, middle bigint) RETURNS ulid
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN uidext_internal.base32_text(ticks, middle, (get_byte(random, 0) << 8 | get_byte(random, 1))::bigint)::ulid;
COMMENT ON FUNCTION uidext_internal.ulid_text(bigint, bytea, bigint) IS
	'a ULID of 58 bits of time, 60 bits in the middle and 10 of the first two random bytes';

-- Apart from the clock and chance: a parallel plan takes no VOLATILE function in PL/pgSQL.
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
	LANGUAGE C VOLATILE PARALLEL RESTRICTED;

-- [sql]
CREATE FUNCTION gen_ulid() RETURNS ulid
	LANGUAGE sql VOLATILE PARALLEL RESTRICTED
	RETURN uidext_internal.ulid_of_ticks(uidext_internal.clock_us() * 128::bigint / 125::bigint, uidext_internal.random_bytes());
-- [c]
COMMENT ON FUNCTION gen_ulid() IS
	'new ULID: Unix milliseconds, 12 bits of their fraction, 68 random bits; greater than every earlier one of the session';
-- [sql]
COMMENT ON FUNCTION gen_ulid() IS
	'new ULID: Unix milliseconds, 10 bits of their fraction, 70 random bits; in the session''s order as far as microseconds differ';

-- [c]
CREATE FUNCTION gen_ulid_at(at timestamptz) RETURNS ulid
	AS 'MODULE_PATHNAME', 'uidext_gen_ulid_at'
	LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED;

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
-- Comparison: the order of uuid

CREATE FUNCTION uidext_internal.ulid_lt(a ulid, b ulid) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_as_uuid_lt'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION uidext_internal.ulid_lt(ulid, ulid) IS 'implementation of ulid < ulid';

CREATE FUNCTION uidext_internal.ulid_le(a ulid, b ulid) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_as_uuid_le'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION uidext_internal.ulid_le(ulid, ulid) IS 'implementation of ulid <= ulid';

CREATE FUNCTION uidext_internal.ulid_eq(a ulid, b ulid) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_as_uuid_eq'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION uidext_internal.ulid_eq(ulid, ulid) IS 'implementation of ulid = ulid';

CREATE FUNCTION uidext_internal.ulid_ge(a ulid, b ulid) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_as_uuid_ge'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION uidext_internal.ulid_ge(ulid, ulid) IS 'implementation of ulid >= ulid';

CREATE FUNCTION uidext_internal.ulid_gt(a ulid, b ulid) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_as_uuid_gt'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION uidext_internal.ulid_gt(ulid, ulid) IS 'implementation of ulid > ulid';

CREATE FUNCTION uidext_internal.ulid_ne(a ulid, b ulid) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_as_uuid_ne'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION uidext_internal.ulid_ne(ulid, ulid) IS 'implementation of ulid <> ulid';

CREATE FUNCTION uidext_internal.ulid_cmp(a ulid, b ulid) RETURNS int
	AS 'MODULE_PATHNAME', 'uidext_as_uuid_cmp'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION uidext_internal.ulid_cmp(ulid, ulid) IS
	'below, equal to or above 0 as a is less than, equal to or greater than b';

CREATE FUNCTION uidext_internal.ulid_sortsupport(internal) RETURNS void
	AS 'MODULE_PATHNAME', 'uidext_as_uuid_sortsupport'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uidext_internal.ulid_sortsupport(internal) IS 'sort support of ulid_ops';

CREATE FUNCTION uidext_internal.ulid_hash(id ulid) RETURNS int
	AS 'MODULE_PATHNAME', 'uidext_as_uuid_hash'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION uidext_internal.ulid_hash(ulid) IS 'hash of a ULID, that of the same uuid';

CREATE FUNCTION uidext_internal.ulid_hash_extended(id ulid, seed bigint) RETURNS bigint
	AS 'MODULE_PATHNAME', 'uidext_as_uuid_hash_extended'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION uidext_internal.ulid_hash_extended(ulid, bigint) IS 'hash of a ULID, that of the same uuid';

-- [sql]
-- A literal beside a domain is else of its base type, where each time is greater
-- than all ids.  A plan has the operators of text; = is theirs, since lists of ids
-- would not be searched by an index.
CREATE FUNCTION uidext_internal.ulid_lt(a ulid, b ulid) RETURNS bool
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN a::text OPERATOR(pg_catalog.<) b::text;
COMMENT ON FUNCTION uidext_internal.ulid_lt(ulid, ulid) IS 'implementation of ulid < ulid';

CREATE FUNCTION uidext_internal.ulid_le(a ulid, b ulid) RETURNS bool
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN a::text OPERATOR(pg_catalog.<=) b::text;
COMMENT ON FUNCTION uidext_internal.ulid_le(ulid, ulid) IS 'implementation of ulid <= ulid';

CREATE FUNCTION uidext_internal.ulid_ge(a ulid, b ulid) RETURNS bool
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN a::text OPERATOR(pg_catalog.>=) b::text;
COMMENT ON FUNCTION uidext_internal.ulid_ge(ulid, ulid) IS 'implementation of ulid >= ulid';

CREATE FUNCTION uidext_internal.ulid_gt(a ulid, b ulid) RETURNS bool
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN a::text OPERATOR(pg_catalog.>) b::text;
COMMENT ON FUNCTION uidext_internal.ulid_gt(ulid, ulid) IS 'implementation of ulid > ulid';

-- [both]
CREATE OPERATOR < (
	LEFTARG = ulid, RIGHTARG = ulid, FUNCTION = uidext_internal.ulid_lt,
	COMMUTATOR = >, NEGATOR = >=, RESTRICT = scalarltsel, JOIN = scalarltjoinsel
);
COMMENT ON OPERATOR < (ulid, ulid) IS 'less than';

CREATE OPERATOR <= (
	LEFTARG = ulid, RIGHTARG = ulid, FUNCTION = uidext_internal.ulid_le,
	COMMUTATOR = >=, NEGATOR = >, RESTRICT = scalarlesel, JOIN = scalarlejoinsel
);
COMMENT ON OPERATOR <= (ulid, ulid) IS 'less than or equal';

CREATE OPERATOR >= (
	LEFTARG = ulid, RIGHTARG = ulid, FUNCTION = uidext_internal.ulid_ge,
	COMMUTATOR = <=, NEGATOR = <, RESTRICT = scalargesel, JOIN = scalargejoinsel
);
COMMENT ON OPERATOR >= (ulid, ulid) IS 'greater than or equal';

CREATE OPERATOR > (
	LEFTARG = ulid, RIGHTARG = ulid, FUNCTION = uidext_internal.ulid_gt,
	COMMUTATOR = <, NEGATOR = <=, RESTRICT = scalargtsel, JOIN = scalargtjoinsel
);
COMMENT ON OPERATOR > (ulid, ulid) IS 'greater than';

-- [c]
CREATE OPERATOR = (
	LEFTARG = ulid, RIGHTARG = ulid, FUNCTION = uidext_internal.ulid_eq,
	COMMUTATOR = =, NEGATOR = <>, RESTRICT = eqsel, JOIN = eqjoinsel, HASHES, MERGES
);
COMMENT ON OPERATOR = (ulid, ulid) IS 'equal';

CREATE OPERATOR <> (
	LEFTARG = ulid, RIGHTARG = ulid, FUNCTION = uidext_internal.ulid_ne,
	COMMUTATOR = <>, NEGATOR = =, RESTRICT = neqsel, JOIN = neqjoinsel
);
COMMENT ON OPERATOR <> (ulid, ulid) IS 'not equal';

CREATE OPERATOR CLASS ulid_ops DEFAULT FOR TYPE ulid USING btree AS
	OPERATOR 1 <,
	OPERATOR 2 <=,
	OPERATOR 3 =,
	OPERATOR 4 >=,
	OPERATOR 5 >,
	FUNCTION 1 uidext_internal.ulid_cmp(ulid, ulid),
	FUNCTION 2 uidext_internal.ulid_sortsupport(internal),
	FUNCTION 4 btequalimage(oid);
COMMENT ON OPERATOR CLASS ulid_ops USING btree IS 'the order of ULIDs, by time';
COMMENT ON OPERATOR FAMILY ulid_ops USING btree IS 'the order of ULIDs, by time';

CREATE OPERATOR CLASS ulid_ops DEFAULT FOR TYPE ulid USING hash AS
	OPERATOR 1 =,
	FUNCTION 1 uidext_internal.ulid_hash(ulid),
	FUNCTION 2 uidext_internal.ulid_hash_extended(ulid, bigint);
COMMENT ON OPERATOR CLASS ulid_ops USING hash IS 'hashes of ULIDs';
COMMENT ON OPERATOR FAMILY ulid_ops USING hash IS 'hashes of ULIDs';

CREATE OPERATOR CLASS ulid_minmax_ops DEFAULT FOR TYPE ulid USING brin AS
	OPERATOR 1 <,
	OPERATOR 2 <=,
	OPERATOR 3 =,
	OPERATOR 4 >=,
	OPERATOR 5 >,
	FUNCTION 1 brin_minmax_opcinfo(internal),
	FUNCTION 2 brin_minmax_add_value(internal, internal, internal, internal),
	FUNCTION 3 brin_minmax_consistent(internal, internal, internal),
	FUNCTION 4 brin_minmax_union(internal, internal, internal);
COMMENT ON OPERATOR CLASS ulid_minmax_ops USING brin IS 'the least and the greatest ULID of a range of pages';
COMMENT ON OPERATOR FAMILY ulid_minmax_ops USING brin IS 'the least and the greatest ULID of a range of pages';

CREATE FUNCTION uidext_internal.id_smaller(a ulid, b ulid) RETURNS ulid
	AS 'MODULE_PATHNAME', 'uidext_id_smaller'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION uidext_internal.id_smaller(ulid, ulid) IS 'the least of two ids';

CREATE FUNCTION uidext_internal.id_larger(a ulid, b ulid) RETURNS ulid
	AS 'MODULE_PATHNAME', 'uidext_id_larger'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION uidext_internal.id_larger(ulid, ulid) IS 'the greatest of two ids';

CREATE AGGREGATE min(ulid) (
	SFUNC = uidext_internal.id_smaller, STYPE = ulid, COMBINEFUNC = uidext_internal.id_smaller,
	SORTOP = <, PARALLEL = SAFE
);
COMMENT ON AGGREGATE min(ulid) IS 'the least ULID; the first entry of an index answers';

CREATE AGGREGATE max(ulid) (
	SFUNC = uidext_internal.id_larger, STYPE = ulid, COMBINEFUNC = uidext_internal.id_larger,
	SORTOP = >, PARALLEL = SAFE
);
COMMENT ON AGGREGATE max(ulid) IS 'the greatest ULID; the last entry of an index answers';

-- Casts
--
-- A uuid is taken for a ULID wherever one is wanted.  By assignment alone, no uuid
-- column could refer to a ulid key ("incompatible types" in FOREIGN KEY), be joined
-- with it, or be compared with it as the parameter of a driver that binds uuids: so
-- tables could not move to ulid one by one.  Not the other way: readers of UUIDs would
-- take a ULID's random bits for version and variant.

CREATE CAST (uuid AS ulid) WITHOUT FUNCTION AS IMPLICIT;
COMMENT ON CAST (uuid AS ulid) IS 'the same 128 bits';

CREATE CAST (ulid AS uuid) WITHOUT FUNCTION AS ASSIGNMENT;
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
-- Nothing but those casts: a plan has no call of either.
CREATE FUNCTION uuid_to_ulid(id uuid) RETURNS ulid
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF
	RETURN id::ulid;

CREATE FUNCTION ulid_to_uuid(ulid ulid) RETURNS uuid
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF
	RETURN ulid::uuid;
COMMENT ON FUNCTION ulid_to_uuid(ulid) IS
	'inverse of uuid_to_ulid(); its time is ulid_time(), because a ULID has no version';

-- What has no type is a text.
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
	'inverse of uuid_to_ulid(); takes upper or lower case, and I and L for 1, O for 0; its time is ulid_time(), because a ULID has no version; raises 22P02 for text that is no ULID';
