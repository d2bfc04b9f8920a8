/*-------------------------------------------------------------------------
 *
 * typeid.c
 *	  A UUID as TypeID, with a prefix that says what it is the id of.
 *
 * TypeID 0.3 (https://github.com/jetify-com/typeid/tree/main/spec): a prefix
 * of up to 63 lower-case letters and underscores, an underscore, and 26 digits
 * of Crockford's base 32 in lower case.  Without a prefix there is no
 * underscore.  The specification is strict, and so is this: no upper case, no
 * letters that look like digits.
 *
 *-------------------------------------------------------------------------
 */
#include "base/uidext.h"

#include "mb/pg_wchar.h"
#include "utils/builtins.h"

#include "pure/base32.h"

#define TYPEID_DIGITS		"0123456789abcdefghjkmnpqrstvwxyz"
#define TYPEID_PREFIX_MAX	63

/* A piece of a text. */
typedef struct Piece
{
	const char *bytes;
	int			length;
} Piece;

static Piece
piece_of(const text *whole)
{
	Piece		piece = {VARDATA_ANY(whole), VARSIZE_ANY_EXHDR(whole)};

	return piece;
}

/*
 * What is wrong with a prefix, or NULL.  An empty prefix means that there is
 * none.
 */
static const char *
prefix_fault(Piece prefix)
{
	if (prefix.length == 0)
		return NULL;
	for (int i = 0; i < prefix.length; i++)
	{
		if (prefix.bytes[i] != '_' &&
			(prefix.bytes[i] < 'a' || prefix.bytes[i] > 'z'))
			return "The prefix has other characters than a to z and underscore.";
	}
	if (prefix.length > TYPEID_PREFIX_MAX)
		return "The prefix has more than 63 characters.";
	if (prefix.bytes[0] == '_' || prefix.bytes[prefix.length - 1] == '_')
		return "The prefix begins or ends with an underscore.";
	return NULL;
}

/* Splits a TypeID into its parts.  Returns what is wrong with it, or NULL. */
static const char *
typeid_fault(Piece whole, Piece *prefix, UuidWords *id)
{
	const char *digits;
	const char *fault;

	if (whole.length < BASE32_LEN)
		return "It is shorter than 26 characters.";
	digits = whole.bytes + whole.length - BASE32_LEN;
	if (whole.length > BASE32_LEN && digits[-1] != '_')
		return "There is no underscore before its last 26 characters.";
	if (whole.length == BASE32_LEN + 1)
		return "It begins with an underscore, but has no prefix.";

	prefix->bytes = whole.bytes;
	prefix->length = Max(whole.length - BASE32_LEN - 1, 0);
	fault = prefix_fault(*prefix);
	if (fault != NULL)
		return fault;
	for (int i = 0; i < BASE32_LEN; i++)
	{
		if (digits[i] == '\0' || strchr(TYPEID_DIGITS, digits[i]) == NULL)
			return "Its last 26 characters are not all digits of Crockford's base 32 in lower case.";
	}
	if (!base32_decode(digits, id))
		return "The first of its last 26 characters is greater than 7, which is more than 128 bits.";
	return NULL;
}

static Piece
typeid_parse(const text *whole, UuidWords *id)
{
	Piece		prefix = {NULL, 0};
	const char *fault = typeid_fault(piece_of(whole), &prefix, id);

	if (fault != NULL)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_TEXT_REPRESENTATION),
				 errmsg("invalid TypeID: \"%s\"", text_to_cstring(whole)),
				 errdetail_internal("%s", fault)));
	return prefix;
}

/*
 * uuid_to_typeid(id uuid, prefix text) returns text
 *
 * Raises 22023 for a prefix that the specification does not allow.
 */
PG_FUNCTION_INFO_V1(uidext_uuid_to_typeid);
Datum
uidext_uuid_to_typeid(PG_FUNCTION_ARGS)
{
	Piece		prefix = piece_of(PG_GETARG_TEXT_PP(1));
	const char *fault = prefix_fault(prefix);
	char		whole[TYPEID_PREFIX_MAX + 1 + BASE32_LEN];
	char	   *digits = whole;
	int			length;

	if (fault != NULL)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("invalid prefix of a TypeID: \"%s\"",
						text_to_cstring(PG_GETARG_TEXT_PP(1))),
				 errdetail_internal("%s", fault)));

	if (prefix.length > 0)
	{
		memcpy(whole, prefix.bytes, prefix.length);
		whole[prefix.length] = '_';
		digits += prefix.length + 1;
	}
	base32_encode(PG_GETARG_UUID_WORDS(0), digits);
	/* to lower case; digits stay the same */
	for (int i = 0; i < BASE32_LEN; i++)
		digits[i] |= 0x20;

	length = digits + BASE32_LEN - whole;
	PG_RETURN_TEXT_P(cstring_to_text_with_len(whole, length));
}

/*
 * typeid_to_uuid(typeid text, prefix text) returns uuid
 *
 * The inverse of uuid_to_typeid().  Unless the argument prefix is null, the
 * text has to have this prefix.  Raises 22P02 for text that is not a TypeID
 * and 22023 for another prefix.
 */
PG_FUNCTION_INFO_V1(uidext_typeid_to_uuid);
Datum
uidext_typeid_to_uuid(PG_FUNCTION_ARGS)
{
	UuidWords	id;
	Piece		prefix;
	Piece		wanted;

	if (PG_ARGISNULL(0))
		PG_RETURN_NULL();
	prefix = typeid_parse(PG_GETARG_TEXT_PP(0), &id);
	if (PG_ARGISNULL(1))
		PG_RETURN_UUID_WORDS(id);

	wanted = piece_of(PG_GETARG_TEXT_PP(1));
	if (prefix.length != wanted.length ||
		memcmp(prefix.bytes, wanted.bytes, wanted.length) != 0)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("TypeID has prefix \"%s\", not \"%s\"",
						pnstrdup(prefix.bytes, prefix.length),
						text_to_cstring(PG_GETARG_TEXT_PP(1)))));
	PG_RETURN_UUID_WORDS(id);
}

/*
 * typeid_prefix(typeid text) returns text
 *
 * The empty text when there is none.  Raises 22P02 for text that is not a
 * TypeID.
 */
PG_FUNCTION_INFO_V1(uidext_typeid_prefix);
Datum
uidext_typeid_prefix(PG_FUNCTION_ARGS)
{
	UuidWords	id;
	Piece		prefix = typeid_parse(PG_GETARG_TEXT_PP(0), &id);

	PG_RETURN_TEXT_P(cstring_to_text_with_len(prefix.bytes, prefix.length));
}
