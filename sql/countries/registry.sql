-- Registry: what the ids in an iUID mean

CREATE TABLE iuid_countries (
	id int PRIMARY KEY CHECK (id BETWEEN 0 AND 255),
	code text NOT NULL UNIQUE,
	name text NOT NULL UNIQUE
);
COMMENT ON TABLE iuid_countries IS 'countries of iUIDs; dumped with the database';
COMMENT ON COLUMN iuid_countries.id IS 'the id in the iUID, 0 to 255';
COMMENT ON COLUMN iuid_countries.code IS 'short code, such as ISO 3166-1 alpha-2; gen_iuid() looks here first';
COMMENT ON COLUMN iuid_countries.name IS 'name; gen_iuid() looks here second';

CREATE TABLE iuid_service_entities (
	id int PRIMARY KEY CHECK (id BETWEEN 0 AND 255),
	name text NOT NULL UNIQUE,
	description text,
	service text,
	entity text,
	UNIQUE (service, entity)
);
COMMENT ON TABLE iuid_service_entities IS 'service entities of iUIDs; dumped with the database';
COMMENT ON COLUMN iuid_service_entities.id IS 'the id in the iUID, 0 to 255';
COMMENT ON COLUMN iuid_service_entities.name IS 'service and entity, such as WalletAccount; gen_iuid() looks here';
COMMENT ON COLUMN iuid_service_entities.description IS 'free text';
COMMENT ON COLUMN iuid_service_entities.service IS 'the service, such as Wallet; NULL if the name says enough';
COMMENT ON COLUMN iuid_service_entities.entity IS 'the entity in it, such as Account; NULL if the name says enough';

CREATE TABLE iuid_routes (
	country int NOT NULL CHECK (country BETWEEN 0 AND 255),
	service_entity int CHECK (service_entity BETWEEN 0 AND 255),
	node text NOT NULL,
	description text,
	region text,
	UNIQUE NULLS NOT DISTINCT (country, service_entity)
);

-- has no key without NULL, and may be published all the same
ALTER TABLE iuid_routes REPLICA IDENTITY FULL;
COMMENT ON TABLE iuid_routes IS 'which node serves which ids; dumped with the database';
COMMENT ON COLUMN iuid_routes.country IS 'country id, 0 to 255';
COMMENT ON COLUMN iuid_routes.service_entity IS 'service entity id, 0 to 255; NULL for any';
COMMENT ON COLUMN iuid_routes.node IS 'where the rows are: a host, a service name, a connection string';
COMMENT ON COLUMN iuid_routes.description IS 'free text';
COMMENT ON COLUMN iuid_routes.region IS 'the region of the node, such as sa-east-1; NULL where nobody asks';

SELECT pg_catalog.pg_extension_config_dump('iuid_countries', '');

SELECT pg_catalog.pg_extension_config_dump('iuid_service_entities', '');

SELECT pg_catalog.pg_extension_config_dump('iuid_routes', '');
GRANT SELECT ON iuid_countries, iuid_service_entities, iuid_routes TO PUBLIC;

-- a trusted extension's tables belong to the bootstrap superuser; not TO @extowner@, a role that may go
GRANT INSERT, UPDATE, DELETE, TRUNCATE ON iuid_countries, iuid_service_entities, iuid_routes
	TO pg_database_owner WITH GRANT OPTION;

-- [c]
CREATE FUNCTION uidext_internal.iuid_registry_changed() RETURNS trigger
	AS 'MODULE_PATHNAME', 'uidext_iuid_registry_changed'
	LANGUAGE C;
COMMENT ON FUNCTION uidext_internal.iuid_registry_changed() IS
	'trigger of the registry tables: sessions read them anew once the change commits, at their next transaction at the latest; raises 39P01 when called otherwise';

-- For each row, because logical replication fires no other triggers, and ALWAYS
-- for its sake; TRUNCATE has none for rows.
CREATE TRIGGER iuid_registry_changed
	AFTER INSERT OR UPDATE OR DELETE ON iuid_countries
	FOR EACH ROW EXECUTE FUNCTION uidext_internal.iuid_registry_changed();

CREATE TRIGGER iuid_registry_truncated
	AFTER TRUNCATE ON iuid_countries
	FOR EACH STATEMENT EXECUTE FUNCTION uidext_internal.iuid_registry_changed();

CREATE TRIGGER iuid_registry_changed
	AFTER INSERT OR UPDATE OR DELETE ON iuid_service_entities
	FOR EACH ROW EXECUTE FUNCTION uidext_internal.iuid_registry_changed();

CREATE TRIGGER iuid_registry_truncated
	AFTER TRUNCATE ON iuid_service_entities
	FOR EACH STATEMENT EXECUTE FUNCTION uidext_internal.iuid_registry_changed();

ALTER TABLE iuid_countries ENABLE ALWAYS TRIGGER iuid_registry_changed;

ALTER TABLE iuid_countries ENABLE ALWAYS TRIGGER iuid_registry_truncated;

ALTER TABLE iuid_service_entities ENABLE ALWAYS TRIGGER iuid_registry_changed;

ALTER TABLE iuid_service_entities ENABLE ALWAYS TRIGGER iuid_registry_truncated;

-- [both]
CREATE FUNCTION iuid_route(id uuid) RETURNS iuid_routes
	LANGUAGE sql STABLE STRICT PARALLEL SAFE
BEGIN ATOMIC
	SELECT r.country, r.service_entity, r.node, r.description, r.region
	FROM iuid_routes r
	WHERE r.country = iuid_country(id)
		AND (r.service_entity = iuid_service_entity(id) OR r.service_entity IS NULL)
	ORDER BY r.service_entity NULLS LAST
	LIMIT 1;
END;
COMMENT ON FUNCTION iuid_route(uuid) IS
	'row of iuid_routes that serves an iUID, with node and region: that of its country and entity, else that of its country, else NULL; the one way to go by country in the SQL edition, where PARTITION BY HASH of an iuid is core''s own hash and knows no country';

CREATE TYPE iuid_info AS (
	"time" timestamptz,
	country int,
	country_code text,
	country_name text,
	service_entity int,
	service_entity_name text,
	service_entity_description text,
	node text,
	service text,
	entity text,
	region text
);
COMMENT ON TYPE iuid_info IS 'what an iUID and the registry tell together';
COMMENT ON COLUMN iuid_info."time" IS 'creation time, to the millisecond';
COMMENT ON COLUMN iuid_info.country IS 'country id, 0 to 255';
COMMENT ON COLUMN iuid_info.country_code IS 'its code in iuid_countries; NULL when it is not there';
COMMENT ON COLUMN iuid_info.country_name IS 'its name in iuid_countries; NULL when it is not there';
COMMENT ON COLUMN iuid_info.service_entity IS 'service entity id, 0 to 255';
COMMENT ON COLUMN iuid_info.service_entity_name IS 'its name in iuid_service_entities; NULL when it is not there';
COMMENT ON COLUMN iuid_info.service_entity_description IS 'its description in iuid_service_entities';
COMMENT ON COLUMN iuid_info.node IS 'node of iuid_route(id)';
COMMENT ON COLUMN iuid_info.service IS 'its service in iuid_service_entities';
COMMENT ON COLUMN iuid_info.entity IS 'its entity in iuid_service_entities';
COMMENT ON COLUMN iuid_info.region IS 'region of iuid_route(id)';

CREATE FUNCTION iuid_describe(id uuid) RETURNS iuid_info
	LANGUAGE sql STABLE STRICT PARALLEL SAFE
BEGIN ATOMIC
	SELECT uuid_time(given.id), iuid_country(given.id), c.code, c.name,
		iuid_service_entity(given.id), e.name, e.description, r.node, e.service, e.entity, r.region
	FROM (SELECT iuid_describe.id) given
		CROSS JOIN LATERAL iuid_route(given.id) r
		LEFT JOIN iuid_countries c ON c.id = iuid_country(given.id)
		LEFT JOIN iuid_service_entities e ON e.id = iuid_service_entity(given.id)
	WHERE iuid_is_valid(given.id);
END;
COMMENT ON FUNCTION iuid_describe(uuid) IS
	'time, country, service entity, node and region of an iUID with the names of the registry; NULL for other ids';

CREATE FUNCTION iuid_registry_script() RETURNS text
	LANGUAGE sql STABLE STRICT PARALLEL SAFE
BEGIN ATOMIC
	SELECT 'DO ' || quote_literal('BEGIN ' || string_agg(
		pg_catalog.format('DELETE FROM %1$I.%2$I; INSERT INTO %1$I.%2$I SELECT * FROM pg_catalog.jsonb_populate_recordset(NULL::%1$I.%2$I, %3$L);',
			n.nspname, c.relname, coalesce(t.rows, '[]'::jsonb)), ' ' ORDER BY c.relname) || ' END')
	FROM (VALUES
			('iuid_countries'::regclass, (SELECT pg_catalog.jsonb_agg(r) FROM iuid_countries r)),
			('iuid_service_entities'::regclass, (SELECT pg_catalog.jsonb_agg(r) FROM iuid_service_entities r)),
			('iuid_routes'::regclass, (SELECT pg_catalog.jsonb_agg(r) FROM iuid_routes r))
		) t(relation, rows)
		JOIN pg_catalog.pg_class c ON c.oid = t.relation::oid
		JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace;
END;
COMMENT ON FUNCTION iuid_registry_script() IS
	'a statement that makes the registry of another database, with the extension in the same schema, equal to the one here, whatever it holds';
