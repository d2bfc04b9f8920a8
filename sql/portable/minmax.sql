-- min(uuid), max(uuid)

CREATE FUNCTION uidext_internal.id_smaller(a uuid, b uuid) RETURNS uuid
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN least(a, b);

CREATE FUNCTION uidext_internal.id_larger(a uuid, b uuid) RETURNS uuid
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN greatest(a, b);
