/*-------------------------------------------------------------------------
 *
 * to_uuid.c
 *	  Ids of any scheme as UUIDs, and back.
 *
 *-------------------------------------------------------------------------
 */
#include "pure/schemes/scheme.h"

#include <string.h>

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
	for (const UidField *field = scheme->fields; field->kind != UID_END;
		 field++)
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

	if (scheme->same_bits)
		return true;
	other_place(scheme, &from, &bits);
	return bits <= V7_OTHER_BITS;
}

/* False when the id has no time that a UUID can have. */
bool
scheme_to_uuid(const UidScheme *scheme, const UidValue *value,
			   UuidWords *words)
{
	uint64_t	unix_us;
	int			from;
	int			bits;
	int			first;
	int			second;

	if (scheme->same_bits)
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
						 unix_us / 1000 << 12 | uid_bits(value, from, first)
						 << (12 - first),
						 uid_bits(value, from + first, second)
						 << (TAIL_BITS - second));
	return true;
}

/* The id of which scheme_to_uuid() makes this; false when there is none. */
bool
scheme_from_uuid(const UidScheme *scheme, UuidWords words, UidValue *value)
{
	UuidWords	made;
	int			from;
	int			bits;
	int			first;
	int			second;

	memset(value, 0, sizeof(UidValue));
	if (scheme->same_bits)
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
	uid_bits_set(value, from, first,
				 (layout_head(words) & LAYOUT_MASK(12)) >> (12 - first));
	uid_bits_set(value, from + first, second,
				 layout_tail(words) >> (TAIL_BITS - second));
	return scheme_to_uuid(scheme, value, &made) && layout_equal(made, words);
}
