/*-------------------------------------------------------------------------
 *
 * sequence.c
 *	  Laws of ids that hold the number of a node: where the sequence is, and
 *	  how one id follows the other.
 *
 *-------------------------------------------------------------------------
 */
#include "unit.h"

#include "pure/schemes/scheme.h"

#define TRIES	2000

static UidScheme
scheme_of(const char *name)
{
	UidScheme	scheme;

	assert_null(scheme_find(name, (int) strlen(name), &scheme));
	return scheme;
}

/* Where each has its sequence, and its unit in 1/2^20 ms. */
static void
sequence_is_where_it_is(void **state)
{
	static const struct
	{
		const char *name;
		int			time_bits;
		int			node_bits;
		int			sequence_bits;
		int			shift;
		uint64_t	unit;
		int			sequences;
	}			expected[] = {
		{"snowflake", 41, 10, 12, 0, 256, 1},
		{"discord", 42, 10, 12, 0, 256, 1},
		{"instagram", 41, 13, 10, 0, 1024, 1},
		{"sonyflake", 39, 16, 8, 16, 40960, 1},
		{"sonyflake2", 39, 16, 8, 16, 40960, 1},
		{"pgedge", 41, 10, 12, 0, 256, 1},
		{"flakeid", 42, 10, 12, 0, 256, 1},
		{"tsid", 42, 10, 12, 0, 256, 1},
		/* the field of that name */
		{"instagram:shard=4,sequence=18", 42, 4, 18, 0, 4, 1},
		{"snowflake:counter=16,host=6", 41, 6, 16, 6, 16, 1},
		{"snowflake:node=6,counter=10,host=6", 41, 12, 10, 6, 1024, 1},
		{"snowflake:shard=12,seq=10", 41, 12, 10, 0, 1024, 1},
		{"snowflake:increment=1,host=21", 41, 21, 1, 21, 1 << 19, 1},
		/* as fine as a moment is */
		{"snowflake:sequence=22", 41, 0, 22, 0, 1, 1},
		{"snowflake:tick=60000,node=28,sequence=4", 31, 28, 4, 0, UINT64_C(3750) << 20, 1},
		/* random bits alone are a node's, too */
		{"snowflake:random=22", 41, 10, 12, 0, 256, 1},
		/* none, or two */
		{"snowflake:node=22", 41, 22, 0, 22, UINT64_C(1) << 20, 0},
		{"snowflake:sequnce=12,node=10", 41, 22, 0, 22, UINT64_C(1) << 20, 0},
		{"snowflake:count=4,node=6,sequence=12", 41, 10, 12, 0, 256, 2},
	};

	(void) state;
	for (size_t i = 0; i < sizeof(expected) / sizeof(expected[0]); i++)
	{
		UidScheme	scheme = scheme_of(expected[i].name);
		UidSplit	split;

		print_message("%s\n", expected[i].name);
		scheme_split(&scheme, &split);
		assert_int_equal(split.time_bits, expected[i].time_bits);
		assert_int_equal(split.node_bits, expected[i].node_bits);
		assert_int_equal(split.sequence_bits, expected[i].sequence_bits);
		assert_int_equal(split.shift, expected[i].shift);
		assert_int_equal(split.unit, expected[i].unit);
		assert_int_equal(split.sequences, expected[i].sequences);
	}
}

/* Each of ours has a counter of its own, however it is spelled. */
static void
our_counters_are_apart(void **state)
{
	static const char *const spelled[][2] = {
		{"snowflake", "snowflake:1288834974657"},
		{"snowflake", "snowflake:host=10,seq=12"},
		{"snowflake", "discord:1288834974657"},
		{"discord", "flakeid:1420070400000"},
		{"instagram", "instagram:shard=13,count=10"},
		{"sonyflake2", "sonyflake:1735689600000"},
		{"tsid", "flakeid:epoch=1577836800000,node=10,random=12"},
	};
	bool		taken[UID_COUNTERS] = {false};

	(void) state;
	for (const UidScheme *scheme = uid_schemes; scheme->name != NULL; scheme++)
	{
		UidSplit	split;

		if (!scheme_is_bigint(scheme))
			continue;
		scheme_split(scheme, &split);
		assert_true(split.counter >= UID_STEPS && split.counter < UID_COUNTERS);
		assert_false(taken[split.counter]);
		taken[split.counter] = true;
		assert_int_equal(split.step, split.unit);
	}

	for (size_t i = 0; i < sizeof(spelled) / sizeof(spelled[0]); i++)
	{
		UidScheme	one = scheme_of(spelled[i][0]);
		UidScheme	other = scheme_of(spelled[i][1]);
		UidSplit	split;
		UidSplit	other_split;

		print_message("%s\n", spelled[i][1]);
		scheme_split(&one, &split);
		scheme_split(&other, &other_split);
		assert_int_equal(split.counter, other_split.counter);
	}
}

/* All others that share a counter have one step, at most a quarter too long. */
static void
others_share_by_step(void **state)
{
	uint64_t	steps[UID_STEPS] = {0};
	uint64_t	least = 0;

	(void) state;
	for (uint64_t tick = 1; tick <= 86400000; tick += tick < 5000 ? 1 : tick / 1000)
	{
		for (int bits = 1; bits <= 22; bits++)
		{
			UidScheme	scheme = scheme_of("snowflake:node=20,sequence=21");
			UidSplit	split;

			scheme.fields[3].bits = bits;
			scheme.tick_ns = tick * TICK_MS;
			scheme_split(&scheme, &split);
			assert_true(split.counter >= 0 && split.counter < UID_STEPS);
			assert_true(split.step >= split.unit);
			assert_true(split.step <= split.unit + split.unit / 4);
			if (steps[split.counter] == 0)
				steps[split.counter] = split.step;
			assert_int_equal(steps[split.counter], split.step);
		}
	}

	for (int counter = 0; counter < UID_STEPS; counter++)
	{
		assert_true(steps[counter] == 0 || steps[counter] > least);
		least = steps[counter] > 0 ? steps[counter] : least;
	}
}

/* What is packed is read by the scheme, ids follow each other, nodes differ. */
static void
ids_follow_each_other(void **state)
{
	const UidScheme *scheme;

	(void) state;
	for (int n = 0; (scheme = scheme_number(n)) != NULL; n++)
	{
		UidSplit	split;

		if (!scheme_is_bigint(scheme))
			continue;
		scheme_split(scheme, &split);
		for (int round = 0; round < TRIES; round++)
		{
			uint64_t	count = field_value(round, split.time_bits + split.count_bits - 8);
			uint64_t	node = field_value(round / 7, split.node_bits);
			uint64_t	id;
			uint64_t	next;
			uint64_t	unix_us;
			UidValue	value = {{0}};

			assert_true(scheme_split_pack(&split, count, node, &id));
			assert_true(scheme_split_pack(&split, count + 1, node, &next));
			assert_true(id < next);

			layout_store64(value.bytes, id);
			assert_true(scheme_time(scheme, &value, &unix_us));
			assert_int_equal(unix_us, (uint64_t) scheme->epoch_ms * 1000 +
							 (count >> split.count_bits) * (scheme->tick_ns / 1000));

			/* another node never has this id, and each bit of it is in the id */
			for (int bit = 0; bit < split.node_bits; bit++)
			{
				uint64_t	other;

				assert_true(scheme_split_pack(&split, count, node ^ UINT64_C(1) << bit, &other));
				assert_int_equal(__builtin_popcountll(other ^ id), 1);
			}
		}
	}
}

/* The last tick is the last. */
static void
times_end(void **state)
{
	const UidScheme *scheme;

	(void) state;
	for (int n = 0; (scheme = scheme_number(n)) != NULL; n++)
	{
		UidSplit	split;
		uint64_t	ticks;
		uint64_t	id;

		if (!scheme_is_bigint(scheme))
			continue;
		scheme_split(scheme, &split);
		ticks = ONES(split.time_bits);
		assert_true(scheme_split_pack(&split, (ticks << split.count_bits) + uid_greatest(split.count_bits), 0, &id));
		assert_false(scheme_split_pack(&split, (ticks + 1) << split.count_bits, 0, &id));
	}
}

/* 48 bits of milliseconds end, 64 do not. */
static void
times_of_a_node_end(void **state)
{
	static const char *const names[] = {"elasticflake", "flake", "lexicaluuid"};

	(void) state;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
	{
		UidScheme	scheme = scheme_of(names[i]);
		uint64_t	end = (UINT64_C(1) << 48) * 10000;
		UidValue	value;

		assert_true(scheme_node_pack(&scheme, end - 1, 0, 0, &value));
		assert_int_equal(scheme_node_pack(&scheme, end, 0, 0, &value), i > 0);
	}
}

/* In how many 100 ns a node of 48 bits makes one, and those that have none. */
static void
steps_are_known(void **state)
{
	const UidScheme *scheme;

	(void) state;
	for (int n = 0; (scheme = scheme_number(n)) != NULL; n++)
	{
		uint32_t	expected = 0;

		if (strcmp(scheme->name, "lexicaluuid") == 0)
			expected = 10;
		else if (strcmp(scheme->name, "flake") == 0 || strcmp(scheme->name, "elasticflake") == 0)
			expected = 1;
		assert_int_equal(scheme_node_step(scheme), expected);
	}
}

/*
 * Ids of one node follow each other by the step, hold time and node, and the
 * clock sequence tells those of one moment apart as far as there is room.
 */
static void
ids_of_a_node_follow_each_other(void **state)
{
	static const struct
	{
		const char *name;
		int			node_at;
		int			clock_seq_bits;
	}			schemes[] = {
		{"lexicaluuid", 80, 14}, {"flake", 64, 2}, {"elasticflake", 48, 10}
	};

	(void) state;
	for (size_t i = 0; i < sizeof(schemes) / sizeof(schemes[0]); i++)
	{
		UidScheme	scheme = scheme_of(schemes[i].name);
		uint64_t	step = scheme_node_step(&scheme);

		for (int round = 0; round < TRIES; round++)
		{
			uint64_t	at = UINT64_C(17000000000000000) + next_random() % UINT64_C(10000000000000000);
			uint64_t	clock_seq = field_value(round, 14);
			uint64_t	node = field_value(round / 3, 48);
			uint64_t	unix_us;
			UidValue	value;
			UidValue	next;
			UidValue	other;

			at = at / step * step;
			assert_true(scheme_node_pack(&scheme, at, clock_seq, node, &value));
			assert_true(scheme_node_pack(&scheme, at + step, clock_seq, node, &next));
			assert_true(memcmp(value.bytes, next.bytes, UID_BYTES_MAX) < 0);
			/* whatever was there before */
			memset(&other, round, sizeof(other));
			assert_true(scheme_node_pack(&scheme, at, clock_seq, node, &other));
			assert_memory_equal(other.bytes, value.bytes, UID_BYTES_MAX);
			assert_int_equal(uid_bits(&value, schemes[i].node_at, 48), node);
			assert_true(scheme_time(&scheme, &value, &unix_us));
			assert_int_equal(unix_us, at / 10 / (scheme.tick_ns / 1000) * (scheme.tick_ns / 1000));

			assert_true(scheme_node_pack(&scheme, at, clock_seq + 1, node, &other));
			assert_memory_not_equal(other.bytes, value.bytes, UID_BYTES_MAX);
			assert_true(scheme_node_pack(&scheme, at, clock_seq ^ UINT64_C(1) << (schemes[i].clock_seq_bits - 1), node, &other));
			assert_memory_not_equal(other.bytes, value.bytes, UID_BYTES_MAX);
		}
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sequence_is_where_it_is),
		cmocka_unit_test(our_counters_are_apart),
		cmocka_unit_test(others_share_by_step),
		cmocka_unit_test(ids_follow_each_other),
		cmocka_unit_test(times_end),
		cmocka_unit_test(times_of_a_node_end),
		cmocka_unit_test(steps_are_known),
		cmocka_unit_test(ids_of_a_node_follow_each_other),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
