/*-------------------------------------------------------------------------
 *
 * sequence.c
 *	  Ids that hold the number of a node, each of which follows the last one.
 *
 *-------------------------------------------------------------------------
 */
#include "pure/schemes/scheme.h"

#include <string.h>

/*
 * How many of a TSID's random bits its Java library uses for the node by
 * default.
 */
#define TSID_NODE_BITS	10

#define HUNDRED_NS		100

/* The fraction of a millisecond in 100 ns, beside a node of uidext.node. */
#define FRACTION_BITS	14
#define FRACTIONS_PER_MS 10000

static bool
is_sequence(const UidField *field)
{
	static const char *const names[] = {
		"sequence", "seq", "counter", "count", "increment", "random"
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
	{
		if (strcmp(field->name, names[i]) == 0)
			return true;
	}
	return false;
}

static void
split_fields(const UidScheme *scheme, UidSplit *split)
{
	const UidField *field = scheme->fields;

	memset(split, 0, sizeof(UidSplit));
	for (; field->kind != UID_TIME; field++)
		;
	split->time_bits = field->bits;
	for (field++; field->kind != UID_END; field++)
	{
		split->below += field->bits;
		split->shift += field->bits;
		if (is_sequence(field))
		{
			split->sequences++;
			split->sequence_bits = field->bits;
			split->shift = 0;
		}
	}
	/* if all other bits are random, some of them become the node */
	if (split->sequence_bits == split->below &&
		strcmp(field[-1].name, "random") == 0 &&
		split->sequence_bits > TSID_NODE_BITS)
		split->sequence_bits -= TSID_NODE_BITS;

	split->node_bits = split->below - split->sequence_bits;
	split->count_bits = split->sequence_bits < UID_UNIT_BITS
		? split->sequence_bits : UID_UNIT_BITS;
	split->unit = scheme->tick_ns / TICK_MS;
	split->unit = split->unit << UID_UNIT_BITS >> split->count_bits;
}

/* Whether a scheme of the table makes the same ids, however it is spelled. */
static bool
makes_same_ids(const UidScheme *scheme, const UidSplit *split,
			   const UidScheme *ours)
{
	UidSplit	our_split;

	split_fields(ours, &our_split);
	return scheme->epoch_ms == ours->epoch_ms &&
		scheme->tick_ns == ours->tick_ns &&
		split->below == our_split.below &&
		split->shift == our_split.shift &&
		split->sequence_bits == our_split.sequence_bits;
}

static void
find_counter(const UidScheme *scheme, UidSplit *split)
{
	int			counter = UID_STEPS;
	int			dropped = 0;
	int			digits;

	for (int n = 0; uid_schemes[n].name != NULL; n++)
	{
		if (!scheme_is_bigint(&uid_schemes[n]))
			continue;
		if (makes_same_ids(scheme, split, &uid_schemes[n]))
		{
			split->counter = counter;
			split->step = split->unit;
			return;
		}
		counter++;
	}

	while (split->unit >> dropped >> UID_STEP_DIGITS > 0)
		dropped++;
	digits = (int) ((split->unit - 1) >> dropped) + 1;
	split->step = (uint64_t) digits << dropped;
	/* rounded up to 8, it is the counter of 4 with one more bit dropped */
	split->counter = (dropped << (UID_STEP_DIGITS - 1)) + digits;
}

/*
 * Where a 64-bit id has its sequence, and how many fields are named as one:
 * new ids need exactly one.  All other bits after the time are the node.
 */
void
scheme_split(const UidScheme *scheme, UidSplit *split)
{
	split_fields(scheme, split);
	find_counter(scheme, split);
}

/*
 * The id of a count of units since the scheme's epoch, and of a node; false
 * when the scheme has no such time.
 */
bool
scheme_split_pack(const UidSplit *split, uint64_t count, uint64_t node,
				  uint64_t *id)
{
	uint64_t	ticks = count >> split->count_bits;
	uint64_t	sequence = count & uid_greatest(split->count_bits);
	int			above = split->shift + split->sequence_bits;

	if (ticks > uid_greatest(split->time_bits))
		return false;
	*id = ticks << split->below |
		node >> split->shift << above |
		sequence << split->shift |
		(node & uid_greatest(split->shift));
	return true;
}

/*
 * In how many 100 ns a node of 48 bits makes one id of the scheme; 0 for
 * schemes that do not hold such a node.
 */
uint32_t
scheme_node_step(const UidScheme *scheme)
{
	uint32_t	step = 0;

	if (scheme->generated)
		return 0;
	for (const UidField *field = scheme->fields; field->kind != UID_END;
		 field++)
	{
		if (field->kind == UID_HEX && field->bits >= NODE_BITS && step == 0)
			step = (uint32_t) (scheme->tick_ns / HUNDRED_NS);
		else if (field->kind == UID_NUMBER && step > 0)
			step = 1;
	}
	return step;
}

/*
 * The id of a node at a time in 100 ns since 1970.  The clock sequence comes
 * before the node or the fraction of the millisecond, if there is room.  False
 * if the scheme has no such time.
 */
bool
scheme_node_pack(const UidScheme *scheme, uint64_t unix_100ns,
				 uint64_t clock_seq, uint64_t node, UidValue *value)
{
	uint64_t	ticks = unix_100ns / (scheme->tick_ns / HUNDRED_NS);
	uint64_t	fraction = unix_100ns % FRACTIONS_PER_MS;
	int			from = 0;

	memset(value, 0, sizeof(UidValue));
	for (const UidField *field = scheme->fields; field->kind != UID_END;
		 field++)
	{
		if (field->kind == UID_TIME && ticks > uid_greatest(field->bits))
			return false;
		uid_bits_set(value, from, field->bits,
					 field->kind == UID_TIME ? ticks :
					 field->kind == UID_HEX ? clock_seq << NODE_BITS | node :
					 clock_seq << FRACTION_BITS | fraction);
		from += field->bits;
	}
	return true;
}
