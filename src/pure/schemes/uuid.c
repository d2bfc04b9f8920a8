/*-------------------------------------------------------------------------
 *
 * uuid.c
 *	  Ids that are written as a UUID, but whose version does not say where
 *	  the time is.
 *
 *-------------------------------------------------------------------------
 */
#include "pure/schemes/scheme.h"

#include <string.h>

#include "pure/hex.h"

static char
to_lower(char digit)
{
	return digit >= 'A' && digit <= 'Z' ? (char) (digit - 'A' + 'a') : digit;
}

/* The prefix is in lower case.  Ignores case, as URNs do. */
static bool
begins_with(const char *str, const char *end, const char *prefix)
{
	for (; *prefix != '\0'; prefix++, str++)
	{
		if (str == end || to_lower(*str) != *prefix)
			return false;
	}
	return true;
}

/* 32 digits, hyphens after any four of them. */
static bool
parse_hex_digits(const char *str, const char *end, UuidWords *words)
{
	uint64_t	halves[2] = {0, 0};

	for (int digit = 0; digit < 32; digit++)
	{
		int			value;

		if (digit > 0 && digit % 4 == 0 && str < end && *str == '-')
			str++;
		value = str < end ? hex_value(*str++) : -1;
		if (value < 0)
			return false;
		halves[digit / 16] = halves[digit / 16] << 4 | (uint64_t) value;
	}
	*words = layout_words(halves[0], halves[1]);
	return str == end;
}

/*
 * A UUID as PostgreSQL's uuid input reads it: 32 digits, hyphens after any
 * four of them, braces around all; and with urn:uuid: in front (RFC 9562,
 * section 4), or as a bytea or a number in hex.
 */
bool
uid_parse_uuid(const char *str, int length, UuidWords *words)
{
	const char *end = str + length;

	if (begins_with(str, end, "urn:uuid:"))
		str += 9;
	else if (length == 34 &&
			 (begins_with(str, end, "\\x") || begins_with(str, end, "0x")))
		str += 2;
	else if (length >= 2 && str[0] == '{' && end[-1] == '}')
	{
		str++;
		end--;
	}
	return parse_hex_digits(str, end, words);
}

static UidProblem
uuid_parse(const UidScheme *scheme, const char *str,
		   int length, UidValue *value, int *place)
{
	UuidWords	words;

	(void) scheme;
	(void) place;
	if (!uid_parse_uuid(str, length, &words))
		return UID_BAD_FORM;
	layout_store(value->bytes, words);
	return UID_OK;
}

static int
uuid_format(const UidScheme *scheme, const UidValue *value, char *str)
{
	char	   *end = str;

	(void) scheme;
	for (int i = 0; i < 16; i++)
	{
		if (i == 4 || i == 6 || i == 8 || i == 10)
			*end++ = '-';
		*end++ = HEX_DIGITS[value->bytes[i] >> 4];
		*end++ = HEX_DIGITS[value->bytes[i] & 0xf];
	}
	return (int) (end - str);
}

const UidText uid_uuid = {uuid_parse, uuid_format};

/*
 * Days since 1900-01-01 and 1/300 s of the day, as SQL Server's datetime has
 * them.  False before 1970 and for more than a day's ticks.
 */
#define DAYS_TO_1970	25567
#define TICKS_PER_DAY	(24 * 60 * 60 * 300)
#define US_PER_DAY		(UINT64_C(86400) * 1000000)

bool
uid_datetime(const UidValue *value, uint64_t *unix_us)
{
	uint64_t	time = layout_load64(value->bytes + 8);
	uint64_t	days = time >> 32 & LAYOUT_MASK(16);
	uint64_t	ticks = time & LAYOUT_MASK(32);

	if (days < DAYS_TO_1970 || ticks >= TICKS_PER_DAY)
		return false;
	*unix_us = (days - DAYS_TO_1970) * US_PER_DAY + ticks * 10000 / 3;
	return true;
}

/*
 * 100 ns since year 1, as .NET counts them, of which the last 16 bits come
 * first.  Entity Framework takes the time when a program starts, and counts on
 * from there by one for each id.
 */
#define DOTNET_TICKS_PER_US	10
#define US_TO_1970			(UINT64_C(62135596800) * 1000000)

bool
uid_dotnet_ticks(const UidValue *value, uint64_t *unix_us)
{
	uint64_t	ticks = uid_bits(value, 80, 48) << 16 | uid_bits(value, 64, 16);
	uint64_t	us = ticks / DOTNET_TICKS_PER_US;

	if (us < US_TO_1970)
		return false;
	*unix_us = us - US_TO_1970;
	return *unix_us <= UNIX_US_MAX;
}

/*
 * Seconds since 1970 and 24 bits of their fraction, around the version.  The
 * draft is of 2021; what has an earlier time is a UUIDv7 as it is now.
 */
#define SECONDS_TO_2021		UINT64_C(1609459200)

bool
uid_draft_seconds(const UidValue *value, uint64_t *unix_us)
{
	uint64_t	seconds = uid_bits(value, 0, 36);
	uint64_t	fraction = uid_bits(value, 36, 12) << 12 |
		uid_bits(value, 52, 12);

	if (seconds < SECONDS_TO_2021)
		return false;
	*unix_us = seconds * 1000000 + (fraction * 1000000 >> 24);
	return true;
}
