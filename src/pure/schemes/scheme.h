/*-------------------------------------------------------------------------
 *
 * scheme.h
 *	  Schemes of ids from elsewhere: what each looks like, as data.
 *
 * An id is a row of bit fields, most significant first, one of which is the
 * time as a count of ticks since an epoch, and a text of digits.  So a scheme
 * is one entry in table.c, and only what no table can say is a function.
 *
 * As layout.h, nothing here needs a server.
 *
 *-------------------------------------------------------------------------
 */
#ifndef UIDEXT_SCHEME_H
#define UIDEXT_SCHEME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pure/layout.h"

#define UID_BYTES_MAX	20		/* a KSUID */
#define UID_TEXT_MAX	36		/* a UUID */
#define UID_FIELDS_MAX	8
#define UID_NAME_MAX	24

/* Nanoseconds. */
#define TICK_NS			UINT64_C(1)
#define TICK_US			UINT64_C(1000)
#define TICK_MS			UINT64_C(1000000)
#define TICK_S			UINT64_C(1000000000)

/* The last microsecond that a time can be. */
#define UNIX_US_MAX		(UNIX_MS_MAX * 1000 + 999)

/* What the bits of a field are. */
typedef enum UidFieldKind
{
	UID_END,
	UID_TIME,					/* ticks since the epoch */
	UID_NUMBER,
	UID_HEX,					/* whole bytes, shown in hex */
	UID_BASE36,					/* a number of 4 digits in 21 bits, or of 8 in
								 * 42 */
	UID_RANDOM,					/* not worth showing */
	UID_ZERO,					/* not part of the id */
	UID_ONE,					/* the bit 1 */
	UID_VERSION4,				/* the four bits 0100 */
	UID_VERSION7,				/* the four bits 0111 */
	UID_VARIANT					/* the two bits 10 */
} UidFieldKind;

typedef struct UidField
{
	UidFieldKind kind;
	int			bits;
	char		name[UID_NAME_MAX];
} UidField;

/* An id's fields, from the first bit of the first byte. */
typedef struct UidValue
{
	unsigned char bytes[UID_BYTES_MAX];
} UidValue;

/* Why a text is not an id of a scheme. */
typedef enum UidProblem
{
	UID_OK,
	UID_BAD_LENGTH,
	UID_BAD_DIGIT,				/* at the place, counted from 0 */
	UID_BAD_FORM,
	UID_TOO_GREAT,
	UID_NOT_VERSION,
	UID_NO_TIME					/* none that is known, before ids of the
								 * scheme were made, or after 10889-08-02 */
} UidProblem;

/*
 * Where a 64-bit id has its node and its sequence.  The unit is the time
 * between two consecutive ids: one tick divided by the number of sequence
 * values, in 1/2^20 ms.
 *
 * Each scheme of the table has a counter of its own.  A scheme that the user
 * describes gets its step from the unit, rounded up to three significant binary
 * digits, and shares a counter with all such schemes of the same step.  An id
 * of one of them then advances the counter by no more than an id of another.
 */
#define UID_UNIT_BITS	20
#define UID_UNITS_PER_MS	(UINT64_C(1) << UID_UNIT_BITS)
#define UID_STEP_DIGITS	3
#define UID_STEPS		184		/* up to a day's */
#define UID_COUNTERS	(UID_STEPS + 8)

typedef struct UidSplit
{
	int			time_bits;
	int			below;			/* bits after the time */
	int			sequences;		/* fields named as a sequence */
	int			shift;			/* bits after the sequence */
	int			sequence_bits;
	int			count_bits;		/* those of the sequence that are used */
	int			node_bits;
	int			counter;		/* which of UID_COUNTERS */
	uint64_t	unit;
	uint64_t	step;			/* from id to id of the counter */
} UidSplit;

typedef struct UidScheme UidScheme;

/* A text that is more than a row of digits. */
typedef struct UidText
{
	UidProblem	(*parse) (const UidScheme *scheme, const char *str, int length,
						  UidValue *value, int *place);
	int			(*format) (const UidScheme *scheme, const UidValue *value,
						   char *str);	/* or NULL for a row of digits */
} UidText;

struct UidScheme
{
	const char *name;
	const char *form;			/* the text, in words */
	const char *source;
	const char *alphabet;		/* its digits in the order of their values */
	const signed char
			   *values;			/* scheme_values(), where many ids are read,
								 * or NULL */
	const UidSplit *split;		/* scheme_split() of 64-bit ids, where ids are
								 * made, or NULL */
	UidField	fields[UID_FIELDS_MAX];
	int64_t		epoch_ms;		/* Unix time of tick 0 */
	uint64_t	tick_ns;
	uint64_t	ticks_max;		/* where digits hold less than the time's
								 * bits, or 0 */
	int			bytes;
	int			digits;
	int			digits_min;		/* where leading zeros are left out, or 0 */
	int			digit_bits;		/* where digits are cut from the left (RFC
								 * 4648), or 0 */
	char		(*fold) (char digit);	/* for other spellings of a digit, or
										 * NULL */
	bool		same_bits;		/* a uuid holds them as they are; else it is a
								 * UUIDv7 of the same time and order */
	bool		generated;		/* needs no node number */
	bool		by_chance;		/* many random texts have a plausible time */

	/* Where the above does not say it, or NULL. */
	const UidText *written;
	bool		(*time) (const UidValue *value, uint64_t *unix_us);
};

/* The table, ended by an entry without a name. */
extern const UidScheme uid_schemes[];

/* Texts and times that need functions. */
extern const UidText uid_groups;
extern const UidText uid_halves;
extern const UidText uid_or_decimal;
extern const UidText uid_uuid;
extern bool uid_datetime(const UidValue *value, uint64_t *unix_us);
extern bool uid_dotnet_ticks(const UidValue *value, uint64_t *unix_us);
extern bool uid_draft_seconds(const UidValue *value, uint64_t *unix_us);

#define HEX_DIGITS			"0123456789abcdef"
#define BASE36_DIGITS		"0123456789abcdefghijklmnopqrstuvwxyz"
#define UID_BASE36_BITS		5	/* whole digits */
#define UID_BIGINT_BYTES	8

/*
 * Whether ids are 64-bit numbers, which may have parameters for epoch and
 * fields.
 */
static inline bool
scheme_is_bigint(const UidScheme *scheme)
{
	return scheme->bytes == UID_BIGINT_BYTES;
}

/* The greatest number of so many bits, from 0 to 64. */
static inline uint64_t
uid_greatest(int bits)
{
	return bits > 0 ? UINT64_MAX >> (64 - bits) : 0;
}

/*
 * The first of eight bytes that hold a field.  If a long field begins within a
 * byte, its end is in a ninth one.
 */
static inline int
uid_eight_bytes(int from)
{
	return from / 8 < UID_BYTES_MAX - 8 ? from / 8 : UID_BYTES_MAX - 8;
}

/* Up to 64 bits as a number, the last 1 to 7 of which may be in the ninth. */
static inline uint64_t
uid_bits(const UidValue *value, int from, int bits)
{
	int			first = uid_eight_bytes(from);
	unsigned	end = from - first * 8 + bits;
	unsigned	over = end % 8;
	uint64_t	word = layout_load64(value->bytes + first);

	if (end > 64)
		word = word << over | value->bytes[first + 8] >> (8 - over);
	else
		word >>= (64 - end) % 64;
	return word & uid_greatest(bits);
}

static inline void
uid_bits_set(UidValue *value, int from, int bits, uint64_t number)
{
	int			first = uid_eight_bytes(from);
	unsigned	end = from - first * 8 + bits;
	unsigned	over = end % 8;
	unsigned	after = end > 64 ? 0 : (64 - end) % 64;
	uint64_t	word = layout_load64(value->bytes + first);
	uint64_t	mask;

	if (end > 64)
	{
		unsigned char *ninth = &value->bytes[first + 8];

		*ninth = (unsigned char)
			((*ninth & uid_greatest(8 - over)) | number << (8 - over));
		number >>= over;
		bits -= over;
	}
	mask = uid_greatest(bits) << after;
	layout_store64(value->bytes + first,
				   (word & ~mask) | (number << after & mask));
}

extern const UidScheme *scheme_number(int n);
extern const char *scheme_find(const char *str, int length, UidScheme *scheme);

extern char hex_fold(char digit);
extern void scheme_values(const UidScheme *scheme, signed char *values);

extern bool field_is_fixed(const UidField *field, uint64_t *bits);
extern int	scheme_version(const UidScheme *scheme);
extern int	scheme_bits(const UidScheme *scheme);
extern bool scheme_fits_uuid(const UidScheme *scheme);
extern void scheme_layout(const UidScheme *scheme, char *str, size_t size);
extern void scheme_fields(const UidScheme *scheme, const UidValue *value,
						  char *json, size_t size);

extern UidProblem scheme_parse(const UidScheme *scheme, const char *str,
							   int length, UidValue *value, int *place);
extern UidProblem scheme_parse_digits(const UidScheme *scheme,
									  const char *str, int length,
									  UidValue *value, int *place);
extern UidProblem scheme_check(const UidScheme *scheme, const UidValue *value);
extern int	scheme_format(const UidScheme *scheme, const UidValue *value,
						  char *str);

extern bool scheme_time(const UidScheme *scheme, const UidValue *value,
						uint64_t *unix_us);
extern bool scheme_boundary(const UidScheme *scheme, uint64_t unix_us,
							UidValue *value);
extern bool scheme_generate(const UidScheme *scheme, uint64_t unix_ns,
							const unsigned char *random, UidValue *value);

extern void scheme_split(const UidScheme *scheme, UidSplit *split);
extern bool scheme_split_pack(const UidSplit *split, uint64_t count,
							  uint64_t node, uint64_t *id);
extern uint32_t scheme_node_step(const UidScheme *scheme);
extern bool scheme_node_pack(const UidScheme *scheme, uint64_t unix_100ns,
							 uint64_t clock_seq, uint64_t node,
							 UidValue *value);

extern bool scheme_to_uuid(const UidScheme *scheme, const UidValue *value,
						   UuidWords *words);
extern bool scheme_from_uuid(const UidScheme *scheme, UuidWords words,
							 UidValue *value);

extern bool uid_parse_uuid(const char *str, int length, UuidWords *words);

#endif							/* UIDEXT_SCHEME_H */
