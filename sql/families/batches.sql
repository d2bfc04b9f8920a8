-- COPY in batches: every generator of the C edition has generator_support().  The SQL
-- edition has neither: its generators are expressions of volatile functions of
-- PostgreSQL, so COPY inserts their rows one by one.

-- [c]
CREATE FUNCTION uidext_internal.generate(generator internal, VARIADIC arguments "any") RETURNS "any"
	AS 'MODULE_PATHNAME', 'uidext_generate'
	LANGUAGE C STABLE PARALLEL RESTRICTED;
COMMENT ON FUNCTION uidext_internal.generate(internal, VARIADIC "any") IS
	'a generator called so that COPY can insert in batches; no query can call it; raises 42501 without the right to call the generator';

CREATE FUNCTION uidext_internal.generator_support(internal) RETURNS internal
	AS 'MODULE_PATHNAME', 'uidext_generator_support'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uidext_internal.generator_support(internal) IS
	'planner support of generators: a call in a default that COPY evaluates becomes one of generate()';
