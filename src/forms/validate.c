/*-------------------------------------------------------------------------
 *
 * validate.c
 *	  Whether an id is a UUIDv4, and whether a text is written as a UUID.
 *
 * The checks of a family's ids are in the file of the family, and
 * uuid_is_recent() is in inspect.c.
 *
 *-------------------------------------------------------------------------
 */
#include "base/uidext.h"

#include "pure/hex.h"

#define CANONICAL_LEN	36

/*
 * uuidv4_is_valid(id uuid) returns bool
 *
 * Whether version and variant are those of a UUIDv4, which COMBs have, too.
 */
PG_FUNCTION_INFO_V1(uidext_uuidv4_is_valid);
Datum
uidext_uuidv4_is_valid(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(layout_is(PG_GETARG_UUID_WORDS(0), 4));
}

static bool
is_hyphen_place(int place)
{
	return place == 8 || place == 13 || place == 18 || place == 23;
}

/*
 * uuid_is_canonical(id text) returns bool
 *
 * Whether the text is a UUID as RFC 9562, section 4, writes it: 32 hex digits
 * of either case in groups of 8, 4, 4, 4 and 12, with hyphens between, and
 * nothing else.  The type's own input takes more spellings.
 */
PG_FUNCTION_INFO_V1(uidext_uuid_is_canonical);
Datum
uidext_uuid_is_canonical(PG_FUNCTION_ARGS)
{
	text	   *id = PG_GETARG_TEXT_PP(0);
	const char *digits = VARDATA_ANY(id);

	if (VARSIZE_ANY_EXHDR(id) != CANONICAL_LEN)
		PG_RETURN_BOOL(false);
	for (int place = 0; place < CANONICAL_LEN; place++)
	{
		if (is_hyphen_place(place) ? digits[place] != '-'
			: hex_value(digits[place]) < 0)
			PG_RETURN_BOOL(false);
	}
	PG_RETURN_BOOL(true);
}
