-- Ids from elsewhere
--
-- A scheme that is a constant is looked up once, in the SQL edition when the query is
-- planned.

-- [c]
CREATE FUNCTION uid_schemes(OUT scheme text, OUT form text, OUT bits int, OUT layout text, OUT resolution text,
		OUT epoch timestamptz, OUT reversible bool, OUT generated bool, OUT source text)
	RETURNS SETOF record
	AS 'MODULE_PATHNAME', 'uidext_uid_schemes'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE ROWS 28;

-- [sql]
CREATE FUNCTION uid_schemes(OUT scheme text, OUT form text, OUT bits int, OUT layout text, OUT resolution text,
		OUT epoch timestamptz, OUT reversible bool, OUT generated bool, OUT source text)
	RETURNS SETOF record
	LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE ROWS 28
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	s uidext_internal.uid_scheme;
BEGIN
	FOREACH s IN ARRAY uidext_internal.uid_all_schemes() LOOP
		scheme := s.scheme;
		form := s.form;
		bits := s.own_bits;
		layout := (SELECT string_agg(f.bits || ' ' || CASE WHEN f.kind ~ '^version' THEN 'version ' || right(f.kind, 1) ELSE f.name END, ', ' ORDER BY f.at)
			FROM unnest(s.fields) AS f WHERE f.kind <> 'zero');
		resolution := CASE
			WHEN 1000000000 % s.tick_ns <> 0 THEN '1/' || 1000000000 / s.tick_ns || ' s'
			WHEN s.tick_ns % 1000000000 = 0 THEN s.tick_ns / 1000000000 || ' s'
			WHEN s.tick_ns % 1000000 = 0 THEN s.tick_ns / 1000000 || ' ms'
			WHEN s.tick_ns % 1000 = 0 THEN s.tick_ns / 1000 || ' us'
			ELSE s.tick_ns || ' ns'
		END;
		epoch := uidext_internal.unix_us_to_timestamptz(s.epoch_ms * 1000);
		reversible := s.same_bits OR s.other_bits <= 74;
		generated := s.generated;
		source := s.source;
		RETURN NEXT;
	END LOOP;
END
$$;
-- [both]
COMMENT ON FUNCTION uid_schemes() IS
	'schemes of ids that the uid_ functions know: text, layout, whether uid_from_uuid() gives them back, and whether uid_generate() makes them without a node';

-- [c]
CREATE FUNCTION uid_time(id text, scheme text) RETURNS timestamptz
	AS 'MODULE_PATHNAME', 'uidext_uid_time'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

-- [sql]
CREATE FUNCTION uid_time(id text, scheme text) RETURNS timestamptz
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN uidext_internal.unix_us_to_timestamptz(uidext_internal.uid_unix_us(
		uidext_internal.uid_bits(id COLLATE "C", uidext_internal.uid_scheme(scheme COLLATE "C")),
		uidext_internal.uid_scheme(scheme COLLATE "C")));
-- [both]
COMMENT ON FUNCTION uid_time(text, text) IS
	'creation time in an id of the scheme, floored to 1 us; raises 22P02 for other text, 22023 for an unknown '
	'scheme';

-- [sql]
-- Every number that is not negative has a time.
CREATE FUNCTION uidext_internal.uid_time(id bigint, s uidext_internal.uid_scheme) RETURNS timestamptz
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN CASE
		WHEN id < 0 THEN uidext_internal.unix_us_to_timestamptz(uidext_internal.uid_bits(id, s)::bigint)
		ELSE uidext_internal.unix_us_to_timestamptz(
			(s).epoch_ms * 1000 + (id >> (64 - (s).time_at - (s).time_bits)) * ((s).tick_ns / 1000))
	END;
COMMENT ON FUNCTION uidext_internal.uid_time(bigint, uidext_internal.uid_scheme) IS 'implementation of uid_time(bigint, text)';

-- [c]
CREATE FUNCTION uid_time(id bigint, scheme text) RETURNS timestamptz
	AS 'MODULE_PATHNAME', 'uidext_uid_time_bigint'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

-- [sql]
CREATE FUNCTION uid_time(id bigint, scheme text) RETURNS timestamptz
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN uidext_internal.uid_time(id, uidext_internal.uid_bigint_scheme(scheme COLLATE "C"));
-- [both]
COMMENT ON FUNCTION uid_time(bigint, text) IS
	'creation time in a 64-bit id of the scheme; raises 22003 for a negative one, 22023 for a scheme of other ids';

-- [sql]
CREATE FUNCTION uidext_internal.uid_is_valid(id text, s uidext_internal.uid_scheme) RETURNS bool
	LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	bits bit varying := uidext_internal.uid_text_bits(id, s);
BEGIN
	RETURN bits IS NOT NULL AND uidext_internal.uid_bits_fault(bits, s) IS NULL;
END
$$;
COMMENT ON FUNCTION uidext_internal.uid_is_valid(text, uidext_internal.uid_scheme) IS 'implementation of uid_is_valid(text, text)';

-- [c]
CREATE FUNCTION uid_is_valid(id text, scheme text) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_uid_is_valid'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

-- [sql]
CREATE FUNCTION uid_is_valid(id text, scheme text) RETURNS bool
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN uidext_internal.uid_is_valid(id COLLATE "C", uidext_internal.uid_scheme(scheme COLLATE "C"));
-- [both]
COMMENT ON FUNCTION uid_is_valid(text, text) IS
	'whether the text is an id of the scheme; raises 22023 for an unknown scheme';

-- [c]
CREATE FUNCTION uid_is_valid(id bigint, scheme text) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_uid_is_valid_bigint'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

-- [sql]
CREATE FUNCTION uid_is_valid(id bigint, scheme text) RETURNS bool
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN CASE WHEN (uidext_internal.uid_bigint_scheme(scheme COLLATE "C")).bits = 64 THEN id >= 0 END;
-- [both]
COMMENT ON FUNCTION uid_is_valid(bigint, text) IS
	'whether the 64-bit id is not negative; as a CHECK it tells uuid_partition_create() and the other partition '
	'functions the scheme of a bigint key; a later version may take more ids, never fewer; raises 22023 as '
	'uid_time()';

-- [c]
CREATE FUNCTION uid_boundary(at timestamptz, scheme text) RETURNS bigint
	AS 'MODULE_PATHNAME', 'uidext_uid_boundary'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

-- [sql]
CREATE FUNCTION uidext_internal.uid_time_range(s uidext_internal.uid_scheme) RETURNS text
	LANGUAGE sql STABLE PARALLEL SAFE
	RETURN CASE (s).bits
		WHEN 64 THEN pg_catalog.format('Ids of this scheme have times from %s to %s.',
			uidext_internal.uid_time(0::bigint, s), uidext_internal.uid_time(9223372036854775807, s))
		ELSE pg_catalog.format('The times of ids of this scheme begin at %s.', uidext_internal.unix_us_to_timestamptz((s).epoch_ms * 1000::bigint)) END;
COMMENT ON FUNCTION uidext_internal.uid_time_range(uidext_internal.uid_scheme) IS
	'which times ids of a scheme can have, in words';

CREATE FUNCTION uid_boundary(at timestamptz, scheme text) RETURNS bigint
	LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	s uidext_internal.uid_scheme := uidext_internal.uid_bigint_scheme(scheme COLLATE "C");
	id bigint;
BEGIN
	IF at = '-infinity' THEN
		RETURN 0;
	ELSIF at = 'infinity' THEN
		RETURN 9223372036854775807;
	ELSIF at BETWEEN '1970-01-01 00:00:00+00' AND '10889-08-02 05:31:50.655999+00' THEN
		id := uidext_internal.uid_boundary_bits(uidext_internal.timestamptz_us(at), s)::bigint;
	END IF;
	IF id >= 0 THEN
		RETURN id;
	END IF;
	RAISE EXCEPTION 'timestamp out of range for id scheme "%"', s.scheme
		USING ERRCODE = '22008', DETAIL = uidext_internal.uid_time_range(s);
END
$$;
-- [both]
COMMENT ON FUNCTION uid_boundary(timestamptz, text) IS
	'least 64-bit id of that time; for range queries and partition bounds of bigint keys; raises 22008 for times that the scheme does not have, 22023 as uid_time()';

-- [sql]
CREATE FUNCTION uidext_internal.random_bits(a bytea, b bytea) RETURNS bit
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN pg_catalog.bitcat(
		overlay(overlay(('x' || encode(a, 'hex'))::bit(128) PLACING B'' FROM 65 FOR 2) PLACING B'' FROM 49 FOR 4),
		overlay(overlay(('x' || encode(b, 'hex'))::bit(128) PLACING B'' FROM 65 FOR 2) PLACING B'' FROM 49 FOR 4));
COMMENT ON FUNCTION uidext_internal.random_bits(bytea, bytea) IS '244 random bits, of the bytes of two version 4';

-- The clock's reading and the random bytes are arguments: a VOLATILE function in PL/pgSQL would not
-- run in a parallel plan.
CREATE FUNCTION uidext_internal.uid_generate(scheme text, unix_us bigint, random bit) RETURNS text
	LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	s uidext_internal.uid_scheme := uidext_internal.uid_scheme(scheme COLLATE "C");
	ticks bigint := CASE WHEN s.tick_ns < 1000 THEN unix_us * 1000 ELSE (unix_us - s.epoch_ms * 1000) / (s.tick_ns / 1000) END;
	field uidext_internal.uid_field;
	bits bit varying := '';
BEGIN
	-- of 64 bits, with room for a whole node, or COMBs
	IF NOT s.generated AND (s.bits = 64 OR EXISTS (SELECT FROM unnest(s.fields) AS f WHERE f.kind = 'hex' AND f.bits >= 48)) THEN
		RAISE EXCEPTION 'ids of scheme "%" cannot be generated', s.scheme
			USING ERRCODE = '22023', DETAIL = 'Such ids hold the number of a node, or have too few random bits to be unique without one.';
	ELSIF NOT s.generated THEN
		RAISE EXCEPTION 'ids of scheme "%" cannot be generated', s.scheme
			USING ERRCODE = '22023', HINT = 'To make new ids, call gen_uuidv7(), gen_comb() or gen_suffix_comb().';
	ELSIF ticks < 0 OR s.time_bits < 63 AND ticks >> s.time_bits > 0 OR ticks > s.ticks_max THEN
		RAISE EXCEPTION 'timestamp out of range for id scheme "%"', s.scheme
			USING ERRCODE = '22008', DETAIL = uidext_internal.uid_time_range(s);
	END IF;

	FOREACH field IN ARRAY s.fields LOOP
		bits := bits || CASE field.kind
			WHEN 'time' THEN substring(ticks::bit(64), 65 - field.bits)
			-- a digit of base 36 is not a whole number of bits
			WHEN 'base36' THEN substring((substring(random, field.at + 1, field.bits)::bigint % (36 ^ (field.bits / 5))::bigint)::bit(64), 65 - field.bits)
			ELSE coalesce(uidext_internal.uid_fixed_bits(field), substring(random, field.at + 1, field.bits))
		END;
	END LOOP;
	RETURN uidext_internal.uid_format(bits, s);
END
$$;
COMMENT ON FUNCTION uidext_internal.uid_generate(text, bigint, bit) IS 'new id of a scheme, of a time and random bits; raises as uid_generate()';

-- [c]
CREATE FUNCTION uid_generate(scheme text) RETURNS text
	AS 'MODULE_PATHNAME', 'uidext_uid_generate'
	LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED
	SUPPORT uidext_internal.generator_support;

-- [sql]
CREATE FUNCTION uid_generate(scheme text) RETURNS text
	LANGUAGE sql VOLATILE PARALLEL RESTRICTED
	RETURN uidext_internal.uid_generate(scheme, uidext_internal.clock_us(),
		uidext_internal.random_bits(uidext_internal.random_bytes(), uidext_internal.random_bytes()));
COMMENT ON FUNCTION uid_generate(text) IS
	'new id of the current time; all else random; no order within a tick; raises 22023 for schemes that need the number of a node, and for COMBs';
-- [c]
COMMENT ON FUNCTION uid_generate(text) IS
	'new id of the current time; all else random, or with the node of the setting uidext.node; no order within a tick; raises 22023 for schemes that need the number of a node, and for COMBs';

-- [c]
CREATE FUNCTION uid_next(scheme text, node int) RETURNS bigint
	AS 'MODULE_PATHNAME', 'uidext_uid_next'
	LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED
	SUPPORT uidext_internal.generator_support;
COMMENT ON FUNCTION uid_next(text, int) IS
	'new 64-bit id of the scheme and node, greater than every earlier one (of all sessions of the server); at '
	'most 1 ms ahead of the clock; waits for the clock if all ids of a tick are used up; if the clock is set '
	'back, ids count on from the last one; raises 22023 as uid_time() and for parameters without one field named '
	'sequence, seq, counter, count, increment or random, 22003 for a node that the layout does not hold, 22008 '
	'for a clock outside the times of the scheme, 55000 before PostgreSQL 17 unless uidext is preloaded';

-- What is this id?

CREATE FUNCTION uidext_internal.uid_readings(id text, OUT scheme text, OUT "time" timestamptz, OUT fields jsonb, OUT uuid uuid, OUT by_chance bool)
	RETURNS SETOF record
	AS 'MODULE_PATHNAME', 'uidext_uid_readings'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE ROWS 5;

-- [sql]
CREATE FUNCTION uidext_internal.uid_readings(id text, OUT scheme text, OUT "time" timestamptz, OUT fields jsonb, OUT uuid uuid, OUT by_chance bool)
	RETURNS SETOF record
	LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE ROWS 5
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	s uidext_internal.uid_scheme;
	id_bits bit varying;
BEGIN
	FOREACH s IN ARRAY uidext_internal.uid_all_schemes() LOOP
		id_bits := uidext_internal.uid_text_bits(id COLLATE "C", s);
		CONTINUE WHEN id_bits IS NULL OR uidext_internal.uid_bits_fault(id_bits, s) IS NOT NULL;
		scheme := s.scheme;
		"time" := uidext_internal.unix_us_to_timestamptz(uidext_internal.uid_unix_us(id_bits, s));
		uuid := uidext_internal.uid_bits_to_uuid(id_bits, s);
		by_chance := s.by_chance;
		fields := (SELECT coalesce(jsonb_object_agg(f.name, CASE f.kind
				WHEN 'number' THEN to_jsonb(f.part::bigint)
				WHEN 'base36' THEN to_jsonb(uidext_internal.number_encode(f.part, s.alphabet, f.bits / 5))
				ELSE to_jsonb(uidext_internal.number_encode(f.part, '0123456789abcdef', f.bits / 4))
			END), '{}')
			FROM (SELECT u.*, substring(id_bits, u.at + 1, u.bits) AS part FROM unnest(s.fields) AS u) AS f
			WHERE f.kind IN ('number', 'hex', 'base36'));
		RETURN NEXT;
	END LOOP;
END
$$;
-- [both]
COMMENT ON FUNCTION uidext_internal.uid_readings(text) IS
	'every scheme of uid_schemes() that the text fits, and whether many random texts fit it';
