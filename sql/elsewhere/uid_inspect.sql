-- What is this id?

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
			SELECT -1 AS place, 'uuid' AS scheme, uuid_time(u.uuid) AS "time",
				u.fields || pg_catalog.jsonb_strip_nulls(pg_catalog.to_jsonb(uuid_inspect(u.uuid))) - '{time,swapped_by,unswapped}'::text[] AS fields, u.uuid,
				false AS by_chance, false AS unlikely
			FROM uuids AS u
			WHERE u.uuid IS NOT NULL
			UNION ALL
			-- as another database prints or stores it; in a version 4, which has no time, any may be found
			SELECT 0, 'uuid', uuid_time(w.uuid),
				u.fields || pg_catalog.jsonb_strip_nulls(pg_catalog.to_jsonb(uuid_inspect(w.uuid))) - '{time}'::text[] || pg_catalog.jsonb_build_object('swapped_by', w.swapped_by), w.uuid,
				(uuid_inspect(u.uuid)).version = 4, false
			FROM uuids AS u,
				LATERAL (VALUES ('SQL Server', uuid_from_sqlserver(u.uuid)), ('MySQL', bin_to_uuid(pg_catalog.uuid_send(u.uuid), true))) AS w (swapped_by, uuid)
			WHERE w.uuid <> u.uuid AND (uuid_inspect(w.uuid)).version IS NOT NULL
				AND uuid_time(w.uuid) >= timestamptz '2000-01-01 00:00:00+00' AND uuid_time(w.uuid) < pg_catalog.now() + interval '1 day'
			UNION ALL
			SELECT r.place, r.scheme, r."time", r.fields, r.uuid, r.by_chance,
				r."time" < s.epoch + interval '1 day'
			FROM pasted AS p, ROWS FROM (uidext_internal.uid_readings(p.id)) WITH ORDINALITY AS r (scheme, "time", fields, uuid, by_chance, place)
				JOIN uid_schemes() AS s ON s.scheme = r.scheme
		)
		SELECT r.scheme, r."time", r.fields, r.uuid
		FROM readings AS r
		ORDER BY CASE
				WHEN r."time" IS NULL OR r.by_chance THEN 1
				WHEN r."time" >= timestamptz '2000-01-01 00:00:00+00' AND r."time" < pg_catalog.now() + interval '1 day' AND NOT r.unlikely THEN 0
				ELSE 2
			END, r.place;
	END;
COMMENT ON FUNCTION uid_inspect(text) IS
	'every reading of an id of unknown origin, most plausible first: scheme, time, other fields, and the uuid that uid_to_uuid() makes of it; also as SQL Server prints and MySQL stores it';
