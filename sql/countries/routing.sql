-- Routing by country
--
-- One operator family with two classes, in which = of two uuids is PostgreSQL's own operator. Joins
-- and aggregates of uuids still hash with PostgreSQL's family uuid_ops, because the planner takes
-- the family with the lowest OID.

-- [c]
CREATE FUNCTION uidext_internal.iuid_country_hash(id uuid) RETURNS int
	AS 'MODULE_PATHNAME', 'uidext_iuid_country_hash'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION uidext_internal.iuid_country_hash(uuid) IS
	'where Citus places an id: the bits of the country in reverse order, then 24 bits of the tail; an id that is '
	'not an iUID is placed with country 0';

CREATE FUNCTION uidext_internal.iuid_country_hash_extended(id uuid, seed bigint) RETURNS bigint
	AS 'MODULE_PATHNAME', 'uidext_iuid_country_hash_extended'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION uidext_internal.iuid_country_hash_extended(uuid, bigint) IS
	'where PARTITION BY HASH places an id: with MODULUS 257 the REMAINDER is the country, and 256 for an id that '
	'is not an iUID';

-- The same for the class of iuid. From 18 on, its support functions must take the type of the
-- class.
CREATE FUNCTION uidext_internal.iuid_country_hash(id iuid) RETURNS int
	AS 'MODULE_PATHNAME', 'uidext_iuid_country_hash'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION uidext_internal.iuid_country_hash(iuid) IS
	'the same for type iuid';

CREATE FUNCTION uidext_internal.iuid_country_hash_extended(id iuid, seed bigint) RETURNS bigint
	AS 'MODULE_PATHNAME', 'uidext_iuid_country_hash_extended'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION uidext_internal.iuid_country_hash_extended(iuid, bigint) IS
	'the same for type iuid';

-- GROUP BY, DISTINCT and UNION hash with the first family that has their =. The family after this
-- one has only 2^24 hash values for a country, which are few for millions of ids. This one is
-- created before it, and its name sorts before it, because pg_upgrade creates families in the order
-- of their names.
CREATE FUNCTION uidext_internal.iuid_hash(id iuid) RETURNS int
	AS 'MODULE_PATHNAME', 'uidext_as_uuid_hash'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION uidext_internal.iuid_hash(iuid) IS 'hash of an iUID, that of the same uuid';

CREATE OPERATOR CLASS iuid_aggregate_ops FOR TYPE iuid USING hash AS
	OPERATOR 1 uidext_internal.=,
	FUNCTION 1 uidext_internal.iuid_hash(iuid);
COMMENT ON OPERATOR CLASS iuid_aggregate_ops USING hash IS 'hashes by which iUIDs are grouped, as those of uuid';
COMMENT ON OPERATOR FAMILY iuid_aggregate_ops USING hash IS 'hashes by which iUIDs are grouped';

CREATE OPERATOR CLASS iuid_country_ops DEFAULT FOR TYPE iuid USING hash AS
	OPERATOR 1 uidext_internal.=,
	FUNCTION 1 uidext_internal.iuid_country_hash(iuid),
	FUNCTION 2 uidext_internal.iuid_country_hash_extended(iuid, bigint);
COMMENT ON OPERATOR CLASS iuid_country_ops USING hash IS
	'default of iuid: PARTITION BY HASH (id) with MODULUS 257 has the country as REMAINDER; for Citus a country is a range of 2^24 hash values';
COMMENT ON OPERATOR FAMILY iuid_country_ops USING hash IS 'placement of iUIDs by country';

CREATE OPERATOR CLASS uuid_country_ops FOR TYPE uuid USING hash FAMILY iuid_country_ops AS
	OPERATOR 1 =,
	FUNCTION 1 uidext_internal.iuid_country_hash(uuid),
	FUNCTION 2 uidext_internal.iuid_country_hash_extended(uuid, bigint);
COMMENT ON OPERATOR CLASS uuid_country_ops USING hash IS
	'PARTITION BY HASH (id uuid_country_ops) for a uuid column: with MODULUS 257 the REMAINDER is the country, '
	'and 256 for an id that is not an iUID';

ALTER OPERATOR FAMILY iuid_country_ops USING hash ADD
	OPERATOR 1 uidext_internal.= (iuid, uuid),
	OPERATOR 1 uidext_internal.= (uuid, iuid);
