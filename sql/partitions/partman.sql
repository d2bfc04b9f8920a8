-- pg_partman
--
-- pg_partman passes text to the decoder: an id, a bound of a partition as the catalog shows it, or
-- NULL.

CREATE FUNCTION uuid_time_decoder(id text) RETURNS timestamptz
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN uuid_boundary_time(nullif(id, '')::uuid);
COMMENT ON FUNCTION uuid_time_decoder(text) IS
	'uuid_boundary_time() as p_time_decoder of pg_partman 5.2 or later; NULL for an empty string; raises 22P02 for text '
	'that is no uuid';
