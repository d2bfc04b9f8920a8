/*-------------------------------------------------------------------------
 *
 * text.c
 *	  Ids that are texts: KSUID, ObjectID, XID, pushID and others.
 *
 *-------------------------------------------------------------------------
 */
#include "pure/schemes/scheme.h"

#include <string.h>

#include "pure/base32.h"
#include "pure/baseconv.h"

#define BASE36_DIGITS	"0123456789abcdefghijklmnopqrstuvwxyz"

/*
 * CUID: the letter c and groups of base 36, each of which is a field.  Digits
 * of base 36 are no whole bits, so that a field may hold more than its group.
 */
static const struct
{
	int			digits;
	int			bits;
}			cuid_groups[] = {{8, 42}, {4, 21}, {4, 21}, {8, 42}};

#define CUID_GROUPS		4
#define CUID_LEN		25
/* 36^8 - 1, in 2059 */
#define CUID_TICKS_MAX	UINT64_C(2821109907455)

static UidProblem
cuid_parse(const UidScheme *scheme, const char *str,
		   int length, UidValue *value, int *place)
{
	int			from = 0;

	if (length != CUID_LEN)
		return UID_BAD_LENGTH;
	if (str[0] != 'c')
		return UID_BAD_FORM;
	*place = 1;
	for (int group = 0; group < CUID_GROUPS; group++)
	{
		unsigned char bytes[8];
		int			digits = cuid_groups[group].digits;

		for (int i = 0; i < digits; i++)
		{
			if (baseconv_value(BASE36_DIGITS, 36, str[*place + i]) < 0)
			{
				*place += i;
				return UID_BAD_DIGIT;
			}
		}
		number_decode(BASE36_DIGITS, str + *place, digits, bytes,
					  sizeof(bytes));
		uid_bits_set(value, from, cuid_groups[group].bits,
					 layout_load64(bytes));
		from += cuid_groups[group].bits;
		*place += digits;
	}
	(void) scheme;
	return UID_OK;
}

static int
cuid_format(const UidScheme *scheme, const UidValue *value, char *str)
{
	int			from = 0;
	char	   *end = str;

	*end++ = 'c';
	for (int group = 0; group < CUID_GROUPS; group++)
	{
		unsigned char bytes[8];

		layout_store64(bytes, uid_bits(value, from, cuid_groups[group].bits));
		number_encode(BASE36_DIGITS, bytes, sizeof(bytes), end,
					  cuid_groups[group].digits);
		from += cuid_groups[group].bits;
		end += cuid_groups[group].digits;
	}
	(void) scheme;
	return CUID_LEN;
}

/*
 * SID: two numbers of 63 bits joined by a hyphen, in one of four bases; the
 * length tells which.
 */
#define SID_DIGITS \
	"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~"
#define SID_HALF	11

static const struct
{
	int			digits;
	const char *alphabet;
}			sid_forms[] = {
	{SID_HALF, SID_DIGITS},
	{13, "0123456789abcdefghijklmnopqrstuv"},
	{16, HEX_DIGITS},
	{19, "0123456789"},
};

static UidProblem
sid_parse(const UidScheme *scheme, const char *str,
		  int length, UidValue *value, int *place)
{
	for (size_t form = 0; form < sizeof(sid_forms) / sizeof(sid_forms[0]);
		 form++)
	{
		UidScheme	half = *scheme;
		int			digits = sid_forms[form].digits;
		UidValue	random;
		UidProblem	problem;

		if (length != digits * 2 + 1)
			continue;
		if (str[digits] != '-')
			return UID_BAD_FORM;

		half.alphabet = sid_forms[form].alphabet;
		half.values = NULL;
		half.digits = digits;
		half.bytes = 8;
		problem = scheme_parse_digits(&half, str, digits, value, place);
		if (problem != UID_OK)
			return problem;
		problem = scheme_parse_digits(&half, str + digits + 1, digits,
									  &random, place);
		*place += digits + 1;
		if (problem != UID_OK)
			return problem;
		memcpy(value->bytes + 8, random.bytes, 8);
		return UID_OK;
	}
	return UID_BAD_LENGTH;
}

static int
sid_format(const UidScheme *scheme, const UidValue *value, char *str)
{
	number_encode(scheme->alphabet, value->bytes, 8, str, SID_HALF);
	str[SID_HALF] = '-';
	number_encode(scheme->alphabet, value->bytes + 8, 8, str + SID_HALF + 1,
				  SID_HALF);
	return 2 * SID_HALF + 1;
}

/* What an XID is in any alphabet. */
#define XID \
	.fields = {{UID_TIME, 32, "time"}, \
		{UID_HEX, 24, "machine"}, \
		{UID_NUMBER, 16, "pid"}, \
		{UID_NUMBER, 24, "counter"}}, \
	.tick_ns = TICK_S, .bytes = 12, .digits = 20, .digit_bits = 5, \
	.to_uuid = UID_TO_V7, .generated = true

const UidScheme uid_texts[] = {
	{
		.name = "ulid",
		.form = "26 digits of Crockford's base 32",
		.source = "ulid/spec",
		.alphabet = base32_digits,
		.fields = {{UID_TIME, 48, "time"}, {UID_HEX, 80, "randomness"}},
		.tick_ns = TICK_MS,
		.bytes = 16,
		.digits = BASE32_LEN,
		.fold = base32_canonical,
		.to_uuid = UID_SAME_BITS,
		.generated = true,
	},
	{
		.name = "ksuid",
		.form = "27 digits of base 62",
		.source = "segmentio/ksuid, ksuid.go",
		.alphabet = BASE62_DIGITS,
		.fields = {{UID_TIME, 32, "time"}, {UID_HEX, 128, "payload"}},
		.epoch_ms = INT64_C(1400000000000),
		.tick_ns = TICK_S,
		.bytes = 20,
		.digits = 27,
		.to_uuid = UID_TO_V7,
		.generated = true,
	},
	{
		.name = "objectid",
		.form = "24 digits of hex",
		.source = "MongoDB specifications, ObjectID",
		.alphabet = HEX_DIGITS,
		.fields = {{UID_TIME, 32, "time"},
		{UID_HEX, 40, "random"},
		{UID_NUMBER, 24, "counter"}},
		.tick_ns = TICK_S,
		.bytes = 12,
		.digits = 24,
		.fold = hex_fold,
		.to_uuid = UID_TO_V7,
		.generated = true,
	},
	{
		.name = "xid",
		.form = "20 digits of base32hex in lower case",
		.source = "rs/xid, id.go",
		.alphabet = "0123456789abcdefghijklmnopqrstuv",
		XID,
	},
	{
		/* a port of rs/xid with another alphabet */
		.name = "xidjs",
		.form = "20 digits of Crockford's base 32 in lower case, from the left",
		.source = "npm package xid-js, lib/base32.js",
		.alphabet = "0123456789abcdefghjkmnpqrstvwxyz",
		XID,
	},
	{
		.name = "pushid",
		.form = "20 digits of -0-9A-Z_a-z",
		.source =
		"Firebase Blog, The 2^120 Ways to Ensure Unique Identifiers (2015)",
		.alphabet =
		"-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz",
		.fields = {{UID_TIME, 48, "time"}, {UID_HEX, 72, "random"}},
		.tick_ns = TICK_MS,
		.bytes = 15,
		.digits = 20,
		.to_uuid = UID_TO_V7,
		.generated = true,
	},
	{
		.name = "elasticflake",
		.form = "20 digits of base64url",
		.source = "ppearcy/elasticflake, TimeBasedUUIDGenerator.java",
		.alphabet = BASE64URL_DIGITS,
		.fields = {{UID_TIME, 48, "time"},
		{UID_HEX, 48, "node"},
		{UID_NUMBER, 24, "sequence"}},
		.tick_ns = TICK_MS,
		.bytes = 15,
		.digits = 20,
		.digit_bits = 6,
		.to_uuid = UID_TO_V7,
	},
	{
		.name = "cuid",
		.form = "the letter c and 24 digits of base 36",
		.source = "paralleldrive/cuid, index.js",
		.fields = {{UID_TIME, 42, "time"},
		{UID_BASE36, 21, "counter"},
		{UID_BASE36, 21, "fingerprint"},
		{UID_BASE36, 42, "random"},
		{UID_ZERO, 2, ""}},
		.tick_ns = TICK_MS,
		.ticks_max = CUID_TICKS_MAX,
		.bytes = 16,
		.digits = CUID_LEN,
		.to_uuid = UID_TO_V7,
		.generated = true,
		.parse = cuid_parse,
		.format = cuid_format,
	},
	{
		.name = "sid",
		.form =
		"twice 11 digits of 0-9A-Z_a-z~, a hyphen between; or so in base 32, hex or decimal",
		.source = "chilts/sid, sid.go",
		.alphabet = SID_DIGITS,
		.fields = {{UID_ZERO, 1, ""},
		{UID_TIME, 63, "time"},
		{UID_ZERO, 1, ""},
		{UID_NUMBER, 63, "random"}},
		.tick_ns = TICK_NS,
		.bytes = 16,
		.digits = 2 * SID_HALF + 1,
		.to_uuid = UID_SAME_BITS,
		.generated = true,
		.parse = sid_parse,
		.format = sid_format,
	},
	{
		.name = "flake",
		.form = "up to 22 digits of base 62",
		.source = "boundary/flake, flake_util.erl",
		.alphabet = BASE62_DIGITS,
		.fields = {{UID_TIME, 64, "time"},
		{UID_HEX, 48, "worker"},
		{UID_NUMBER, 16, "sequence"}},
		.tick_ns = TICK_MS,
		.bytes = 16,
		.digits = 22,
		/* a time after 1970 makes 64 bits and more */
		.digits_min = 11,
		.to_uuid = UID_SAME_BITS,
	},
	{.name = NULL}
};
