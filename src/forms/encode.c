/*-------------------------------------------------------------------------
 *
 * encode.c
 *	  A UUID in fewer characters than its own 36, and back.
 *
 *-------------------------------------------------------------------------
 */
#include "base/uidext.h"

#include "mb/pg_wchar.h"
#include "utils/builtins.h"

#include "pure/base32.h"
#include "pure/baseconv.h"

#define WIDTH_MAX	26

typedef enum EncodingForm
{
	BASE32HEX,
	CROCKFORD,
	BASE58,
	BASE62,
	BASE64URL
} EncodingForm;

/*
 * All texts in one encoding have its width.  If the alphabet is in the order
 * of ASCII, they sort as the ids do.
 */
typedef struct Encoding
{
	const char *name;
	EncodingForm form;
	const char *alphabet;
	int			width;
	bool		may_be_short;	/* accepts missing leading zeros */
	bool		any_case;		/* accepts either case */
	int			padding;		/* accepts so many '=' at the end */
	const char *excess;			/* error for more than 128 bits */
} Encoding;

static const char greater[] = "It is a number of more than 128 bits.";
static const char not_zero[] =
"The bits behind the 128 of a UUID are not zero.";

static const Encoding encodings[] = {
	{"base32hex", BASE32HEX, BASE32HEX_DIGITS, 26, false, true, 6, not_zero},
	{"crockford", CROCKFORD, BASE32_DIGITS, 26, false, true, 0, greater},
	{"base58", BASE58, BASE58_DIGITS, 22, true, false, 0, greater},
	{"base62", BASE62, BASE62_DIGITS, 22, true, false, 0, greater},
	{"base64url", BASE64URL, BASE64URL_DIGITS, 22, false, false, 2, not_zero},
};

/* Ignores the case of the name, as PostgreSQL's encode() does. */
static const Encoding *
find_encoding(const text *name)
{
	char	   *wanted = text_to_cstring(name);

	for (int i = 0; i < lengthof(encodings); i++)
	{
		if (pg_strcasecmp(encodings[i].name, wanted) == 0)
			return &encodings[i];
	}

	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("unrecognized encoding: \"%s\"", wanted),
			 errhint("Encodings of a UUID are base32hex, crockford, base58, base62 and base64url.")));
}

/*
 * The arguments of each call are constants, so the compiler can replace
 * divisions by multiplications.
 */
static void
encode_digits(EncodingForm form, UuidWords id, char *digits)
{
	unsigned char bytes[UUID_LEN];

	layout_store(bytes, id);
	switch (form)
	{
		case BASE32HEX:
			bits_encode(BASE32HEX_DIGITS, 5, bytes, UUID_LEN, digits);
			break;
		case CROCKFORD:
			base32_encode(id, digits);
			break;
		case BASE58:
			number_encode(BASE58_DIGITS, bytes, UUID_LEN, digits, 22);
			break;
		case BASE62:
			number_encode(BASE62_DIGITS, bytes, UUID_LEN, digits, 22);
			break;
		case BASE64URL:
			bits_encode(BASE64URL_DIGITS, 6, bytes, UUID_LEN, digits);
			break;
	}
}

static bool
decode_digits(EncodingForm form, const char *digits, unsigned char *bytes)
{
	UuidWords	id;

	switch (form)
	{
		case BASE32HEX:
			return bits_decode(BASE32HEX_DIGITS, 5, digits, bytes, UUID_LEN);
		case CROCKFORD:
			if (!base32_decode(digits, &id))
				return false;
			layout_store(bytes, id);
			return true;
		case BASE58:
			return number_decode(BASE58_DIGITS, digits, 22, bytes, UUID_LEN);
		case BASE62:
			return number_decode(BASE62_DIGITS, digits, 22, bytes, UUID_LEN);
		case BASE64URL:
			return bits_decode(BASE64URL_DIGITS, 6, digits, bytes, UUID_LEN);
	}
	return false;
}

/*
 * uuid_encode(id uuid, encoding text) returns text
 *
 * The 128 bits in base32hex (RFC 4648, section 7, without padding; 26
 * characters), crockford (as a ULID; 26), base58 (Bitcoin's alphabet; 22),
 * base62 (digits, then upper, then lower case; 22) or base64url (RFC 4648,
 * section 5, without padding; 22).  Raises 22023 for another encoding.
 */
PG_FUNCTION_INFO_V1(uidext_uuid_encode);
Datum
uidext_uuid_encode(PG_FUNCTION_ARGS)
{
	const Encoding *encoding = find_encoding(PG_GETARG_TEXT_PP(1));
	char		digits[WIDTH_MAX];

	encode_digits(encoding->form, PG_GETARG_UUID_WORDS(0), digits);
	PG_RETURN_TEXT_P(cstring_to_text_with_len(digits, encoding->width));
}

static bool
is_digit(const Encoding *encoding, char character)
{
	if (encoding->form == CROCKFORD)
		return base32_value(character) >= 0;
	if (encoding->any_case)
		character = pg_ascii_toupper((unsigned char) character);
	return character != '\0' && strchr(encoding->alphabet, character) != NULL;
}

/*
 * The number of bytes before the padding.  Of RFC 4648's padding a text has
 * all or nothing; PostgreSQL's encode() pads base32hex.
 */
static int
unpadded_length(const Encoding *encoding, const text *encoded)
{
	int			length = VARSIZE_ANY_EXHDR(encoded);
	int			width = encoding->width;

	if (length == width + encoding->padding &&
		memcmp(VARDATA_ANY(encoded) + width, "======", encoding->padding) == 0)
		return width;
	return length;
}

/* What is wrong with a text that is not a UUID. */
static const char *
decode_fault(const Encoding *encoding, const text *encoded)
{
	const char *digits = VARDATA_ANY(encoded);
	int			bytes = unpadded_length(encoding, encoded);
	int			length = pg_mbstrlen_with_len(digits, bytes);
	int			place = 0;

	/* all characters before it are one byte long */
	while (place < bytes && is_digit(encoding, digits[place]))
		place++;

	if (place < bytes)
		return psprintf("Character %d is not a digit of %s.",
						place + 1, encoding->name);
	if (length == encoding->width ||
		(encoding->may_be_short && length > 0 && length < encoding->width))
		return encoding->excess;
	return psprintf("It has %d characters, but a UUID has %d.",
					length, encoding->width);
}

pg_noreturn static void
decode_error(const Encoding *encoding, const text *encoded)
{
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_TEXT_REPRESENTATION),
			 errmsg("not a UUID in %s: \"%s\"", encoding->name,
					text_to_cstring(encoded)),
			 errdetail_internal("%s", decode_fault(encoding, encoded))));
}

/*
 * uuid_decode(encoded text, encoding text) returns uuid
 *
 * The inverse of uuid_encode().  base32hex and crockford are read in either
 * case, crockford with I and L for 1 and O for 0, base58 and base62 also
 * without leading zeros, base32hex and base64url also with padding.  Raises
 * 22023 for another encoding, 22P02 for text that is not a UUID in this one.
 */
PG_FUNCTION_INFO_V1(uidext_uuid_decode);
Datum
uidext_uuid_decode(PG_FUNCTION_ARGS)
{
	text	   *encoded = PG_GETARG_TEXT_PP(0);
	const Encoding *encoding = find_encoding(PG_GETARG_TEXT_PP(1));
	int			length = unpadded_length(encoding, encoded);
	int			missing = encoding->width - length;
	char		digits[WIDTH_MAX];
	unsigned char bytes[UUID_LEN];

	if (missing != 0 && !(encoding->may_be_short && length > 0 && missing > 0))
		decode_error(encoding, encoded);

	memset(digits, encoding->alphabet[0], sizeof(digits));
	memcpy(digits + missing, VARDATA_ANY(encoded), length);
	for (int i = 0; encoding->any_case && i < length; i++)
		digits[i] = pg_ascii_toupper((unsigned char) digits[i]);

	if (!decode_digits(encoding->form, digits, bytes))
		decode_error(encoding, encoded);
	PG_RETURN_UUID_WORDS(layout_load(bytes));
}
