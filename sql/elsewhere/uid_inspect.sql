-- What is this id?

-- How people and programs write an id, and what to replace in each case. uid_inspect() of both
-- editions and the page in site/ use this list. The patterns match the id's bytes in UTF-8, written
-- in octal with % before each, so that neither the encoding of the database nor its locale matters.
-- They have no backslash, so that no setting matters. No id contains +, / or =.
CREATE FUNCTION uidext_internal.uid_spellings() RETURNS TABLE (n bigint, pattern text, part text)
	LANGUAGE sql IMMUTABLE PARALLEL SAFE ROWS 18
BEGIN ATOMIC
	SELECT s.n, s.pattern, s.part
	FROM (VALUES
		-- byte order mark; soft hyphen; U+200B to U+200F, U+202A to U+202E, U+2060 to U+206F
		(1::bigint, '%357%273%277|%302%255|%342%200%(21[3-7]|25[2-6])|%342%201%2[45][0-7]', ''),
		-- U+0085, U+00A0, U+1680, U+2000 to U+200A, U+2028, U+2029, U+202F, U+205F, U+3000
		(2, '%302%(205|240)|%341%232%200|%342%200%(20[0-7]|21[0-2]|25[017])|%342%201%237|%343%200%200', ' '),
		-- acute accent and guillemets; U+2018 to U+201F, U+2039, U+203A
		(3, '%302%(264|253|273)|%342%200%(23[0-7]|27[12])', '"'),
		-- U+2010 to U+2015; the minus sign
		(4, '%342%200%22[0-5]|%342%210%222', '-'),
		(5, '^[][:space:]["''`,;<>]+|[][:space:]["''`,;<>]+$', ''),
		-- the type after a constant
		(6, '["''][[:space:]]*::.*$', ''),
		-- {"$oid": "..."}, ObjectId("..."), BinData(4, "..."), new Guid("..."), (...)
		(7, '^[{][[:space:]]*["'']?[$a-z0-9_]+["'']?[[:space:]]*:(.*)[}]$', pg_catalog.chr(92) || '1'),
		(8, '^((new +)?[a-z_.][a-z0-9_.]*[[:space:]]*)?[(]([[:space:]]*[0-9]+[[:space:]]*,)?(.*)[)]$', pg_catalog.chr(92) || '4'),
		(9, '^[][:space:]["''`,;<>]+|[][:space:]["''`,;<>]+$', ''),
		-- the type before a constant
		(10, '^[a-z][a-z0-9_]*[[:space:]]*["'']', ''),
		-- base64, and its padding
		(11, '[+]', '-'),
		(12, '/', '_'),
		(13, '=+$', ''),
		-- numbers of 64 and 128 bits in hex, without their first zeros
		(14, '^0x', '0x'),
		(15, '^0x(?=[0-9a-f]{1,15}$)', '0x:000000000000000'),
		(16, '^0x:0*(?=[0-9a-f]{16}$)', '0x'),
		(17, '^0x(?=[0-9a-f]{25,31}$)', '0x:0000000'),
		(18, '^0x:0*(?=[0-9a-f]{32}$)', '0x')
	) AS s (n, pattern, part);
END;
COMMENT ON FUNCTION uidext_internal.uid_spellings() IS
	'what people and programs write around an id or in place of its characters, in the order in which it is '
	'replaced';

-- Bytes of a database without an encoding are taken for UTF-8.
CREATE FUNCTION uidext_internal.uid_pasted(id text) RETURNS text
	LANGUAGE sql STABLE STRICT PARALLEL SAFE
BEGIN ATOMIC
	WITH RECURSIVE bytes AS (
		SELECT pg_catalog.convert_to(id, CASE WHEN pg_catalog.getdatabaseencoding() IN ('SQL_ASCII', 'MULE_INTERNAL')
			THEN pg_catalog.getdatabaseencoding() ELSE 'UTF8' END) AS bytes
	), step AS (
		SELECT 0::bigint AS n, pg_catalog.translate(pg_catalog.encode(b.bytes, 'escape'), pg_catalog.chr(92), '%') AS id
		FROM bytes AS b
		UNION ALL
		SELECT s.n, pg_catalog.regexp_replace(t.id COLLATE "C", s.pattern, s.part, 'gi') COLLATE "default"
		FROM step AS t JOIN uidext_internal.uid_spellings() AS s ON s.n = t.n + 1
	)
	SELECT pg_catalog.replace(t.id, '%%', pg_catalog.chr(92))
	FROM step AS t
	ORDER BY t.n DESC
	LIMIT 1;
END;
COMMENT ON FUNCTION uidext_internal.uid_pasted(text) IS
	'the id in a pasted text, without quotes, blanks, types and calls around it';

-- CASE, not WHERE, because text that does not fit must not be read during planning, either.
-- Readings with a time between 2000 and tomorrow come first, then those without a time, then those
-- with an implausible time. A third of all random UUIDs look like Laravel's ordered ones, so these
-- never come first. A reading of the first day of a scheme is probably wrong, too.
CREATE FUNCTION uid_inspect(id text, OUT scheme text, OUT "time" timestamptz, OUT fields jsonb, OUT uuid uuid)
	RETURNS SETOF record
	LANGUAGE sql STABLE STRICT PARALLEL SAFE ROWS 5
	BEGIN ATOMIC
		WITH pasted AS (
			SELECT uidext_internal.uid_pasted($1) AS id
		), uuids AS (
			SELECT uidext_internal.uid_as_uuid(p.id) AS uuid, jsonb '{}' AS fields
			FROM pasted AS p
			UNION ALL
			SELECT CASE WHEN p.id ~ t.form THEN typeid_to_uuid(p.id) END,
				CASE WHEN p.id ~ t.form THEN pg_catalog.jsonb_build_object('prefix', typeid_prefix(p.id)) END
			FROM pasted AS p, (VALUES ('^[a-z]([a-z_]{0,61}[a-z])?_[0-7][0-9a-hjkmnp-tv-z]{25}$')) AS t (form)
			UNION ALL
			-- 26 or 22 digits hold more than 128 bits: only texts up to that of the highest uuid
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
			-- as another database prints or stores it; not version 4, whose random bits may look
			-- like any time
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
	'every reading of an id of unknown origin, most plausible first: scheme, time, other fields, and the uuid '
	'that uid_to_uuid() makes of it; also as SQL Server prints it and MySQL stores it, and with quotes, blanks, '
	'types or calls around it';
