/*-------------------------------------------------------------------------
 *
 * text.c
 *	  Texts of ids that are more than a row of digits.
 *
 *-------------------------------------------------------------------------
 */
#include "pure/schemes/scheme.h"

#include <string.h>

#include "pure/baseconv.h"

/*
 * CUID: the letter c and groups of base 36, each of which is a field.  A digit
 * of base 36 is not a whole number of bits, so a field may hold more than its
 * group.
 */
static UidProblem
groups_parse(const UidScheme *scheme, const char *str,
			 int length, UidValue *value, int *place)
{
	int			from = 0;

	if (length != scheme->digits)
		return UID_BAD_LENGTH;
	if (str[0] != 'c')
		return UID_BAD_FORM;
	*place = 1;
	for (const UidField *field = scheme->fields; field->kind != UID_ZERO;
		 field++)
	{
		unsigned char bytes[8];
		int			digits = field->bits / UID_BASE36_BITS;

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
		uid_bits_set(value, from, field->bits, layout_load64(bytes));
		from += field->bits;
		*place += digits;
	}
	return UID_OK;
}

static int
groups_format(const UidScheme *scheme, const UidValue *value, char *str)
{
	int			from = 0;
	char	   *end = str;

	*end++ = 'c';
	for (const UidField *field = scheme->fields; field->kind != UID_ZERO;
		 field++)
	{
		unsigned char bytes[8];
		int			digits = field->bits / UID_BASE36_BITS;

		layout_store64(bytes, uid_bits(value, from, field->bits));
		number_encode(BASE36_DIGITS, bytes, sizeof(bytes), end, digits);
		from += field->bits;
		end += digits;
	}
	return (int) (end - str);
}

const UidText uid_groups = {groups_parse, groups_format};

/*
 * SID: two numbers of 63 bits joined by a hyphen, in one of four bases; the
 * length tells which.
 */
#define SID_HALF	11

static const struct
{
	int			digits;
	const char *alphabet;
}			half_forms[] = {
	{SID_HALF, NULL},			/* the scheme's own */
	{13, "0123456789abcdefghijklmnopqrstuv"},
	{16, HEX_DIGITS},
	{19, "0123456789"},
};

static UidProblem
halves_parse(const UidScheme *scheme, const char *str,
			 int length, UidValue *value, int *place)
{
	for (size_t form = 0; form < sizeof(half_forms) / sizeof(half_forms[0]);
		 form++)
	{
		UidScheme	half = *scheme;
		int			digits = half_forms[form].digits;
		UidValue	random;
		UidProblem	problem;

		if (length != digits * 2 + 1)
			continue;
		if (str[digits] != '-')
			return UID_BAD_FORM;

		if (half_forms[form].alphabet != NULL)
			half.alphabet = half_forms[form].alphabet;
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
halves_format(const UidScheme *scheme, const UidValue *value, char *str)
{
	number_encode(scheme->alphabet, value->bytes, 8, str, SID_HALF);
	str[SID_HALF] = '-';
	number_encode(scheme->alphabet, value->bytes + 8, 8, str + SID_HALF + 1,
				  SID_HALF);
	return 2 * SID_HALF + 1;
}

const UidText uid_halves = {halves_parse, halves_format};

/* TSID: the digits of the scheme, or decimal. */
static UidProblem
or_decimal_parse(const UidScheme *scheme, const char *str,
				 int length, UidValue *value, int *place)
{
	UidScheme	number = *scheme;

	if (length == scheme->digits)
		return scheme_parse_digits(scheme, str, length, value, place);
	number.alphabet = "0123456789";
	number.values = NULL;
	number.fold = NULL;
	number.digits = 20;
	number.digits_min = 1;
	return scheme_parse_digits(&number, str, length, value, place);
}

const UidText uid_or_decimal = {or_decimal_parse, NULL};
