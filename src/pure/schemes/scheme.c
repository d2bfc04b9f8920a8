/*-------------------------------------------------------------------------
 *
 * scheme.c
 *	  The time in ids of a scheme.
 *
 *-------------------------------------------------------------------------
 */
#include "pure/schemes/scheme.h"

#include <string.h>

/* The n-th scheme, counted from 0, or NULL for the end of the table. */
const UidScheme *
scheme_number(int n)
{
	return uid_schemes[n].name != NULL ? &uid_schemes[n] : NULL;
}

/* Whether a field has the same bits in every id. */
bool
field_is_fixed(const UidField *field, uint64_t *bits)
{
	switch (field->kind)
	{
		case UID_ZERO:
			*bits = 0;
			return true;
		case UID_ONE:
			*bits = 1;
			return true;
		case UID_VERSION4:
			*bits = 4;
			return true;
		case UID_VERSION7:
			*bits = 7;
			return true;
		case UID_VARIANT:
			*bits = LAYOUT_VARIANT_RFC;
			return true;
		default:
			return false;
	}
}

/* The version of ids that are UUIDs of one, or 0. */
int
scheme_version(const UidScheme *scheme)
{
	for (const UidField *field = scheme->fields; field->kind != UID_END;
		 field++)
	{
		uint64_t	version;

		if (field->kind != UID_ZERO && field->kind != UID_ONE &&
			field->kind != UID_VARIANT && field_is_fixed(field, &version))
			return (int) version;
	}
	return 0;
}

/* The width of all fields, which may leave some bits of the last byte. */
int
scheme_bits(const UidScheme *scheme)
{
	int			bits = 0;

	for (const UidField *field = scheme->fields; field->kind != UID_END;
		 field++)
		bits += field->kind == UID_ZERO ? 0 : field->bits;
	return bits;
}

/*
 * Modulo 2^64: times before 1970, of an epoch before it, are greater than any
 * that a UUID can have.
 */
static uint64_t
epoch_us(const UidScheme *scheme)
{
	return (uint64_t) scheme->epoch_ms * 1000;
}

/* Where the time begins, and its width; false if the time is not a field. */
static bool
time_place(const UidScheme *scheme, int *from, int *bits)
{
	*from = 0;
	for (const UidField *field = scheme->fields; field->kind != UID_END;
		 field++)
	{
		*bits = field->bits;
		if (field->kind == UID_TIME)
			return true;
		*from += field->bits;
	}
	return false;
}

/*
 * The time in microseconds since 1970, floored; false when a UUID cannot have
 * it.
 */
bool
scheme_time(const UidScheme *scheme, const UidValue *value, uint64_t *unix_us)
{
	int			from;
	int			bits;
	uint64_t	ticks;
	uint64_t	us_per_tick = scheme->tick_ns / 1000;

	if (scheme->time)
		return scheme->time(value, unix_us);
	if (!time_place(scheme, &from, &bits))
		return false;

	ticks = uid_bits(value, from, bits);
	if (us_per_tick == 0)
		*unix_us = ticks / (1000 / scheme->tick_ns);
	else if (ticks <= UNIX_US_MAX / us_per_tick)
		*unix_us = ticks * us_per_tick;
	else
		return false;
	*unix_us += epoch_us(scheme);
	return *unix_us <= UNIX_US_MAX;
}

/* The least id of a time's tick; false when the scheme has no such tick. */
bool
scheme_boundary(const UidScheme *scheme, uint64_t unix_us, UidValue *value)
{
	int			from;
	int			bits;
	uint64_t	us = unix_us - epoch_us(scheme);
	uint64_t	tick_us = scheme->tick_ns / 1000;
	uint64_t	ticks;

	if (!time_place(scheme, &from, &bits) || unix_us < epoch_us(scheme) ||
		tick_us == 0)
		return false;

	ticks = us / tick_us;
	if (ticks > uid_greatest(bits))
		return false;
	memset(value, 0, sizeof(UidValue));
	uid_bits_set(value, from, bits, ticks);
	return true;
}

/* The greatest number of so many digits of base 36, and 1. */
static uint64_t
base36_limit(int bits)
{
	uint64_t	limit = 1;

	for (int digit = 0; digit < bits / UID_BASE36_BITS; digit++)
		limit *= 36;
	return limit;
}

/* What is not random in a field of a new id. */
static void
set_field(const UidField *field, int from, uint64_t ticks, UidValue *value)
{
	uint64_t	bits;

	if (field->kind == UID_TIME)
		bits = ticks;
	else if (field->kind == UID_BASE36)
		bits = uid_bits(value, from, field->bits) % base36_limit(field->bits);
	else if (!field_is_fixed(field, &bits))
		return;
	uid_bits_set(value, from, field->bits, bits);
}

/*
 * An id of a time, all of whose other fields are random, from UID_BYTES_MAX
 * random bytes.  False when the scheme has no such time.
 */
bool
scheme_generate(const UidScheme *scheme, uint64_t unix_ns,
				const unsigned char *random, UidValue *value)
{
	uint64_t	us = unix_ns / 1000 - epoch_us(scheme);
	bool		too_early = (int64_t) (unix_ns / 1000000) < scheme->epoch_ms;
	uint64_t	ticks = scheme->tick_ns < 1000
		? (us * 1000 + unix_ns % 1000) / scheme->tick_ns
		: us / (scheme->tick_ns / 1000);
	uint64_t	ticks_max = scheme->ticks_max ? scheme->ticks_max : UINT64_MAX;
	int			from = 0;

	memcpy(value->bytes, random, UID_BYTES_MAX);
	for (const UidField *field = scheme->fields; field->kind != UID_END;
		 field++)
	{
		if (field->kind == UID_TIME &&
			(too_early || ticks > ticks_max ||
			 ticks > uid_greatest(field->bits)))
			return false;
		set_field(field, from, ticks, value);
		from += field->bits;
	}
	memset(value->bytes + scheme->bytes, 0,
		   (size_t) (UID_BYTES_MAX - scheme->bytes));
	return true;
}
