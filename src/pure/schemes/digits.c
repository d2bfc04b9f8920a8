/*-------------------------------------------------------------------------
 *
 * digits.c
 *	  The text of an id: its digits as bits, and back.
 *
 *-------------------------------------------------------------------------
 */
#include "pure/schemes/scheme.h"

#include <string.h>

#include "pure/baseconv.h"

/*
 * The value of every byte as a digit of the scheme; -1 if it is not a digit.
 */
void
scheme_values(const UidScheme *scheme, signed char *values)
{
	signed char own[256];

	baseconv_values(scheme->alphabet, own);
	for (int byte = 0; byte < 256; byte++)
	{
		char		digit = (char) byte;

		if (scheme->fold)
			digit = scheme->fold(digit);
		values[byte] = own[(unsigned char) digit];
	}
}

/* Reads a text that has digits only. */
UidProblem
scheme_parse_digits(const UidScheme *scheme, const char *str,
					int length, UidValue *value, int *place)
{
	signed char own[256];
	const signed char *values = scheme->values;
	bool		fits;

	if (length > scheme->digits ||
		length < (scheme->digits_min ? scheme->digits_min : scheme->digits))
		return UID_BAD_LENGTH;

	if (values == NULL)
	{
		scheme_values(scheme, own);
		values = own;
	}
	fits = scheme->digit_bits
		? bits_decode_values(values, scheme->digit_bits, str,
							 value->bytes, scheme->bytes)
		: number_decode_values(values, (int) strlen(scheme->alphabet),
							   str, length, value->bytes,
							   scheme->bytes);
	if (fits)
		return UID_OK;

	for (*place = 0; *place < length; ++*place)
	{
		if (values[(unsigned char) str[*place]] < 0)
			return UID_BAD_DIGIT;
	}
	return UID_TOO_GREAT;
}

static bool
has_own_format(const UidScheme *scheme)
{
	return scheme->written != NULL && scheme->written->format != NULL;
}

/*
 * Whether a text is the bytes in hex: as psql shows a bytea, or after 0x.
 * Texts of other kinds may also begin with 0x.
 */
static bool
is_hex(const UidScheme *scheme, const char *str, int length)
{
	return length == 2 + 2 * scheme->bytes && !has_own_format(scheme) &&
		(memcmp(str, "\\x", 2) == 0 || memcmp(str, "0x", 2) == 0);
}

/* Either case, as a bytea is read. */
char
hex_fold(char digit)
{
	return digit >= 'A' && digit <= 'F' ? (char) (digit - 'A' + 'a') : digit;
}

static UidProblem
parse_hex(const UidScheme *scheme, const char *str,
		  int length, UidValue *value, int *place)
{
	UidScheme	hex = *scheme;
	UidProblem	problem;

	hex.alphabet = HEX_DIGITS;
	hex.digits = 2 * scheme->bytes;
	hex.digits_min = 0;
	hex.digit_bits = 0;
	hex.fold = hex_fold;
	hex.values = NULL;
	problem = scheme_parse_digits(&hex, str + 2, length - 2, value, place);
	*place += 2;
	return problem;
}

/* What is wrong if a field does not have the bits that it has in every id. */
static UidProblem
fixed_problem(const UidField *field)
{
	switch (field->kind)
	{
		case UID_ZERO:
			return UID_TOO_GREAT;
		case UID_ONE:
			return UID_NO_TIME;
		default:
			return UID_NOT_VERSION;
	}
}

static UidProblem
check_bits(const UidScheme *scheme, const UidValue *value)
{
	int			from = 0;

	for (const UidField *field = scheme->fields; field->kind != UID_END;
		 field++)
	{
		uint64_t	bits;

		if (field_is_fixed(field, &bits) &&
			uid_bits(value, from, field->bits) != bits)
			return fixed_problem(field);
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
 * The id of a text.  If the result is not UID_OK, the text is not an id of the
 * scheme, and place is that of the wrong digit.
 */
UidProblem
scheme_parse(const UidScheme *scheme, const char *str, int length,
			 UidValue *value, int *place)
{
	UidProblem	problem;

	memset(value, 0, sizeof(UidValue));
	*place = 0;
	if (is_hex(scheme, str, length))
		problem = parse_hex(scheme, str, length, value, place);
	else if (scheme->written)
		problem = scheme->written->parse(scheme, str, length, value, place);
	else
		problem = scheme_parse_digits(scheme, str, length, value, place);
	return problem == UID_OK ? scheme_check(scheme, value) : problem;
}

/* The text of an id, its length; at most UID_TEXT_MAX. */
int
scheme_format(const UidScheme *scheme, const UidValue *value, char *str)
{
	int			zeros = 0;

	if (has_own_format(scheme))
		return scheme->written->format(scheme, value, str);
	if (scheme->digit_bits)
		bits_encode(scheme->alphabet, scheme->digit_bits, value->bytes,
					scheme->bytes, str);
	else
		number_encode(scheme->alphabet, value->bytes, scheme->bytes, str,
					  scheme->digits);

	if (scheme->digits_min)
		while (zeros < scheme->digits - scheme->digits_min &&
			   str[zeros] == scheme->alphabet[0])
			zeros++;
	memmove(str, str + zeros, (size_t) (scheme->digits - zeros));
	return scheme->digits - zeros;
}
