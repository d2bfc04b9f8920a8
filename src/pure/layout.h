/*-------------------------------------------------------------------------
 *
 * layout.h
 *	  Bit layouts of every supported UUID, as pure functions.
 *
 * A UUID is handled as two 64-bit words in network order.  Every layout that
 * carries the RFC 9562 variant has the same frame:
 *
 *		hi:	48 bits head · 4 bits version · 12 bits head
 *		lo:	2 bits variant (10) · 62 bits tail
 *
 * so one pack and one unpack serve them all: a family only says what its
 * 60-bit head and its 62-bit tail mean.
 *
 * Nothing here allocates, raises errors or needs a server, so that the unit
 * tests and the fuzzer can use it alone.
 *
 *-------------------------------------------------------------------------
 */
#ifndef UIDEXT_LAYOUT_H
#define UIDEXT_LAYOUT_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define LAYOUT_MASK(bits)	((UINT64_C(1) << (bits)) - 1)

#define LAYOUT_VARIANT_RFC	2

#define UNIX_MS_BITS		48
#define HEAD_BITS			60
#define TAIL_BITS			62

#define UNIX_MS_MAX			LAYOUT_MASK(UNIX_MS_BITS)
#define GREGORIAN_MAX		LAYOUT_MASK(HEAD_BITS)

typedef struct UuidWords
{
	uint64_t	hi;
	uint64_t	lo;
} UuidWords;

static const UuidWords UUID_WORDS_NIL = {0, 0};
static const UuidWords UUID_WORDS_MAX = {UINT64_MAX, UINT64_MAX};

/*
 * Conversion between a word and its bytes in network order.  Shifts mean the
 * same on every machine, and compilers turn them into one load, with a byte
 * swap if needed.
 */
static inline uint64_t
layout_load64(const unsigned char *bytes)
{
	return (uint64_t) bytes[0] << 56 |
		(uint64_t) bytes[1] << 48 |
		(uint64_t) bytes[2] << 40 |
		(uint64_t) bytes[3] << 32 |
		(uint64_t) bytes[4] << 24 |
		(uint64_t) bytes[5] << 16 |
		(uint64_t) bytes[6] << 8 |
		(uint64_t) bytes[7];
}

/*
 * Loading the word's own bytes swaps them if the machine is little-endian.
 * Copying the result then stores network order.
 */
static inline void
layout_store64(unsigned char *bytes, uint64_t word)
{
	unsigned char native[sizeof(word)];

	memcpy(native, &word, sizeof(word));
	word = layout_load64(native);
	memcpy(bytes, &word, sizeof(word));
}

static inline UuidWords
layout_words(uint64_t hi, uint64_t lo)
{
	UuidWords	words = {hi, lo};

	return words;
}

static inline UuidWords
layout_load(const unsigned char *bytes)
{
	return layout_words(layout_load64(bytes), layout_load64(bytes + 8));
}

static inline void
layout_store(unsigned char *bytes, UuidWords words)
{
	layout_store64(bytes, words.hi);
	layout_store64(bytes + 8, words.lo);
}

static inline bool
layout_equal(UuidWords a, UuidWords b)
{
	return a.hi == b.hi && a.lo == b.lo;
}

/* The bits that all these layouts have in common. */

static inline UuidWords
layout_pack(int version, uint64_t head, uint64_t tail)
{
	UuidWords	words;

	words.hi = head >> 12 << 16 | (uint64_t) version << 12 |
		(head & LAYOUT_MASK(12));
	words.lo = (uint64_t) LAYOUT_VARIANT_RFC << TAIL_BITS | tail;
	return words;
}

static inline int
layout_version(UuidWords words)
{
	return (int) (words.hi >> 12 & 0xf);
}

static inline int
layout_variant(UuidWords words)
{
	return (int) (words.lo >> TAIL_BITS);
}

static inline bool
layout_is(UuidWords words, int version)
{
	return layout_version(words) == version &&
		layout_variant(words) == LAYOUT_VARIANT_RFC;
}

static inline uint64_t
layout_head(UuidWords words)
{
	return words.hi >> 16 << 12 | (words.hi & LAYOUT_MASK(12));
}

static inline uint64_t
layout_tail(UuidWords words)
{
	return words.lo & LAYOUT_MASK(TAIL_BITS);
}

/*
 * Unix-time layouts: v7, COMB, iUID and boundary values keep the milliseconds
 * in their first 48 bits.
 */
static inline uint64_t
layout_unix_ms(UuidWords words)
{
	return words.hi >> 16;
}

static inline UuidWords
layout_boundary(uint64_t unix_ms)
{
	return layout_words(unix_ms << 16, 0);
}

static inline bool
layout_is_boundary(UuidWords words)
{
	return words.hi != 0 && (words.hi & LAYOUT_MASK(16)) == 0 && words.lo == 0;
}

/*
 * UUIDv7 (RFC 9562, section 5.7, with method 3 of section 6.2): the head
 * counts 1/4096 ms, that is, milliseconds and 12 bits of their fraction.
 */
#define UUIDV7_TICKS_PER_MS	4096

static inline uint64_t
layout_uuidv7_ticks(uint64_t unix_ms, uint32_t ns)
{
	return (unix_ms << 12) + (uint64_t) ns * UUIDV7_TICKS_PER_MS / 1000000;
}

/*
 * ULID: 48 bits of Unix milliseconds and 80 random bits, without version and
 * variant.  Our ULIDs begin like the head of a UUIDv7, so that they are in
 * order within a millisecond.  Then come a tail and 6 more bits.
 */
#define ULID_REST_BITS		(128 - HEAD_BITS - TAIL_BITS)

static inline UuidWords
layout_ulid_pack(uint64_t ticks, uint64_t tail, uint64_t rest)
{
	uint64_t	tail_in_hi = tail >> (HEAD_BITS + TAIL_BITS - 64);

	return layout_words(ticks << (64 - HEAD_BITS) | tail_in_hi,
						tail << ULID_REST_BITS | rest);
}

/*
 * Laravel's ordered UUID: a version 4 whose first 48 bits count 10 us since
 * 1970.
 *
 * Converted to a UUIDv7, it keeps its time and its order, except for the last
 * 7 of its 74 random bits, for which there is no room: of the 4096 ticks of a
 * millisecond there are 40.96 for each 10 us, enough for 5 bits beside the
 * time.
 */
#define LARAVEL_UUID_PER_MS		100
#define LARAVEL_UUID_TICK_BITS	5

static inline uint64_t
layout_laravel_uuid_time(UuidWords words)
{
	return words.hi >> 16;
}

static inline UuidWords
layout_laravel_uuid_to_v7(UuidWords words)
{
	uint64_t	time = layout_laravel_uuid_time(words);
	uint64_t	ticks = (time / LARAVEL_UUID_PER_MS << 12) +
		(time % LARAVEL_UUID_PER_MS * UUIDV7_TICKS_PER_MS +
		 LARAVEL_UUID_PER_MS - 1) /
		LARAVEL_UUID_PER_MS;
	uint64_t	twelve = words.hi & LAYOUT_MASK(12);

	return layout_pack(7, ticks + (twelve >> (12 - LARAVEL_UUID_TICK_BITS)),
					   (twelve & LAYOUT_MASK(12 - LARAVEL_UUID_TICK_BITS))
					   << (TAIL_BITS - 7) |
					   layout_tail(words) >> 7);
}

/*
 * Suffix COMB: a version 4 whose last 48 bits are the milliseconds.
 * Exchanging b0-b5 and b10-b15 turns a COMB into a suffix COMB, and back.
 */
static inline uint64_t
layout_suffix_unix_ms(UuidWords words)
{
	return words.lo & UNIX_MS_MAX;
}

static inline UuidWords
layout_swap_comb(UuidWords words)
{
	uint64_t	b6_and_b7 = words.hi & LAYOUT_MASK(16);
	uint64_t	b8_and_b9 = words.lo >> 48;

	return layout_words(layout_suffix_unix_ms(words) << 16 | b6_and_b7,
						b8_and_b9 << 48 | words.hi >> 16);
}

/*
 * Short COMB: a version 4 whose first 16 bits are a block number.  Exchanging
 * b0-b1 and b10-b11 turns it into a short suffix COMB, and back.
 */
#define SHORT_COMB_BLOCK_BITS	16

static inline int
layout_short_comb_block(UuidWords words)
{
	return (int) (words.hi >> 48);
}

static inline UuidWords
layout_swap_short_comb(UuidWords words)
{
	uint64_t	suffix = words.lo >> 32 & LAYOUT_MASK(16);
	uint64_t	difference = words.hi >> 48 ^ suffix;

	return layout_words(words.hi ^ difference << 48,
						words.lo ^ difference << 32);
}

/*
 * iUID: version 8, whose head ends in a 4-bit layout version (0) and the
 * country, and whose tail begins with the service entity.
 */
#define IUID_VERSION		0
#define IUID_TAIL_BITS		54

/*
 * In a series, the first bits of the tail are the fraction of the millisecond,
 * and not random.  Random bits would scatter the ids that sessions insert for
 * one country and entity at the same time.  An index that grows at its end
 * leaves a tenth of each page free, which is room for about thirty late ids.
 * With 64 ticks a millisecond, there are no more late ids than that at two
 * million rows a second, and 48 random bits remain.
 */
#define IUID_FRACTION_BITS	6
#define IUID_RANDOM_BITS	(IUID_TAIL_BITS - IUID_FRACTION_BITS)

static inline UuidWords
layout_iuid_pack(uint64_t unix_ms, uint8_t country,
				 uint8_t service_entity, uint64_t tail)
{
	return layout_pack(8,
					   unix_ms << 12 | IUID_VERSION << 8 | country,
					   (uint64_t) service_entity << IUID_TAIL_BITS | tail);
}

static inline int
layout_iuid_version(UuidWords words)
{
	return (int) (words.hi >> 8 & 0xf);
}

static inline bool
layout_is_iuid(UuidWords words)
{
	return layout_is(words, 8) && layout_iuid_version(words) == IUID_VERSION;
}

static inline int
layout_iuid_country(UuidWords words)
{
	return (int) (words.hi & 0xff);
}

static inline int
layout_iuid_service_entity(UuidWords words)
{
	return (int) (words.lo >> IUID_TAIL_BITS & 0xff);
}

/*
 * An iUID of a later layout will keep the version, the variant, the time and
 * the place of the layout version.  Nothing else is known about it here.
 * Anybody may use version 8 for ids of their own.  If they are made from
 * hashes, 63 of 64 have a time after 2109-05-15, and these are not taken for
 * iUIDs.
 */
#define NEAR_MS_BITS		42

static inline bool
layout_time_is_near(UuidWords words)
{
	return layout_unix_ms(words) >> NEAR_MS_BITS == 0;
}

static inline bool
layout_is_later_iuid(UuidWords words)
{
	return layout_is(words, 8) && layout_iuid_version(words) != IUID_VERSION &&
		layout_time_is_near(words);
}

/*
 * The iUID of an id that begins with milliseconds: these, the 16 bits after
 * them, and its last 38 bits.  The 16 bits are the fraction of a ULID, or the
 * version and fraction of a UUIDv7 or COMB, so that the order of either is
 * kept.  Two UUIDv7 or COMBs of one tick differ in the last bits, because
 * generators count up there.  Two ULIDs of one tick count in bits that are not
 * all kept; that they become one iUID has a probability of 2^-38.
 */
#define IUID_LAST_BITS		(IUID_TAIL_BITS - 16)

static inline UuidWords
layout_to_iuid(UuidWords words, uint8_t country, uint8_t service_entity)
{
	return layout_iuid_pack(layout_unix_ms(words), country, service_entity,
							(words.hi & LAYOUT_MASK(16)) << IUID_LAST_BITS |
							(words.lo & LAYOUT_MASK(IUID_LAST_BITS)));
}

/*
 * Whether type iuid accepts an id: iUIDs and boundary values, including nil
 * and max.
 */
static inline bool
layout_fits_iuid(UuidWords words)
{
	return layout_is_iuid(words) ||
		((words.hi & LAYOUT_MASK(16)) == 0 && words.lo == 0) ||
		layout_equal(words, UUID_WORDS_MAX);
}

/*
 * Gregorian layouts count 100 ns since 1582-10-15 in 60 bits.  v6 and
 * Lambert's v13 keep the count in order, v1 (RFC 9562, section 5.1) starts
 * with its low 32 bits.  All end in a 14-bit clock sequence and a 48-bit node.
 */
static inline uint64_t
layout_v1_shuffle(uint64_t timestamp)
{
	return (timestamp & LAYOUT_MASK(32)) << 28 |
		(timestamp >> 32 & LAYOUT_MASK(16)) << 12 |
		timestamp >> 48;
}

static inline uint64_t
layout_v1_unshuffle(uint64_t head)
{
	return (head & LAYOUT_MASK(12)) << 48 |
		(head >> 12 & LAYOUT_MASK(16)) << 32 |
		head >> 28;
}

/*
 * All of clock sequence and node is random but the node's multicast bit, the
 * lowest of its first octet.
 */
#define NODE_BITS				48
#define CLOCK_SEQ_BITS			14
#define GREGORIAN_RANDOM_BITS	61
#define NODE_MULTICAST_SHIFT	40

static inline UuidWords
layout_gregorian_pack(int version, uint64_t timestamp, uint64_t random)
{
	uint64_t	head = version == 1 ? layout_v1_shuffle(timestamp) : timestamp;
	uint64_t	tail = random >> NODE_MULTICAST_SHIFT
		<< (NODE_MULTICAST_SHIFT + 1) |
		UINT64_C(1) << NODE_MULTICAST_SHIFT |
		(random & LAYOUT_MASK(NODE_MULTICAST_SHIFT));

	return layout_pack(version, head, tail);
}

/* The same for a given clock sequence and node. */
static inline UuidWords
layout_gregorian_pack_node(int version, uint64_t timestamp,
						   uint64_t clock_seq, uint64_t node)
{
	uint64_t	head = version == 1 ? layout_v1_shuffle(timestamp) : timestamp;

	return layout_pack(version, head, clock_seq << 48 | node);
}

/* The timestamp's top 48 bits, below every v6 and v13 id that shares them. */
static inline UuidWords
layout_gregorian_boundary(uint64_t timestamp)
{
	return layout_words(timestamp >> 12 << 16, 0);
}

/* The least timestamp with those 48 bits. */
static inline uint64_t
layout_gregorian_boundary_timestamp(UuidWords words)
{
	return words.hi >> 16 << 12;
}

static inline bool
layout_is_gregorian(UuidWords words)
{
	return layout_is(words, 1) || layout_is(words, 6) || layout_is(words, 13);
}

static inline uint64_t
layout_gregorian_timestamp(UuidWords words)
{
	uint64_t	head = layout_head(words);

	return layout_version(words) == 1 ? layout_v1_unshuffle(head) : head;
}

/*
 * Byte orders of other databases.
 */

/* SQL Server prints b0-b3, b4-b5 and b6-b7 each reversed. */
static inline UuidWords
layout_swap_sqlserver(UuidWords words)
{
	uint64_t	low_bytes = UINT64_C(0x00ff00ff00ff00ff);
	uint64_t	pairs = (words.hi & low_bytes) << 8 |
		(words.hi >> 8 & low_bytes);

	uint64_t	b0_to_b3 = pairs >> 32 << 48 | pairs >> 48 << 32;

	return layout_words(b0_to_b3 | (pairs & LAYOUT_MASK(32)), words.lo);
}

/* MySQL's UUID_TO_BIN(u, 1) stores b6-b7, b4-b5, b0-b3, b8-b15. */
static inline UuidWords
layout_to_mysql(UuidWords words)
{
	uint64_t	b4_and_b5 = words.hi >> 16 & LAYOUT_MASK(16);

	return layout_words(words.hi << 48 | b4_and_b5 << 32 | words.hi >> 32,
						words.lo);
}

static inline UuidWords
layout_from_mysql(UuidWords words)
{
	uint64_t	b4_and_b5 = words.hi >> 32 & LAYOUT_MASK(16);

	return layout_words(words.hi << 32 | b4_and_b5 << 16 | words.hi >> 48,
						words.lo);
}

/*
 * SQL Server sorts by b10-b15, b8-b9, b6-b7, b4-b5, b0-b3: put in that order,
 * the words compare as it does.
 */
static inline UuidWords
layout_sqlserver_key(UuidWords words)
{
	return layout_words(words.lo << 16 | words.lo >> 48,
						layout_to_mysql(words).hi);
}

/* The inverse: the words of what SQL Server compares in that order. */
static inline UuidWords
layout_from_sqlserver_key(UuidWords key)
{
	return layout_words(layout_from_mysql(layout_words(key.lo, 0)).hi,
						key.hi >> 16 | key.hi << 48);
}

/*
 * A suffix COMB from the ticks and the tail of a COMB, with the bits in the
 * order in which SQL Server compares them: first the milliseconds, then the
 * variant, which is compared before the version, then the fraction of the
 * millisecond.
 */
static inline UuidWords
layout_suffix_comb_pack(uint64_t ticks, uint64_t tail)
{
	uint64_t	variant = LAYOUT_VARIANT_RFC;
	uint64_t	fraction = ticks & LAYOUT_MASK(12);
	uint64_t	high = ticks >> 12 << 16 | variant << 14 | fraction << 2 |
		tail >> 60;
	uint64_t	low = UINT64_C(4) << 60 | (tail & LAYOUT_MASK(60));

	return layout_from_sqlserver_key(layout_words(high, low));
}

static inline int
layout_compare(UuidWords a, UuidWords b)
{
	if (a.hi != b.hi)
		return a.hi < b.hi ? -1 : 1;
	if (a.lo != b.lo)
		return a.lo < b.lo ? -1 : 1;
	return 0;
}

#endif							/* UIDEXT_LAYOUT_H */
