/*-------------------------------------------------------------------------
 *
 * ulid.c
 *	  A UUID as ULID text, and back.
 *
 * A ULID is 48 bits of Unix milliseconds and 80 random bits, written in 26
 * digits of Crockford's base 32 (https://github.com/ulid/spec).  It has no
 * version and no variant, so any UUID can be written as one.
 *
 *-------------------------------------------------------------------------
 */
#include "uidext.h"

#include "mb/pg_wchar.h"
#include "utils/builtins.h"

#include "base32.h"

/*
 * uuid_to_ulid(id uuid) returns text
 *
 * The 128 bits as 26 digits in upper case, the form that the specification
 * calls canonical.  In the collation "C" they sort as the UUIDs do.
 */
PG_FUNCTION_INFO_V1(uidext_uuid_to_ulid);
Datum
uidext_uuid_to_ulid(PG_FUNCTION_ARGS)
{
	char		digits[BASE32_LEN];

	base32_encode(PG_GETARG_UUID_WORDS(0), digits);
	PG_RETURN_TEXT_P(cstring_to_text_with_len(digits, BASE32_LEN));
}

/* What is wrong with a text that is no ULID. */
static void
ulid_syntax_error(const text *ulid)
{
	const char *digits = VARDATA_ANY(ulid);
	int			bytes = VARSIZE_ANY_EXHDR(ulid);
	int			length = pg_mbstrlen_with_len(digits, bytes);
	int			place = 0;

	/* up to there, bytes are characters */
	while (place < bytes && base32_value(digits[place]) >= 0)
		place++;

	ereport(ERROR,
			(errcode(ERRCODE_INVALID_TEXT_REPRESENTATION),
			 errmsg("invalid input syntax for type %s: \"%s\"", "ulid", text_to_cstring(ulid)),
			 length != BASE32_LEN ?
			 errdetail("A ULID has %d characters, not %d.", BASE32_LEN, length) :
			 place < bytes ?
			 errdetail("Character %d is not a digit of Crockford's base 32.", place + 1) :
			 errdetail("A ULID begins with a digit from 0 to %d, because it has 128 bits.", BASE32_FIRST_MAX)));
}

/*
 * ulid_to_uuid(ulid text) returns uuid
 *
 * The inverse of uuid_to_ulid().  Raises 22P02 for text that is no ULID.
 *
 * Upper and lower case are the same, and I and L are read as 1, O as 0: the
 * specification names Crockford's base 32 for the encoding and is silent about
 * these letters, which Crockford decodes so.  Libraries differ: ulid-creator
 * (Java) reads them, ulid (JavaScript) after fixULIDBase32(), ParseStrict() of
 * oklog/ulid (Go) and ulid (Rust) refuse them.  Hyphens, which Crockford
 * allows, are not in a ULID.
 */
PG_FUNCTION_INFO_V1(uidext_ulid_to_uuid);
Datum
uidext_ulid_to_uuid(PG_FUNCTION_ARGS)
{
	text	   *ulid = PG_GETARG_TEXT_PP(0);
	UuidWords	words;

	if (VARSIZE_ANY_EXHDR(ulid) == BASE32_LEN && base32_decode(VARDATA_ANY(ulid), &words))
		PG_RETURN_UUID_WORDS(words);

	ulid_syntax_error(ulid);
	PG_RETURN_NULL();			/* not reached */
}
