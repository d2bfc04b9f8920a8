-- Schemes of ids from elsewhere, as src/pure/schemes/scheme.h has them

CREATE TYPE uidext_internal.uid_field AS (
	kind text,
	name text,
	at int,
	bits int
);
COMMENT ON TYPE uidext_internal.uid_field IS 'a field of bits';
COMMENT ON COLUMN uidext_internal.uid_field.kind IS 'time, number, hex, base36, random, zero, one, version4, version7 or variant';
COMMENT ON COLUMN uidext_internal.uid_field.name IS 'in layouts and readings';
COMMENT ON COLUMN uidext_internal.uid_field.at IS 'the bits before it';
COMMENT ON COLUMN uidext_internal.uid_field.bits IS 'of the field';

-- first the columns of uid_scheme_list()
CREATE TYPE uidext_internal.uid_scheme AS (
	scheme text,
	form text,
	source text,
	alphabet text,
	fold text,
	digits int,
	digits_min int,
	digit_bits int,
	bytes int,
	same_bits bool,
	generated bool,
	by_chance bool,
	epoch_ms bigint,
	tick_ns bigint,
	ticks_max bigint,
	written text,
	"time" text,
	layout text,
	fields uidext_internal.uid_field[],
	bits int,
	behind bit varying,
	own_bits int,
	time_at int,
	time_bits int,
	other_bits int
);
COMMENT ON TYPE uidext_internal.uid_scheme IS 'what ids of a scheme look like';
COMMENT ON COLUMN uidext_internal.uid_scheme.scheme IS 'its name';
COMMENT ON COLUMN uidext_internal.uid_scheme.form IS 'the text, in words';
COMMENT ON COLUMN uidext_internal.uid_scheme.source IS 'where it is described';
COMMENT ON COLUMN uidext_internal.uid_scheme.alphabet IS 'the digits in the order of their values';
COMMENT ON COLUMN uidext_internal.uid_scheme.fold IS 'how other spellings of a digit are read: base32_canonical, hex_fold or NULL';
COMMENT ON COLUMN uidext_internal.uid_scheme.digits IS 'of the text';
COMMENT ON COLUMN uidext_internal.uid_scheme.digits_min IS 'where leading zeros are left out';
COMMENT ON COLUMN uidext_internal.uid_scheme.digit_bits IS 'where digits are cut from the left (RFC 4648)';
COMMENT ON COLUMN uidext_internal.uid_scheme.bytes IS 'of the id';
COMMENT ON COLUMN uidext_internal.uid_scheme.same_bits IS 'a uuid holds them as they are';
COMMENT ON COLUMN uidext_internal.uid_scheme.generated IS 'needs no number of a node';
COMMENT ON COLUMN uidext_internal.uid_scheme.by_chance IS 'many random texts have a plausible time';
COMMENT ON COLUMN uidext_internal.uid_scheme.epoch_ms IS 'Unix time of tick 0';
COMMENT ON COLUMN uidext_internal.uid_scheme.tick_ns IS 'a tick of the time';
COMMENT ON COLUMN uidext_internal.uid_scheme.ticks_max IS 'where digits hold less than the bits of the time';
COMMENT ON COLUMN uidext_internal.uid_scheme.written IS 'where it is more than a row of digits: uid_groups, uid_halves, uid_or_decimal or uid_uuid';
COMMENT ON COLUMN uidext_internal.uid_scheme."time" IS 'where it is no field of ticks: uid_datetime, uid_dotnet_ticks or uid_draft_seconds';
COMMENT ON COLUMN uidext_internal.uid_scheme.layout IS 'the fields: bits, name and kind';
COMMENT ON COLUMN uidext_internal.uid_scheme.fields IS 'those of the layout';
COMMENT ON COLUMN uidext_internal.uid_scheme.bits IS 'of all bytes';
COMMENT ON COLUMN uidext_internal.uid_scheme.behind IS 'zeros that fill up the last digit';
COMMENT ON COLUMN uidext_internal.uid_scheme.own_bits IS 'of the fields that are part of the id';
COMMENT ON COLUMN uidext_internal.uid_scheme.time_at IS 'the bits before the time';
COMMENT ON COLUMN uidext_internal.uid_scheme.time_bits IS 'of the time';
COMMENT ON COLUMN uidext_internal.uid_scheme.other_bits IS 'behind the time, but those that all ids of the scheme have';

CREATE FUNCTION uidext_internal.uid_fixed_bits(field uidext_internal.uid_field) RETURNS bit
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN CASE (field).kind
		WHEN 'zero' THEN substring(0::bit(64), 1, (field).bits)
		WHEN 'one' THEN b'1'
		WHEN 'version4' THEN b'0100'
		WHEN 'version7' THEN b'0111'
		WHEN 'variant' THEN b'10'
	END;
COMMENT ON FUNCTION uidext_internal.uid_fixed_bits(uidext_internal.uid_field) IS 'the bits that a field has in every id; NULL for a field that differs';

CREATE FUNCTION uidext_internal.uid_with_fields(s uidext_internal.uid_scheme) RETURNS uidext_internal.uid_scheme
	LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	words text[];
	item text;
	field uidext_internal.uid_field;
	at int := 0;
BEGIN
	s.fields := '{}';
	s.bits := s.bytes * 8;
	s.behind := substring(0::bit(8), 1, coalesce(s.digits * s.digit_bits - s.bits, 0));
	s.own_bits := 0;
	FOREACH item IN ARRAY string_to_array(s.layout, ', ') LOOP
		words := string_to_array(item, ' ');
		field.name := words[2];
		field.kind := words[3];
		field.at := at;
		field.bits := words[1];
		s.fields := s.fields || field;
		at := at + field.bits;
		IF field.kind = 'time' THEN
			s.time_at := field.at;
			s.time_bits := field.bits;
			s.other_bits := 0;
		ELSIF uidext_internal.uid_fixed_bits(field) IS NULL THEN
			s.other_bits := s.other_bits + field.bits;
		END IF;
		IF field.kind <> 'zero' THEN
			s.own_bits := s.own_bits + field.bits;
		END IF;
	END LOOP;
	RETURN s;
END
$$;
COMMENT ON FUNCTION uidext_internal.uid_with_fields(uidext_internal.uid_scheme) IS 'the scheme with the fields of its layout';

-- An expression of PL/pgSQL without arguments: computed once a session.
CREATE FUNCTION uidext_internal.uid_all_schemes() RETURNS uidext_internal.uid_scheme[]
	LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	s uidext_internal.uid_scheme;
	schemes uidext_internal.uid_scheme[] := '{}';
BEGIN
	-- a column for each, as plpgsql.extra_errors may demand
	FOR s IN SELECT l.*, NULL, NULL, NULL, NULL, NULL, NULL, NULL FROM uidext_internal.uid_scheme_list() l LOOP
		schemes := schemes || uidext_internal.uid_with_fields(s);
	END LOOP;
	RETURN schemes;
END
$$;
COMMENT ON FUNCTION uidext_internal.uid_all_schemes() IS 'all schemes, with their fields';

-- Names with parameters: "name:epoch" or "name:key=number,..." where the keys are
-- epoch and tick, both in milliseconds, or names of fields with their bits.

CREATE FUNCTION uidext_internal.uid_bad_parameters(s uidext_internal.uid_scheme, name text, fault text) RETURNS uidext_internal.uid_scheme
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN uidext_internal.fail(s, '22023', pg_catalog.format('invalid parameters of id scheme "%s"', name), fault);
COMMENT ON FUNCTION uidext_internal.uid_bad_parameters(uidext_internal.uid_scheme, text, text) IS 'raises 22023: what is wrong with the parameters of a name';

CREATE FUNCTION uidext_internal.uid_pair_fault(pair text[], fields_left int, taken text[]) RETURNS text
	LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	no_pairs text := 'Parameters are an epoch, or pairs NAME=NUMBER with commas between them.';
	number numeric := pair[2];
	is_field bool := pair[1] NOT IN ('epoch', 'tick');
BEGIN
	RETURN CASE
		WHEN number IS NULL OR number > 281474976710655 THEN no_pairs
		WHEN pair[1] = ANY (taken) THEN 'Each name is given once, and "time" not at all: it gets the bits that are left.'
		WHEN pair[1] = 'tick' AND number NOT BETWEEN 1 AND 86400000 THEN 'A tick is 1 to 86400000 milliseconds.'
		WHEN is_field AND fields_left = 0 THEN 'There are too many fields.'
		WHEN is_field AND length(pair[1]) > 23 THEN 'The name of a field has at most 23 letters.'
		WHEN is_field AND number NOT BETWEEN 1 AND 62 THEN 'A field has 1 to 62 bits.'
		WHEN pair[3] <> '' THEN no_pairs
	END;
END
$$;
COMMENT ON FUNCTION uidext_internal.uid_pair_fault(text[], int, text[]) IS 'what is wrong with a name, its number and what follows, or NULL';

-- Fields replace those of the scheme, and the time gets the bits that they leave.
CREATE FUNCTION uidext_internal.uid_with_own_fields(s uidext_internal.uid_scheme, own text[]) RETURNS uidext_internal.uid_scheme
	LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
	SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	s.layout := regexp_replace(s.layout, 'time, .*', 'time, ' || array_to_string(own, ', '));
	s := uidext_internal.uid_with_fields(s);
	s.time_bits := 64 - s.time_at - (SELECT sum(f.bits) FROM unnest(s.fields) AS f WHERE f.kind = 'number');
	IF s.time_bits < 1 THEN
		RETURN s;
	END IF;
	s.layout := regexp_replace(s.layout, '[0-9]+ time', s.time_bits || ' time');
	RETURN uidext_internal.uid_with_fields(s);
END
$$;
COMMENT ON FUNCTION uidext_internal.uid_with_own_fields(uidext_internal.uid_scheme, text[]) IS
	'the scheme with other fields after the time; time_bits is below 1 if they leave none';

CREATE FUNCTION uidext_internal.uid_with_pairs(s uidext_internal.uid_scheme, name text, pairs text) RETURNS uidext_internal.uid_scheme
	LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	pair text[];
	fault text;
	own text[] := '{}';
	taken text[] := '{time}';
BEGIN
	FOR pair IN SELECT regexp_match(p, '^([a-z_]+)=([0-9]+)(.*)$') FROM regexp_split_to_table(pairs, ',') AS p LOOP
		fault := uidext_internal.uid_pair_fault(pair, 6 - s.time_at - cardinality(own), taken);
		IF fault IS NOT NULL THEN
			RETURN uidext_internal.uid_bad_parameters(s, name, fault);
		ELSIF pair[1] = 'epoch' THEN
			s.epoch_ms := pair[2];
		ELSIF pair[1] = 'tick' THEN
			s.tick_ns := pair[2]::bigint * 1000000;
		ELSE
			own := own || format('%s %s number', pair[2]::int, pair[1]);
		END IF;
		taken := taken || pair[1];
	END LOOP;

	IF own <> '{}' THEN
		s := uidext_internal.uid_with_own_fields(s, own);
	END IF;
	RETURN CASE WHEN s.time_bits < 1 THEN uidext_internal.uid_bad_parameters(s, name, 'The fields leave no bits for the time.') ELSE s END;
END
$$;
COMMENT ON FUNCTION uidext_internal.uid_with_pairs(uidext_internal.uid_scheme, text, text) IS
	'the scheme with the pairs after a name; raises 22023 for wrong pairs';

CREATE FUNCTION uidext_internal.uid_with_parameters(s uidext_internal.uid_scheme, name text) RETURNS uidext_internal.uid_scheme
	LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	number_max bigint := 281474976710655;
	parameters text := substr(name, strpos(name, ':') + 1);
BEGIN
	IF s.bits <> 64 THEN
		RETURN uidext_internal.uid_bad_parameters(s, name, 'Only schemes of 64 bits take parameters.');
	ELSIF parameters !~ '^[^a-z_]' THEN
		s := uidext_internal.uid_with_pairs(s, name, parameters);
	ELSIF parameters ~ '^[0-9]+$' AND parameters::numeric <= number_max THEN
		s.epoch_ms := parameters;
	ELSE
		RETURN uidext_internal.uid_bad_parameters(s, name, 'An epoch is a number of milliseconds since 1970-01-01, up to 281474976710655.');
	END IF;

	-- all times of a layout have to fit into a UUID
	IF 2 ^ s.time_bits - 1 > (number_max - s.epoch_ms) / (s.tick_ns / 1000000) THEN
		RETURN uidext_internal.uid_bad_parameters(s, name, 'Its times would reach beyond the year 10889: give more bits to the fields.');
	END IF;
	RETURN s;
END
$$;
COMMENT ON FUNCTION uidext_internal.uid_with_parameters(uidext_internal.uid_scheme, text) IS
	'the scheme with the parameters of a name, "name:epoch" or "name:key=number,..."; raises 22023 for wrong ones';

CREATE FUNCTION uidext_internal.uid_scheme(name text) RETURNS uidext_internal.uid_scheme
	LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	s uidext_internal.uid_scheme;
BEGIN
	IF octet_length(name) > 255 THEN
		RETURN uidext_internal.uid_bad_parameters(s, name, 'A name with its parameters has at most 255 bytes.');
	END IF;
	FOREACH s IN ARRAY uidext_internal.uid_all_schemes() LOOP
		IF s.scheme = split_part(name, ':', 1) THEN
			RETURN CASE WHEN strpos(name, ':') > 0 THEN uidext_internal.uid_with_parameters(s, name) ELSE s END;
		END IF;
	END LOOP;
	RAISE EXCEPTION 'unknown id scheme "%"', name
		USING ERRCODE = '22023', HINT = 'The function uid_schemes() lists the schemes that exist.';
END
$$;
COMMENT ON FUNCTION uidext_internal.uid_scheme(text) IS 'the scheme of a name, with its parameters; raises 22023 for an unknown one';

CREATE FUNCTION uidext_internal.uid_bigint_scheme(name text) RETURNS uidext_internal.uid_scheme
	LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	s uidext_internal.uid_scheme := uidext_internal.uid_scheme(name);
BEGIN
	IF s.bits <> 64 THEN
		RAISE EXCEPTION 'ids of scheme "%" are not 64-bit numbers', s.scheme
			USING ERRCODE = '22023', HINT = 'SELECT scheme FROM uid_schemes() WHERE bits IN (63, 64) lists the schemes of 64-bit numbers.';
	END IF;
	RETURN s;
END
$$;
COMMENT ON FUNCTION uidext_internal.uid_bigint_scheme(text) IS 'the same of a scheme of 64-bit numbers; raises 22023 for another';
