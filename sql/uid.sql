-- Ids from elsewhere

CREATE FUNCTION uid_schemes(OUT scheme text, OUT form text, OUT bits int, OUT layout text, OUT resolution text,
		OUT epoch timestamptz, OUT reversible bool, OUT generated bool, OUT source text)
	RETURNS SETOF record
	AS 'MODULE_PATHNAME', 'uidext_uid_schemes'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE ROWS 25;
COMMENT ON FUNCTION uid_schemes() IS
	'schemes of ids that the uid_ functions know: text, layout, and whether uid_from_uuid() and uid_generate() serve them';

CREATE FUNCTION uid_time(id text, scheme text) RETURNS timestamptz
	AS 'MODULE_PATHNAME', 'uidext_uid_time'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uid_time(text, text) IS
	'creation time in an id of the scheme, floored to 1 us; raises 22P02 for text that is none, 22023 for an unknown scheme';

CREATE FUNCTION uid_time(id bigint, scheme text) RETURNS timestamptz
	AS 'MODULE_PATHNAME', 'uidext_uid_time_bigint'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uid_time(bigint, text) IS
	'the same for a 64-bit id; raises 22003 for a negative one, 22023 for a scheme of other ids';

CREATE FUNCTION uid_is_valid(id text, scheme text) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_uid_is_valid'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uid_is_valid(text, text) IS
	'whether the text is an id of the scheme; raises 22023 for an unknown scheme';

CREATE FUNCTION uid_is_valid(id bigint, scheme text) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_uid_is_valid_bigint'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uid_is_valid(bigint, text) IS
	'whether the 64-bit id is not negative; as CHECK it tells uuid_partition_create() and its kin the scheme of a bigint key; raises 22023 as uid_time()';

CREATE FUNCTION uid_boundary(at timestamptz, scheme text) RETURNS bigint
	AS 'MODULE_PATHNAME', 'uidext_uid_boundary'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uid_boundary(timestamptz, text) IS
	'least 64-bit id of that time, for range queries and partition bounds of bigint keys; raises 22008 for times that the scheme does not have, 22023 as uid_time()';

CREATE FUNCTION uid_to_uuid(id text, scheme text) RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_uid_to_uuid'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uid_to_uuid(text, text) IS
	'the id as a uuid: its own 128 bits, else a UUIDv7 of the same time and order; raises 22P02 and 22023 as uid_time()';

CREATE FUNCTION uid_to_uuid(id bigint, scheme text) RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_uid_to_uuid_bigint'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uid_to_uuid(bigint, text) IS
	'the 64-bit id as a UUIDv7 of the same time and order; raises 22003 and 22023 as uid_time()';

CREATE FUNCTION uid_from_uuid(id uuid, scheme text) RETURNS text
	AS 'MODULE_PATHNAME', 'uidext_uid_from_uuid'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uid_from_uuid(uuid, text) IS
	'inverse of uid_to_uuid(); NULL for a uuid that was made of no id of the scheme; raises 22023 for schemes whose ids a uuid does not hold whole';

CREATE FUNCTION uid_to_bigint(id uuid, scheme text) RETURNS bigint
	AS 'MODULE_PATHNAME', 'uidext_uid_to_bigint'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uid_to_bigint(uuid, text) IS
	'inverse of uid_to_uuid() for 64-bit ids; NULL as uid_from_uuid(); raises 22023 for schemes of other ids, 22003 for an id beyond bigint';

CREATE FUNCTION uid_generate(scheme text) RETURNS text
	AS 'MODULE_PATHNAME', 'uidext_uid_generate'
	LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED;
COMMENT ON FUNCTION uid_generate(text) IS
	'new id of the current time, all else random; no order within a tick; raises 22023 for schemes that need the number of a node';

-- What is this id?

CREATE FUNCTION uidext_internal.uid_readings(id text, OUT scheme text, OUT "time" timestamptz, OUT fields jsonb, OUT uuid uuid)
	RETURNS SETOF record
	AS 'MODULE_PATHNAME', 'uidext_uid_readings'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE ROWS 5;
COMMENT ON FUNCTION uidext_internal.uid_readings(text) IS
	'every scheme of uid_schemes() that the text fits';

CREATE FUNCTION uidext_internal.uid_as_uuid(id text) RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_uid_as_uuid'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uidext_internal.uid_as_uuid(text) IS
	'the uuid of a text in any spelling of one; NULL for other text';

-- CASE, not WHERE, because what is refused must not be read while planning, either.
-- A time between 2000 and tomorrow comes first, then what has none, then what
-- hardly can be.  A third of all random UUIDs look like ordered ones of Laravel,
-- so that these never come first; and an id of the scheme's first day is more
-- likely none at all.
CREATE FUNCTION uid_inspect(id text, OUT scheme text, OUT "time" timestamptz, OUT fields jsonb, OUT uuid uuid)
	RETURNS SETOF record
	LANGUAGE sql STABLE STRICT PARALLEL SAFE ROWS 5
	BEGIN ATOMIC
		WITH pasted AS (
			SELECT pg_catalog.regexp_replace($1, '^[[:space:]"'']+|[[:space:]"'']+$', '', 'g') AS id
		), uuids AS (
			SELECT uidext_internal.uid_as_uuid(p.id) AS uuid, jsonb '{}' AS fields
			FROM pasted AS p
			UNION ALL
			SELECT CASE WHEN p.id ~ t.form THEN typeid_to_uuid(p.id) END,
				CASE WHEN p.id ~ t.form THEN pg_catalog.jsonb_build_object('prefix', typeid_prefix(p.id)) END
			FROM pasted AS p, (VALUES ('^[a-z]([a-z_]{0,61}[a-z])?_[0-7][0-9a-hjkmnp-tv-z]{25}$')) AS t (form)
			UNION ALL
			-- of the digits that hold 130 bits and more, those that are no more than the last uuid's
			SELECT d.uuid, pg_catalog.jsonb_build_object('encoding', e.encoding)
			FROM pasted AS p,
				(VALUES ('base58', '^[1-9A-HJ-NP-Za-km-z]{22}$'), ('base62', '^[0-9A-Za-z]{22}$'),
					('base64url', '^[-_0-9A-Za-z]{21}[AQgw]$'), ('base32hex', '^[0-9A-Va-v]{25}[048CGKOScgkos]$')) AS e (encoding, form),
				LATERAL (SELECT CASE WHEN p.id ~ e.form
						AND (p.id COLLATE "C" <= uuid_encode(uuid 'ffffffff-ffff-ffff-ffff-ffffffffffff', e.encoding) OR e.encoding ~ '^base(64url|32hex)$')
					THEN uuid_decode(p.id, e.encoding) END) AS d (uuid)
			WHERE (uuid_inspect(d.uuid)).version BETWEEN 1 AND 8
		), readings AS (
			SELECT 0 AS place, 'uuid' AS scheme, uuid_time(u.uuid) AS "time",
				u.fields || pg_catalog.jsonb_strip_nulls(pg_catalog.to_jsonb(uuid_inspect(u.uuid))) - text 'time' AS fields, u.uuid, false AS early
			FROM uuids AS u
			WHERE u.uuid IS NOT NULL
			UNION ALL
			SELECT r.place, r.scheme, r."time", r.fields, r.uuid,
				r."time" < s.epoch + interval '1 day'
			FROM pasted AS p, ROWS FROM (uidext_internal.uid_readings(p.id)) WITH ORDINALITY AS r (scheme, "time", fields, uuid, place)
				JOIN uid_schemes() AS s ON s.scheme = r.scheme
		)
		SELECT r.scheme, r."time", r.fields, r.uuid
		FROM readings AS r
		ORDER BY CASE
				WHEN r."time" IS NULL OR r.scheme = 'ordereduuid' THEN 1
				WHEN r."time" >= timestamptz '2000-01-01 00:00:00+00' AND r."time" < pg_catalog.now() + interval '1 day' AND NOT r.early THEN 0
				ELSE 2
			END, r.place;
	END;
COMMENT ON FUNCTION uid_inspect(text) IS
	'every reading of an id of unknown origin, most plausible first: scheme, time, other fields, and the uuid that uid_to_uuid() makes of it';
