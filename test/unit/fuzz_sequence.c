/*-------------------------------------------------------------------------
 *
 * fuzz_sequence.c
 *	  Laws of src/pure/schemes/sequence.c that hold for all splits, counts and nodes,
 *	  for libFuzzer to break.
 *
 *-------------------------------------------------------------------------
 */
#include <stddef.h>
#include <stdlib.h>

#include "pure/schemes/scheme.h"

#define CHECK(law)	do { if (!(law)) abort(); } while (0)

/* Two counts, a node, and the parameters of a scheme behind them. */
#define NUMBERS	24

int			LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Time, node and sequence have all bits of the id, and a count is some time. */
static void
split_is_whole(const UidScheme *scheme, const UidSplit *split)
{
	CHECK(split->time_bits > 0 && split->sequence_bits >= 0 && split->node_bits >= 0);
	CHECK(split->sequence_bits + split->node_bits == split->below);
	CHECK(split->time_bits + split->below <= 64);
	CHECK(split->shift + split->sequence_bits <= split->below);
	CHECK(split->count_bits <= split->sequence_bits && split->count_bits <= UID_UNIT_BITS);
	CHECK(split->unit > 0);
	CHECK(split->unit << split->count_bits == scheme->tick_ns / TICK_MS << UID_UNIT_BITS);
	CHECK(split->counter >= 0 && split->counter < UID_COUNTERS);
	CHECK(split->step >= split->unit && split->step - split->unit <= split->unit / 4);
}

/* Two ids are ordered as their counts are, and equal where those are. */
static void
ids_are_ordered(const UidSplit *split, uint64_t a, uint64_t b, uint64_t node)
{
	uint64_t	a_id;
	uint64_t	b_id;
	bool		a_fits = scheme_split_pack(split, a, node, &a_id);
	bool		b_fits = scheme_split_pack(split, b, node, &b_id);

	CHECK(a_fits == (a >> split->count_bits <= uid_greatest(split->time_bits)));
	if (!a_fits || !b_fits)
		return;
	CHECK((a < b) == (a_id < b_id) && (a == b) == (a_id == b_id));
}

/* The node and the count can be read again. */
static void
id_gives_back(const UidSplit *split, uint64_t count, uint64_t node)
{
	uint64_t	id;
	uint64_t	rest;

	if (!scheme_split_pack(split, count, node, &id))
		return;
	CHECK(split->below == 64 || id >> split->below == count >> split->count_bits);
	rest = id & uid_greatest(split->below);
	CHECK((rest >> split->shift & uid_greatest(split->sequence_bits)) == (count & uid_greatest(split->count_bits)));
	CHECK(((rest & uid_greatest(split->shift)) |
		   rest >> split->shift >> split->sequence_bits << split->shift) == node);
}

static void
bigint_ids(const UidScheme *scheme, uint64_t a, uint64_t b, uint64_t node)
{
	UidSplit	split;
	uint64_t	greatest;

	scheme_split(scheme, &split);
	split_is_whole(scheme, &split);
	node &= uid_greatest(split.node_bits);
	greatest = uid_greatest(split.time_bits + split.count_bits);
	ids_are_ordered(&split, a, b, node);
	ids_are_ordered(&split, a & greatest, b & greatest, node);
	id_gives_back(&split, a & greatest, node);
}

/* Ids of a node that fit are read by the scheme, in the order of their moments. */
static void
node_ids(const UidScheme *scheme, uint64_t a, uint64_t b, uint64_t node)
{
	uint64_t	step = scheme_node_step(scheme);
	uint64_t	clock_seq = node >> 48 & 0x3fff;
	UidValue	a_id;
	UidValue	b_id;
	uint64_t	unix_us;

	if (step == 0)
		return;
	/* the 60 bits of a v1's timestamp */
	a = (a >> 4) / step * step;
	b = (b >> 4) / step * step;
	node &= UINT64_MAX >> 16;
	if (!scheme_node_pack(scheme, a, clock_seq, node, &a_id) ||
		!scheme_node_pack(scheme, b, clock_seq, node, &b_id))
		return;
	CHECK((a < b) == (memcmp(a_id.bytes, b_id.bytes, UID_BYTES_MAX) < 0));
	CHECK((a == b) == (memcmp(a_id.bytes, b_id.bytes, UID_BYTES_MAX) == 0));
	CHECK(scheme_time(scheme, &a_id, &unix_us) && unix_us <= a / 10 && a / 10 - unix_us < 1000);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const UidScheme *scheme;
	UidScheme	found;
	uint64_t	numbers[NUMBERS / 8];
	char		name[10 + 64] = "snowflake:";
	int			rest;

	if (size < NUMBERS)
		return 0;
	for (int i = 0; i < NUMBERS / 8; i++)
		numbers[i] = layout_load64(data + i * 8);

	for (int n = 0; (scheme = scheme_number(n)) != NULL; n++)
	{
		if (scheme_is_bigint(scheme))
			bigint_ids(scheme, numbers[0], numbers[1], numbers[2]);
		node_ids(scheme, numbers[0], numbers[1], numbers[2]);
	}

	rest = (int) (size - NUMBERS < 64 ? size - NUMBERS : 64);
	memcpy(name + 10, data + NUMBERS, (size_t) rest);
	if (scheme_find(name, 10 + rest, &found) == NULL)
		bigint_ids(&found, numbers[0], numbers[1], numbers[2]);
	return 0;
}
