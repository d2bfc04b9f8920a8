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
 * Bits that all ids of the scheme have in common, such as a version, are left
 * out.  For most schemes, 74 bits hold all others.  A KSUID has 128 and a CUID
 * 84, of which the first 74 are kept; uid_schemes() says that such schemes are
 * not reversible.  Ids of one scheme keep their order as uuids, because the
 * bits that follow the millisecond come first among the others.
 */
#define V7_OTHER_BITS	(12 + TAIL_BITS)

/* The field after the time, and where it begins. */
static const UidField *
first_other(const UidScheme *scheme, int *from)
{
	const UidField *field = scheme->fields;

	*from = 0;
	while (field->kind != UID_END && field->kind != UID_TIME)
		*from += (field++)->bits;
	if (field->kind == UID_TIME)
		*from += (field++)->bits;
	return field;
}

/* How many bits are after the time. */
static int
other_bits(const UidScheme *scheme)
{
	int			from;
	int			bits = 0;
	uint64_t	fixed;

	for (const UidField *field = first_other(scheme, &from);
		 field->kind != UID_END; field++)
		bits += field_is_fixed(field, &fixed) ? 0 : field->bits;
	return bits;
}

static void
copy_bits(const UidValue *source, int from, int bits, UidValue *target, int to)
{
	for (int done = 0; done < bits; done += 32)
	{
		int			some = bits - done < 32 ? bits - done : 32;

		uid_bits_set(target, to + done, some,
					 uid_bits(source, from + done, some));
	}
}

/* The bits after the time, packed from the first one on; zeros after them. */
static UidValue
get_others(const UidScheme *scheme, const UidValue *value)
{
	UidValue	others = {{0}};
	int			from;
	int			to = 0;
	uint64_t	fixed;

	for (const UidField *field = first_other(scheme, &from);
		 field->kind != UID_END; field++)
	{
		if (!field_is_fixed(field, &fixed))
		{
			copy_bits(value, from, field->bits, &others, to);
			to += field->bits;
		}
		from += field->bits;
	}
	return others;
}

/*
 * The inverse: puts the others into their fields, and fills in all fixed bits.
 */
static void
set_others(const UidScheme *scheme, const UidValue *others, UidValue *value)
{
	int			to = 0;
	int			from = 0;
	int			first;
	const UidField *other = first_other(scheme, &first);

	for (const UidField *field = scheme->fields; field->kind != UID_END;
		 field++)
	{
		uint64_t	fixed;

		if (field_is_fixed(field, &fixed))
			uid_bits_set(value, to, field->bits, fixed);
		else if (field >= other)
		{
			copy_bits(others, from, field->bits, value, to);
			from += field->bits;
		}
		to += field->bits;
	}
}

/* Whether the id can be converted back from a uuid. */
bool
scheme_fits_uuid(const UidScheme *scheme)
{
	return scheme->same_bits || other_bits(scheme) <= V7_OTHER_BITS;
}

/* False if a UUID cannot hold the time of the id. */
bool
scheme_to_uuid(const UidScheme *scheme, const UidValue *value,
			   UuidWords *words)
{
	uint64_t	unix_us;
	UidValue	others;

	if (scheme->same_bits)
	{
		*words = layout_load(value->bytes);
		return true;
	}
	if (!scheme_time(scheme, value, &unix_us))
		return false;

	others = get_others(scheme, value);
	*words = layout_pack(7, unix_us / 1000 << 12 | uid_bits(&others, 0, 12),
						 uid_bits(&others, 12, TAIL_BITS));
	return true;
}

/* The id of which scheme_to_uuid() makes this; false if there is none. */
bool
scheme_from_uuid(const UidScheme *scheme, UuidWords words, UidValue *value)
{
	UuidWords	made;
	UidValue	others = {{0}};

	memset(value, 0, sizeof(UidValue));
	if (scheme->same_bits)
	{
		layout_store(value->bytes, words);
		return scheme_check(scheme, value) == UID_OK;
	}
	if (!layout_is(words, 7) || !scheme_fits_uuid(scheme) ||
		!scheme_boundary(scheme, layout_unix_ms(words) * 1000, value))
		return false;

	uid_bits_set(&others, 0, 12, layout_head(words) & LAYOUT_MASK(12));
	uid_bits_set(&others, 12, TAIL_BITS, layout_tail(words));
	set_others(scheme, &others, value);
	return scheme_to_uuid(scheme, value, &made) && layout_equal(made, words);
}
