-- Routing by country
--
-- Equality and the plain hash are core's own, so that this family serves as
-- well as core's wherever the planner should meet it.

CREATE FUNCTION uidext_internal.iuid_country_hash_extended(id uuid, seed bigint) RETURNS bigint
	AS 'MODULE_PATHNAME', 'uidext_iuid_country_hash_extended'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uidext_internal.iuid_country_hash_extended(uuid, bigint) IS
	'partition hash of iuid_country_ops: with MODULUS 256 the REMAINDER is the country; raises 22023 for an id that is no iUID, also where a query only looks for it';

CREATE OPERATOR CLASS iuid_country_ops FOR TYPE uuid USING hash AS
	OPERATOR 1 =,
	FUNCTION 1 uuid_hash(uuid),
	FUNCTION 2 uidext_internal.iuid_country_hash_extended(uuid, bigint);
COMMENT ON OPERATOR CLASS iuid_country_ops USING hash IS
	'PARTITION BY HASH (id iuid_country_ops): with MODULUS 256 the REMAINDER is the country of the iUID; another id raises 22023, in look-ups too';
COMMENT ON OPERATOR FAMILY iuid_country_ops USING hash IS
	'hash partitioning of iUIDs by country';
