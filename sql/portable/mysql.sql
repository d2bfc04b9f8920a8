-- MySQL's byte order

CREATE FUNCTION uuid_to_bin(id uuid, swap bool DEFAULT false) RETURNS bytea
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN CASE swap
		WHEN true THEN substr(uuid_send(id), 7, 2) || substr(uuid_send(id), 5, 2) || substr(uuid_send(id), 1, 4) || substr(uuid_send(id), 9)
		WHEN false THEN uuid_send(id)
	END;

CREATE FUNCTION bin_to_uuid(bin bytea, swap bool DEFAULT false) RETURNS uuid
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN CASE
		WHEN bin IS NULL OR swap IS NULL THEN NULL
		WHEN length(bin) <> 16
			THEN uidext_internal.fail(encode(bin, 'hex'), '22023', 'a UUID has 16 bytes, not ' || length(bin)::text,
				hint => 'Text becomes a UUID by a cast.')::uuid
		WHEN swap THEN encode(substr(bin, 5, 4) || substr(bin, 3, 2) || substr(bin, 1, 2) || substr(bin, 9), 'hex')::uuid
		ELSE encode(bin, 'hex')::uuid
	END;
