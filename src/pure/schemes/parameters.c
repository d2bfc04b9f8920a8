/*-------------------------------------------------------------------------
 *
 * parameters.c
 *	  The names of schemes, and the parameters after them.
 *
 * "name:epoch" or "name:key=number,..." where the keys are epoch and tick,
 * both in milliseconds, or names of fields with their bits.  Fields replace
 * those of the scheme, and the time gets the bits that they leave.  A field's
 * name has no dot or hyphen.  Names with one are reserved for later
 * parameters.
 *
 *-------------------------------------------------------------------------
 */
#include "pure/schemes/scheme.h"

#include <string.h>

#define MS_PER_DAY		86400000

static bool
parse_number(const char **str, const char *end, uint64_t *number)
{
	const char *start = *str;

	*number = 0;
	for (; *str < end && **str >= '0' && **str <= '9'; ++*str)
	{
		*number = *number * 10 + (uint64_t) (**str - '0');
		if (*number > UNIX_MS_MAX)
			return false;
	}
	return *str > start;
}

/* The length of the name of a parameter that a text begins with. */
static int
name_length(const char *str, const char *end)
{
	const char *start = str;

	while (str < end && ((*str >= 'a' && *str <= 'z') || *str == '_'))
		str++;
	return (int) (str - start);
}

/* Whether a pair before it has the name, or the time has it. */
static bool
is_taken(const char *pairs, const char *name, int length)
{
	if (length == 4 && memcmp(name, "time", 4) == 0)
		return true;
	for (const char *pair = pairs; pair < name;
		 pair = (const char *) memchr(pair, ',', (size_t) (name - pair)) + 1)
	{
		if (name_length(pair, name) == length &&
			memcmp(pair, name, (size_t) length) == 0)
			return true;
	}
	return false;
}

/* Adds a field after the others.  Returns NULL, or what is wrong. */
static const char *
add_field(UidScheme *scheme, int *count, const char *name, int length,
		  uint64_t bits)
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

static const char *
set_tick(UidScheme *scheme, uint64_t ms)
{
	if (ms < 1 || ms > MS_PER_DAY)
		return "A tick is 1 to 86400000 milliseconds.";
	scheme->tick_ns = ms * TICK_MS;
	return NULL;
}

/* Applies one pair; the scheme has count own fields so far. */
static const char *
set_parameter(UidScheme *scheme, int *count, const char *name, int length,
			  uint64_t number)
{
	if (length == 5 && memcmp(name, "epoch", 5) == 0)
	{
		scheme->epoch_ms = (int64_t) number;
		return NULL;
	}
	if (length == 4 && memcmp(name, "tick", 4) == 0)
		return set_tick(scheme, number);
	return add_field(scheme, count, name, length, number);
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

static const char *
parse_epoch(UidScheme *scheme, const char *str, const char *end)
{
	uint64_t	epoch;

	if (!parse_number(&str, end, &epoch) || str != end)
		return "An epoch is a number of milliseconds since 1970-01-01, up to 281474976710655.";
	scheme->epoch_ms = (int64_t) epoch;
	return NULL;
}

static const char *
parse_pairs(UidScheme *scheme, int first, const char *str, const char *end)
{
	static const char not_pairs[] =
		"Parameters are an epoch, or pairs NAME=NUMBER with commas between them.";
	const char *pairs = str;
	int			count = first + 1;

	for (;; str++)
	{
		const char *name = str;
		int			length = name_length(str, end);
		const char *problem;
		uint64_t	number;

		str += length;
		if (length == 0 || str == end || *str++ != '=' ||
			!parse_number(&str, end, &number))
			return not_pairs;
		if (is_taken(pairs, name, length))
			return "Each name is given once, and \"time\" not at all: it gets the bits that are left.";
		problem = set_parameter(scheme, &count, name, length, number);
		if (problem != NULL)
			return problem;
		if (str == end)
			return fit_time(scheme, first);
		if (*str != ',')
			return not_pairs;
	}
}

static const char *
parse_parameters(UidScheme *scheme, const char *str, const char *end)
{
	int			first = scheme->fields[0].kind == UID_TIME ? 0 : 1;
	const char *problem;

	if (!scheme_is_bigint(scheme))
		return "Only schemes of 64 bits take parameters.";
	if (str < end && name_length(str, end) == 0)
		problem = parse_epoch(scheme, str, end);
	else
		problem = parse_pairs(scheme, first, str, end);
	if (problem != NULL)
		return problem;
	return check_times(scheme, first);
}

/*
 * The scheme of a name, with its parameters.  NULL, or what is wrong as a
 * sentence; an empty one for an unknown name.
 */
const char *
scheme_find(const char *str, int length, UidScheme *scheme)
{
	const char *end = str + length;
	const char *colon = memchr(str, ':', (size_t) length);
	size_t		name_bytes = (size_t) ((colon ? colon : end) - str);
	const UidScheme *found;

	for (int n = 0; (found = scheme_number(n)) != NULL; n++)
	{
		if (strlen(found->name) != name_bytes ||
			memcmp(found->name, str, name_bytes) != 0)
			continue;
		*scheme = *found;
		return colon ? parse_parameters(scheme, colon + 1, end) : NULL;
	}
	return "";
}
