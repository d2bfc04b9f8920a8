-- Ids of countries and service entities by name, and the setting uidext.country
--
-- The registry's tables are created later, so these functions look for them when they are called.
-- They have no SET clause, because it costs as much as the search.

CREATE FUNCTION uidext_internal.registry_hint(name text, otherwise text) RETURNS text
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN CASE WHEN name ~ '^[0-9]+$' THEN 'Ids are integers. Write them without quotes.' ELSE otherwise END;
COMMENT ON FUNCTION uidext_internal.registry_hint(text, text) IS
	'the hint for a name that is not there: whoever writes ''76'' in quotes means the id';

CREATE FUNCTION uidext_internal.registry_country_id(country text, is_setting bool DEFAULT false) RETURNS int
	LANGUAGE plpgsql STABLE STRICT PARALLEL SAFE
AS $$
DECLARE
	found_id int;
BEGIN
	SELECT c.id INTO found_id FROM iuid.countries c WHERE c.code OPERATOR(pg_catalog.=) country;
	IF found_id IS NULL THEN
		SELECT c.id INTO found_id FROM iuid.countries c WHERE c.name OPERATOR(pg_catalog.=) country;
	END IF;
	IF found_id IS NULL THEN
		RAISE EXCEPTION 'country "%" is not in the registry', country
			USING ERRCODE = 'invalid_parameter_value',
				DETAIL = CASE WHEN is_setting THEN 'It is the value of the parameter uidext.country.' ELSE '' END,
				HINT = CASE WHEN is_setting
					THEN 'Set it to an id from 0 to 255 without leading zeros, or to a code or name in table iuid.countries.'
					ELSE uidext_internal.registry_hint(country, 'Upper and lower case differ. If the country is missing, add it to table iuid.countries, or load ISO 3166-1 with iuid_load_iso_3166().') END;
	END IF;
	RETURN found_id;
END
$$;
COMMENT ON FUNCTION uidext_internal.registry_country_id(text, bool) IS
	'id of a country by its code, else by its name, which may be the setting; raises 22023 when it is not in the registry';

CREATE FUNCTION uidext_internal.registry_service_entity_id(service_entity text) RETURNS int
	LANGUAGE plpgsql STABLE STRICT PARALLEL SAFE
AS $$
DECLARE
	found_id int;
BEGIN
	SELECT e.id INTO found_id FROM iuid.service_entities e WHERE e.name OPERATOR(pg_catalog.=) service_entity;
	IF found_id IS NULL THEN
		RAISE EXCEPTION 'service entity "%" is not in the registry', service_entity
			USING ERRCODE = 'invalid_parameter_value',
				HINT = uidext_internal.registry_hint(service_entity, 'Upper and lower case differ. If the service entity is missing, add it to table iuid.service_entities.');
	END IF;
	RETURN found_id;
END
$$;
COMMENT ON FUNCTION uidext_internal.registry_service_entity_id(text) IS
	'id of a service entity by its name; raises 22023 when it is not in the registry';

-- Without the C module, nothing checks the setting when it is set. This function does.
CREATE FUNCTION uidext_internal.own_country() RETURNS int
	LANGUAGE plpgsql STABLE PARALLEL SAFE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	setting text := coalesce(current_setting('uidext.country', true), '');
	id numeric;
BEGIN
	IF setting !~ '^(-?(0|[1-9][0-9]*))?$' THEN
		RETURN uidext_internal.registry_country_id(setting, true);
	END IF;
	id := nullif(setting, '');
	IF id NOT BETWEEN -1 AND 255 THEN
		RAISE EXCEPTION 'invalid value for parameter "uidext.country": "%"', setting
			USING ERRCODE = 'invalid_parameter_value', DETAIL = 'An iUID holds country ids from 0 to 255, written without leading zeros; -1 means none.';
	ELSIF id = -1 OR id IS NULL THEN
		RAISE EXCEPTION 'uidext.country is not set'
			USING ERRCODE = 'invalid_parameter_value',
				HINT = 'Set it once for this region with ALTER DATABASE ... SET uidext.country, or name the country in the call.';
	END IF;
	RETURN id;
END
$$;
COMMENT ON FUNCTION uidext_internal.own_country() IS
	'country of the setting uidext.country; raises 22023 when that is unset, out of range or not in the registry';
