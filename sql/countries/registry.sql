-- Registry: what the ids in an iUID mean

CREATE TABLE iuid.countries (
	id int PRIMARY KEY CHECK (id BETWEEN 0 AND 255),
	code text NOT NULL UNIQUE,
	name text NOT NULL UNIQUE
);
COMMENT ON TABLE iuid.countries IS 'countries of iUIDs; dumped with the database';
COMMENT ON COLUMN iuid.countries.id IS 'the id in the iUID, 0 to 255';
COMMENT ON COLUMN iuid.countries.code IS 'short code, such as ISO 3166-1 alpha-2; gen_iuid() looks here first';
COMMENT ON COLUMN iuid.countries.name IS 'name; gen_iuid() looks here second';

CREATE TABLE iuid.service_entities (
	id int PRIMARY KEY CHECK (id BETWEEN 0 AND 255),
	name text NOT NULL UNIQUE,
	description text,
	service text,
	entity text,
	UNIQUE (service, entity)
);
COMMENT ON TABLE iuid.service_entities IS 'service entities of iUIDs; dumped with the database';
COMMENT ON COLUMN iuid.service_entities.id IS 'the id in the iUID, 0 to 255';
COMMENT ON COLUMN iuid.service_entities.name IS 'service and entity, such as WalletAccount; gen_iuid() looks here';
COMMENT ON COLUMN iuid.service_entities.description IS 'free text';
COMMENT ON COLUMN iuid.service_entities.service IS 'the service, such as Wallet; NULL if the name says enough';
COMMENT ON COLUMN iuid.service_entities.entity IS 'the entity in it, such as Account; NULL if the name says enough';

CREATE TABLE iuid.routes (
	country int NOT NULL CHECK (country BETWEEN 0 AND 255),
	service_entity int NOT NULL DEFAULT -1 CHECK (service_entity BETWEEN -1 AND 255),
	node text NOT NULL,
	description text,
	region text,
	service text NOT NULL DEFAULT '',
	PRIMARY KEY (country, service, service_entity),
	CONSTRAINT routes_service_or_entity_check CHECK (service = '' OR service_entity = -1)
);
COMMENT ON TABLE iuid.routes IS
	'which node serves which ids: the row of a service entity takes precedence over that of its service, and that '
	'over the row of the country; dumped with the database';
COMMENT ON COLUMN iuid.routes.country IS 'country id, 0 to 255';
COMMENT ON COLUMN iuid.routes.service_entity IS 'service entity id, 0 to 255; -1, the default, for any';
COMMENT ON COLUMN iuid.routes.node IS 'where the rows are: a host, a service name, a connection string';
COMMENT ON COLUMN iuid.routes.description IS 'free text';
COMMENT ON COLUMN iuid.routes.region IS
	'the region of the node, such as sa-east-1; NULL if nobody needs it';
COMMENT ON COLUMN iuid.routes.service IS
	'all entities of this service in iuid.service_entities; empty, the default, for any; only where service_entity is -1';

SELECT pg_catalog.pg_extension_config_dump('iuid.countries', '');

SELECT pg_catalog.pg_extension_config_dump('iuid.service_entities', '');

SELECT pg_catalog.pg_extension_config_dump('iuid.routes', '');
GRANT SELECT ON iuid.countries, iuid.service_entities, iuid.routes TO PUBLIC;

-- the tables of a trusted extension belong to the bootstrap superuser; not TO @extowner@, because
-- that role may be dropped
GRANT INSERT, UPDATE, DELETE, TRUNCATE ON iuid.countries, iuid.service_entities, iuid.routes
	TO pg_database_owner WITH GRANT OPTION;

-- [c]
CREATE FUNCTION uidext_internal.iuid_registry_changed() RETURNS trigger
	AS 'MODULE_PATHNAME', 'uidext_iuid_registry_changed'
	LANGUAGE C;
COMMENT ON FUNCTION uidext_internal.iuid_registry_changed() IS
	'trigger of the registry tables: makes sessions read them again after the change has committed, at their next '
	'transaction at the latest; raises 39P01 when called otherwise';

-- For each row and ENABLE ALWAYS, because logical replication fires no other triggers. TRUNCATE has
-- no row triggers.
CREATE TRIGGER iuid_registry_changed
	AFTER INSERT OR UPDATE OR DELETE ON iuid.countries
	FOR EACH ROW EXECUTE FUNCTION uidext_internal.iuid_registry_changed();

CREATE TRIGGER iuid_registry_truncated
	AFTER TRUNCATE ON iuid.countries
	FOR EACH STATEMENT EXECUTE FUNCTION uidext_internal.iuid_registry_changed();

CREATE TRIGGER iuid_registry_changed
	AFTER INSERT OR UPDATE OR DELETE ON iuid.service_entities
	FOR EACH ROW EXECUTE FUNCTION uidext_internal.iuid_registry_changed();

CREATE TRIGGER iuid_registry_truncated
	AFTER TRUNCATE ON iuid.service_entities
	FOR EACH STATEMENT EXECUTE FUNCTION uidext_internal.iuid_registry_changed();

ALTER TABLE iuid.countries ENABLE ALWAYS TRIGGER iuid_registry_changed;

ALTER TABLE iuid.countries ENABLE ALWAYS TRIGGER iuid_registry_truncated;

ALTER TABLE iuid.service_entities ENABLE ALWAYS TRIGGER iuid_registry_changed;

ALTER TABLE iuid.service_entities ENABLE ALWAYS TRIGGER iuid_registry_truncated;

-- [both]
CREATE FUNCTION iuid_route(id uuid) RETURNS iuid.routes
	LANGUAGE sql STABLE STRICT PARALLEL SAFE
BEGIN ATOMIC
	SELECT r.country, r.service_entity, r.node, r.description, r.region, r.service
	FROM iuid.routes r
	WHERE r.country = iuid_country(iuid_route.id) AND (r.service_entity = iuid_service_entity(iuid_route.id)
		OR r.service_entity = -1 AND r.service IN ('',
			(SELECT e.service FROM iuid.service_entities e WHERE e.id = iuid_service_entity(iuid_route.id))))
	ORDER BY r.service_entity DESC, r.service = ''
	LIMIT 1;
END;
COMMENT ON FUNCTION iuid_route(uuid) IS
	'row of iuid.routes that serves an iUID, with node and region: that of its country and entity, else of its '
	'country and the entity''s service, else of its country, else NULL; use it to route by '
	'country in the SQL edition, where PARTITION BY HASH of an iuid spreads the rows of a country over all partitions';

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
COMMENT ON TYPE iuid_info IS
	'the fields of an iUID with the names of the registry';
COMMENT ON COLUMN iuid_info."time" IS 'creation time, to the millisecond';
COMMENT ON COLUMN iuid_info.country IS 'country id, 0 to 255';
COMMENT ON COLUMN iuid_info.country_code IS 'its code in iuid.countries; NULL when it is not there';
COMMENT ON COLUMN iuid_info.country_name IS 'its name in iuid.countries; NULL when it is not there';
COMMENT ON COLUMN iuid_info.service_entity IS 'service entity id, 0 to 255';
COMMENT ON COLUMN iuid_info.service_entity_name IS 'its name in iuid.service_entities; NULL when it is not there';
COMMENT ON COLUMN iuid_info.service_entity_description IS 'its description in iuid.service_entities';
COMMENT ON COLUMN iuid_info.node IS 'node of iuid_route(id)';
COMMENT ON COLUMN iuid_info.service IS 'its service in iuid.service_entities';
COMMENT ON COLUMN iuid_info.entity IS 'its entity in iuid.service_entities';
COMMENT ON COLUMN iuid_info.region IS 'region of iuid_route(id)';

CREATE FUNCTION iuid_describe(id uuid) RETURNS iuid_info
	LANGUAGE sql STABLE STRICT PARALLEL SAFE
BEGIN ATOMIC
	SELECT uuid_time(given.id), iuid_country(given.id), c.code, c.name,
		iuid_service_entity(given.id), e.name, e.description, r.node, e.service, e.entity, r.region
	FROM (SELECT iuid_describe.id) given
		CROSS JOIN LATERAL iuid_route(given.id) r
		LEFT JOIN iuid.countries c ON c.id = iuid_country(given.id)
		LEFT JOIN iuid.service_entities e ON e.id = iuid_service_entity(given.id)
	WHERE iuid_is_valid(given.id);
END;
COMMENT ON FUNCTION iuid_describe(uuid) IS
	'the fields of an iUID with the names of the registry: time, country, service entity, node and region; NULL '
	'for other ids';

CREATE FUNCTION iuid_registry_script() RETURNS text
	LANGUAGE sql STABLE STRICT PARALLEL SAFE
BEGIN ATOMIC
	SELECT 'DO ' || quote_literal('BEGIN ' || string_agg(
		pg_catalog.format('DELETE FROM iuid.%1$I; INSERT INTO iuid.%1$I SELECT * FROM pg_catalog.jsonb_populate_recordset(NULL::iuid.%1$I, %2$L);',
			t.relation, coalesce(t.rows, '[]'::jsonb)), ' ' ORDER BY t.relation) || ' END')
	FROM (VALUES
			('countries', (SELECT pg_catalog.jsonb_agg(r) FROM iuid.countries r)),
			('routes', (SELECT pg_catalog.jsonb_agg(r) FROM iuid.routes r)),
			('service_entities', (SELECT pg_catalog.jsonb_agg(r) FROM iuid.service_entities r))
		) t(relation, rows);
END;
COMMENT ON FUNCTION iuid_registry_script() IS
	'a statement that copies the registry to another database: run there, it makes the registry equal to the one '
	'here';
