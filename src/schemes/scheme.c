/*-------------------------------------------------------------------------
 *
 * scheme.c
 *	  What is the same for ids of all schemes.
 *
 *-------------------------------------------------------------------------
 */
#include "scheme.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "../baseconv.h"

#define UNIX_US_MAX		(UNIX_MS_MAX * 1000 + 999)
#define MS_PER_DAY		86400000

/* More plausible readings of a text come first. */
static const UidScheme *const groups[] = {uid_texts, uid_snowflakes, uid_uuids};

/* The n-th scheme, counted from 0, or NULL. */
const UidScheme *
scheme_number(int n)
{
	for (size_t group = 0; group < sizeof(groups) / sizeof(groups[0]); group++)
	{
		for (const UidScheme *scheme = groups[group]; scheme->name != NULL; scheme++)
		{
			if (n-- == 0)
				return scheme;
		}
	}
	return NULL;
}

/* The width of all fields, which may leave some bits of the last byte. */
int
scheme_bits(const UidScheme *scheme)
{
	int			bits = 0;

	for (const UidField *field = scheme->fields; field->kind != UID_END; field++)
		bits += field->kind == UID_ZERO ? 0 : field->bits;
	return bits;
}

/* Only a scheme with a reader of its own has an earlier one. */
static uint64_t
epoch_us(const UidScheme *scheme)
{
	return (uint64_t) scheme->epoch_ms * 1000;
}

/* Where the time begins, and its width; false when it is no field. */
static bool
time_place(const UidScheme *scheme, int *from, int *bits)
{
	*from = 0;
	for (const UidField *field = scheme->fields; field->kind != UID_END; field++)
	{
		*bits = field->bits;
		if (field->kind == UID_TIME)
			return true;
		*from += field->bits;
	}
	return false;
}

/*
 * Names with parameters: "name:epoch" or "name:key=number,..." where the keys
 * are epoch and tick, both in milliseconds, or names of fields with their bits.
 * Fields replace those of the scheme, and the time gets the bits that they
 * leave.
 */
static bool
parse_number(const char **text, const char *end, uint64_t *number)
{
	const char *start = *text;

	*number = 0;
	while (*text < end && **text >= '0' && **text <= '9' && *number <= UNIX_MS_MAX)
		*number = *number * 10 + (uint64_t) (*(*text)++ - '0');
	return *text > start && *number <= UNIX_MS_MAX;
}

static bool
is_name_character(char c)
{
	return (c >= 'a' && c <= 'z') || c == '_';
}

/* Puts a field after those that there are; NULL, or what is wrong. */
static const char *
add_field(UidScheme *scheme, int *count, const char *name, int length, uint64_t bits)
{
	UidField   *field = &scheme->fields[*count];

	if (*count == UID_FIELDS_MAX - 1)
		return "There are too many fields.";
	if (length >= UID_NAME_MAX)
		return "The name of a field has at most 23 letters.";
	if (bits < 1 || bits > 62)
		return "A field has 1 to 62 bits.";

	memset(field, 0, 2 * sizeof(UidField));
	field->kind = UID_NUMBER;
	field->bits = (int) bits;
	memcpy(field->name, name, (size_t) length);
	++*count;
	return NULL;
}

/* The time gets what the fields leave of 64 bits. */
static const char *
fit_time(UidScheme *scheme, int first)
{
	int			bits = 64;

	for (int i = 0; scheme->fields[i].kind != UID_END; i++)
		bits -= i == first ? 0 : scheme->fields[i].bits;
	if (bits < 1)
		return "The fields leave no bits for the time.";
	scheme->fields[first].bits = bits;
	return NULL;
}

/* All times of a layout have to fit into a UUID. */
static const char *
check_times(const UidScheme *scheme, int first)
{
	uint64_t	tick_ms = scheme->tick_ns / TICK_MS;
	uint64_t	ticks = uid_greatest(scheme->fields[first].bits);

	if (ticks > (UNIX_MS_MAX - (uint64_t) scheme->epoch_ms) / tick_ms)
		return "Its times would reach beyond the year 10889: give more bits to the fields.";
	return NULL;
}

static const char not_pairs[] = "Parameters are an epoch, or pairs NAME=NUMBER with commas between them.";

static const char *
parse_parameters(UidScheme *scheme, const char *text, const char *end)
{
	int			first = scheme->fields[0].kind == UID_TIME ? 0 : 1;
	int			count = first + 1;
	const char *problem = NULL;

	if (!scheme_is_bigint(scheme))
		return "Only schemes of 64 bits take parameters.";
	if (text < end && !is_name_character(*text))
	{
		uint64_t	epoch;

		if (!parse_number(&text, end, &epoch) || text != end)
			return "An epoch is a number of milliseconds since 1970-01-01, up to 281474976710655.";
		scheme->epoch_ms = (int64_t) epoch;
		return check_times(scheme, first);
	}

	for (;;)
	{
		const char *name = text;
		int			length;
		uint64_t	number;

		while (text < end && is_name_character(*text))
			text++;
		length = (int) (text - name);
		if (length == 0 || text == end || *text++ != '=' || !parse_number(&text, end, &number))
			return not_pairs;

		if (length == 5 && memcmp(name, "epoch", 5) == 0)
			scheme->epoch_ms = (int64_t) number;
		else if (length == 4 && memcmp(name, "tick", 4) == 0)
		{
			if (number < 1 || number > MS_PER_DAY)
				return "A tick is 1 to 86400000 milliseconds.";
			scheme->tick_ns = number * TICK_MS;
		}
		else
			problem = add_field(scheme, &count, name, length, number);
		if (problem != NULL)
			return problem;
		if (text == end)
			break;
		if (*text++ != ',')
			return not_pairs;
	}

	problem = fit_time(scheme, first);
	return problem ? problem : check_times(scheme, first);
}

/*
 * The scheme of a name, with its parameters.  NULL, or what is wrong as a
 * sentence; an empty one for an unknown name.
 */
const char *
scheme_find(const char *text, int length, UidScheme *scheme)
{
	const char *colon = memchr(text, ':', (size_t) length);
	size_t		name_length = colon ? (size_t) (colon - text) : (size_t) length;
	const UidScheme *found;

	for (int n = 0; (found = scheme_number(n)) != NULL; n++)
	{
		if (strlen(found->name) != name_length || memcmp(found->name, text, name_length) != 0)
			continue;
		*scheme = *found;
		return colon ? parse_parameters(scheme, colon + 1, text + length) : NULL;
	}
	return "";
}

/* The fields in words: "41 time, 10 node, 12 sequence". */
void
scheme_layout(const UidScheme *scheme, char *text, size_t size)
{
	size_t		used = 0;

	text[0] = '\0';
	for (const UidField *field = scheme->fields; field->kind != UID_END && used < size; field++)
	{
		const char *name = field->kind == UID_VERSION4 ? "version 4" :
			field->kind == UID_VARIANT ? "variant" :
			field->kind == UID_RANDOM ? "random" : field->name;

		if (field->kind != UID_ZERO)
			used += (size_t) snprintf(text + used, size - used, "%s%d %s", used > 0 ? ", " : "", field->bits, name);
	}
}

static size_t
print_hex(const UidValue *value, int from, int bits, char *text, size_t size)
{
	size_t		used = 0;

	for (int byte = from / 8; byte < (from + bits) / 8 && used < size; byte++)
		used += (size_t) snprintf(text + used, size - used, "%02x", value->bytes[byte]);
	return used;
}

static size_t
print_field(const UidField *field, const UidValue *value, int from, char *text, size_t size)
{
	char		digits[2 * UID_BYTES_MAX + 1];

	if (field->kind == UID_NUMBER)
		return (size_t) snprintf(text, size, "\"%s\": %" PRIu64, field->name, uid_bits(value, from, field->bits));

	if (field->kind == UID_HEX)
		print_hex(value, from, field->bits, digits, sizeof(digits));
	else
	{
		unsigned char bytes[8];
		int			width = field->bits / 5;

		layout_store64(bytes, uid_bits(value, from, field->bits));
		number_encode("0123456789abcdefghijklmnopqrstuvwxyz", bytes, 8, digits, width);
		digits[width] = '\0';
	}
	return (size_t) snprintf(text, size, "\"%s\": \"%s\"", field->name, digits);
}

/* The fields other than the time, as JSON. */
void
scheme_fields(const UidScheme *scheme, const UidValue *value, char *json, size_t size)
{
	size_t		used = 1;
	int			from = 0;

	json[0] = '{';
	for (const UidField *field = scheme->fields; field->kind != UID_END && used < size; field++)
	{
		if (field->kind == UID_NUMBER || field->kind == UID_HEX || field->kind == UID_BASE36)
		{
			if (used > 1)
				used += (size_t) snprintf(json + used, size - used, ", ");
			used += print_field(field, value, from, json + used, size - used);
		}
		from += field->bits;
	}
	snprintf(json + used, size - used, "}");
}

/* The value of every byte as a digit of the scheme, -1 for what is none. */
void
scheme_values(const UidScheme *scheme, signed char *values)
{
	signed char own[256];

	baseconv_values(scheme->alphabet, own);
	for (int byte = 0; byte < 256; byte++)
		values[byte] = own[(unsigned char) (scheme->fold ? scheme->fold((char) byte) : byte)];
}

/* Reads a text of digits and no more. */
UidProblem
scheme_parse_digits(const UidScheme *scheme, const char *text, int length, UidValue *value, int *place)
{
	signed char own[256];
	const signed char *values = scheme->values;
	bool		fits;

	if (length > scheme->digits || length < (scheme->digits_min ? scheme->digits_min : scheme->digits))
		return UID_BAD_LENGTH;

	if (values == NULL)
	{
		scheme_values(scheme, own);
		values = own;
	}
	fits = scheme->digit_bits ?
		bits_decode_values(values, scheme->digit_bits, text, value->bytes, scheme->bytes) :
		number_decode_values(values, (int) strlen(scheme->alphabet), text, length, value->bytes, scheme->bytes);
	if (fits)
		return UID_OK;

	for (*place = 0; *place < length; ++*place)
	{
		if (values[(unsigned char) text[*place]] < 0)
			return UID_BAD_DIGIT;
	}
	return UID_TOO_GREAT;
}

/* The bytes in hex, as psql shows a bytea, or after 0x, with which other texts may begin. */
static bool
is_hex(const UidScheme *scheme, const char *text, int length)
{
	return length == 2 + 2 * scheme->bytes && scheme->format == NULL &&
		(memcmp(text, "\\x", 2) == 0 || memcmp(text, "0x", 2) == 0);
}

/* Either case, as a bytea is read. */
char
hex_fold(char digit)
{
	return digit >= 'A' && digit <= 'F' ? (char) (digit - 'A' + 'a') : digit;
}

static UidProblem
parse_hex(const UidScheme *scheme, const char *text, int length, UidValue *value, int *place)
{
	UidScheme	hex = *scheme;
	UidProblem	problem;

	hex.alphabet = HEX_DIGITS;
	hex.digits = 2 * scheme->bytes;
	hex.digits_min = 0;
	hex.digit_bits = 0;
	hex.fold = hex_fold;
	hex.values = NULL;
	problem = scheme_parse_digits(&hex, text + 2, length - 2, value, place);
	*place += 2;
	return problem;
}

/* Whether the bits that are no field's are as they have to be. */
static UidProblem
check_bits(const UidScheme *scheme, const UidValue *value)
{
	int			from = 0;

	for (const UidField *field = scheme->fields; field->kind != UID_END; field++)
	{
		if (field->kind == UID_ZERO && uid_bits(value, from, field->bits) != 0)
			return UID_TOO_GREAT;
		if (field->kind == UID_VERSION4 && uid_bits(value, from, field->bits) != 4)
			return UID_NOT_VERSION4;
		if (field->kind == UID_VARIANT && uid_bits(value, from, field->bits) != LAYOUT_VARIANT_RFC)
			return UID_NOT_VERSION4;
		from += field->bits;
	}
	return UID_OK;
}

UidProblem
scheme_check(const UidScheme *scheme, const UidValue *value)
{
	uint64_t	unix_us;
	UidProblem	problem = check_bits(scheme, value);

	if (problem != UID_OK)
		return problem;
	return scheme_time(scheme, value, &unix_us) ? UID_OK : UID_NO_TIME;
}

/*
 * The id of a text.  What is not UID_OK is no id of the scheme, and the place
 * is that of a bad digit.
 */
UidProblem
scheme_parse(const UidScheme *scheme, const char *text, int length, UidValue *value, int *place)
{
	UidProblem	problem;

	memset(value, 0, sizeof(UidValue));
	*place = 0;
	if (is_hex(scheme, text, length))
		problem = parse_hex(scheme, text, length, value, place);
	else if (scheme->parse)
		problem = scheme->parse(scheme, text, length, value, place);
	else
		problem = scheme_parse_digits(scheme, text, length, value, place);
	return problem == UID_OK ? scheme_check(scheme, value) : problem;
}

/* The text of an id, its length; at most UID_TEXT_MAX. */
int
scheme_format(const UidScheme *scheme, const UidValue *value, char *text)
{
	int			zeros = 0;

	if (scheme->format)
		return scheme->format(scheme, value, text);
	if (scheme->digit_bits)
		bits_encode(scheme->alphabet, scheme->digit_bits, value->bytes, scheme->bytes, text);
	else
		number_encode(scheme->alphabet, value->bytes, scheme->bytes, text, scheme->digits);

	if (scheme->digits_min)
		while (zeros < scheme->digits - scheme->digits_min && text[zeros] == scheme->alphabet[0])
			zeros++;
	memmove(text, text + zeros, (size_t) (scheme->digits - zeros));
	return scheme->digits - zeros;
}

/* The time in microseconds since 1970, floored; false when a UUID cannot have it. */
bool
scheme_time(const UidScheme *scheme, const UidValue *value, uint64_t *unix_us)
{
	int			from;
	int			bits;
	uint64_t	ticks;
	uint64_t	us_per_tick = scheme->tick_ns / 1000;

	if (scheme->time)
		return scheme->time(value, unix_us);
	if (!time_place(scheme, &from, &bits))
		return false;

	ticks = uid_bits(value, from, bits);
	if (us_per_tick == 0)
		*unix_us = ticks / (1000 / scheme->tick_ns);
	else if (ticks <= UNIX_US_MAX / us_per_tick)
		*unix_us = ticks * us_per_tick;
	else
		return false;
	*unix_us += epoch_us(scheme);
	return *unix_us <= UNIX_US_MAX;
}

/* The least id of a time's tick; false when the scheme has no such tick. */
bool
scheme_boundary(const UidScheme *scheme, uint64_t unix_us, UidValue *value)
{
	int			from;
	int			bits;
	uint64_t	us = unix_us - epoch_us(scheme);
	uint64_t	ticks;

	if (!time_place(scheme, &from, &bits) || unix_us < epoch_us(scheme))
		return false;

	ticks = us / (scheme->tick_ns / 1000);
	if (ticks > uid_greatest(bits))
		return false;
	memset(value, 0, sizeof(UidValue));
	uid_bits_set(value, from, bits, ticks);
	return true;
}

/* The greatest number of so many digits of base 36, and 1. */
static uint64_t
base36_limit(int bits)
{
	uint64_t	limit = 1;

	for (int digit = 0; digit < bits / 5; digit++)
		limit *= 36;
	return limit;
}

/*
 * An id of a time, all of whose other fields are random, from UID_BYTES_MAX
 * random bytes.  False when the scheme has no such time.
 */
bool
scheme_generate(const UidScheme *scheme, uint64_t unix_ns, const unsigned char *random, UidValue *value)
{
	uint64_t	epoch_ns = epoch_us(scheme) * 1000;
	uint64_t	ticks = (unix_ns - epoch_ns) / scheme->tick_ns;
	int			from = 0;

	memcpy(value->bytes, random, UID_BYTES_MAX);
	for (const UidField *field = scheme->fields; field->kind != UID_END; field++)
	{
		if (field->kind == UID_TIME && (unix_ns < epoch_ns || ticks > uid_greatest(field->bits)))
			return false;
		if (field->kind == UID_TIME)
			uid_bits_set(value, from, field->bits, ticks);
		else if (field->kind == UID_ZERO)
			uid_bits_set(value, from, field->bits, 0);
		else if (field->kind == UID_VERSION4)
			uid_bits_set(value, from, field->bits, 4);
		else if (field->kind == UID_VARIANT)
			uid_bits_set(value, from, field->bits, LAYOUT_VARIANT_RFC);
		else if (field->kind == UID_BASE36)
			uid_bits_set(value, from, field->bits, uid_bits(value, from, field->bits) % base36_limit(field->bits));
		from += field->bits;
	}
	memset(value->bytes + scheme->bytes, 0, (size_t) (UID_BYTES_MAX - scheme->bytes));
	return true;
}

/*
 * Ids that are not of 128 bits become a UUIDv7 of the same millisecond, whose
 * other bits are those that follow the id's time, and zeros after them:
 *
 *		48 bits Unix ms · version 7 · 12 and 62 bits of the id's other fields
 *
 * 74 bits hold the others whole but for a KSUID, which has 128, and a CUID,
 * which has 84: of those the first 74.  All times are whole milliseconds, so
 * that ids of one scheme sort as uuids as they do by themselves.
 */
#define V7_OTHER_BITS	(12 + TAIL_BITS)

/* Where the bits after the time begin, and how many there are. */
static void
other_place(const UidScheme *scheme, int *from, int *bits)
{
	int			at = 0;

	*from = *bits = 0;
	for (const UidField *field = scheme->fields; field->kind != UID_END; field++)
	{
		at += field->bits;
		if (field->kind == UID_TIME)
			*from = at;
		if (field->kind != UID_ZERO)
			*bits = at - *from;
	}
}

/* Whether uuids give the id back. */
bool
scheme_fits_uuid(const UidScheme *scheme)
{
	int			from;
	int			bits;

	if (scheme->to_uuid == UID_SAME_BITS)
		return true;
	other_place(scheme, &from, &bits);
	return bits <= V7_OTHER_BITS;
}

/* False when the id has no time that a UUID can have. */
bool
scheme_to_uuid(const UidScheme *scheme, const UidValue *value, UuidWords *words)
{
	uint64_t	unix_us;
	int			from;
	int			bits;
	int			first;
	int			second;

	if (scheme->to_uuid == UID_SAME_BITS)
	{
		*words = layout_load(value->bytes);
		return true;
	}
	if (!scheme_time(scheme, value, &unix_us))
		return false;

	other_place(scheme, &from, &bits);
	first = bits < 12 ? bits : 12;
	second = bits - first < TAIL_BITS ? bits - first : TAIL_BITS;
	*words = layout_pack(7,
						 unix_us / 1000 << 12 | uid_bits(value, from, first) << (12 - first),
						 uid_bits(value, from + first, second) << (TAIL_BITS - second));
	return true;
}

/* The id of which scheme_to_uuid() makes this; false when there is none. */
bool
scheme_from_uuid(const UidScheme *scheme, UuidWords words, UidValue *value)
{
	UuidWords	again;
	int			from;
	int			bits;
	int			first;
	int			second;

	memset(value, 0, sizeof(UidValue));
	if (scheme->to_uuid == UID_SAME_BITS)
	{
		layout_store(value->bytes, words);
		return scheme_check(scheme, value) == UID_OK;
	}
	if (!layout_is(words, 7) || !scheme_fits_uuid(scheme) ||
		!scheme_boundary(scheme, layout_unix_ms(words) * 1000, value))
		return false;

	other_place(scheme, &from, &bits);
	first = bits < 12 ? bits : 12;
	second = bits - first < TAIL_BITS ? bits - first : TAIL_BITS;
	uid_bits_set(value, from, first, (layout_head(words) & LAYOUT_MASK(12)) >> (12 - first));
	uid_bits_set(value, from + first, second, layout_tail(words) >> (TAIL_BITS - second));
	return scheme_to_uuid(scheme, value, &again) && layout_equal(again, words);
}
