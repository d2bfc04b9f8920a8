/*-------------------------------------------------------------------------
 *
 * encrypt.c
 *	  A keyed permutation of UUIDs: turns an id of the table into one that
 *	  looks like a random version 4.
 *
 * All bits but version and variant, 122, pass through a balanced Feistel
 * network of ten rounds (Luby and Rackoff, 1988), whose round function is
 * SHA-256 under a key.  That key is HMAC-SHA-256 (RFC 2104) of a label, so
 * that one secret serves many tables.  doc/public-ids.md describes it byte by
 * byte and has it in other languages.  What it does to an id can never change:
 * people publish the results.
 *
 *-------------------------------------------------------------------------
 */
#include "base/uidext.h"

#include "access/detoast.h"
#include "common/cryptohash.h"
#include "common/hmac.h"
#include "common/sha2.h"
#include "mb/pg_wchar.h"

#define ROUNDS			10
#define HALF_BITS		61

#define KEY_MIN			16
#define KEY_MAX			64

#define VERSION_MAX		15

/*
 * The beginning of the text from which a round key is made, with its zero
 * byte.
 */
static const char purpose[] = "uidext uuid_encrypt v1";

/* The bytes hashed in a round: round key, number of the round, one half. */
#define ROUND_KEY_LEN	PG_SHA256_DIGEST_LENGTH
#define ROUND_INPUT_LEN (ROUND_KEY_LEN + 1 + sizeof(uint64))

/*
 * The round key of the session's last key and label.  Key and label are not
 * kept, only a hash by which they are recognized.
 */
typedef struct RoundKey
{
	bool		is_set;
	uint8		made_of[PG_SHA256_DIGEST_LENGTH];
	uint8		bytes[ROUND_KEY_LEN];
} RoundKey;

static RoundKey round_key;

/* The arguments from which a round key is made. */
typedef struct Secret
{
	const uint8 *key;
	size_t		key_len;
	const uint8 *label;			/* in UTF-8 */
	size_t		label_len;
} Secret;

/* 122 bits: version and variant are left out. */
typedef struct Halves
{
	uint64		left;
	uint64		right;
} Halves;

static Halves
halves_unpack(UuidWords id)
{
	Halves		halves;

	halves.left = layout_head(id) << 1 | layout_tail(id) >> HALF_BITS;
	halves.right = layout_tail(id) & LAYOUT_MASK(HALF_BITS);
	return halves;
}

static UuidWords
halves_pack(Halves halves, int version)
{
	return layout_pack(version, halves.left >> 1,
					   (halves.left & 1) << HALF_BITS | halves.right);
}

static Halves
halves_swap(Halves halves)
{
	Halves		swapped = {halves.right, halves.left};

	return swapped;
}

/* SHA-256 with a context that is used again later.  False on failure. */
static bool
sha256(pg_cryptohash_ctx *context, const uint8 *data,
	   size_t length, uint8 *digest)
{
	return pg_cryptohash_init(context) == 0 &&
		pg_cryptohash_update(context, data, length) == 0 &&
		pg_cryptohash_final(context, digest, PG_SHA256_DIGEST_LENGTH) == 0;
}

/*
 * A hash of the key's length, the key and the label.  The length says where
 * the key ends and the label begins.
 */
static bool
hash_of_secret(pg_cryptohash_ctx *context, Secret secret, uint8 *digest)
{
	uint8		key_len = (uint8) secret.key_len;

	return pg_cryptohash_init(context) == 0 &&
		pg_cryptohash_update(context, &key_len, sizeof(key_len)) == 0 &&
		pg_cryptohash_update(context, secret.key, secret.key_len) == 0 &&
		pg_cryptohash_update(context, secret.label, secret.label_len) == 0 &&
		pg_cryptohash_final(context, digest, PG_SHA256_DIGEST_LENGTH) == 0;
}

static bool
derive_round_key(Secret secret, uint8 *key)
{
	pg_hmac_ctx *context = pg_hmac_create(PG_SHA256);
	bool		done = context != NULL &&
		pg_hmac_init(context, secret.key, secret.key_len) == 0 &&
		pg_hmac_update(context, (const uint8 *) purpose,
					   sizeof(purpose)) == 0 &&
		pg_hmac_update(context, secret.label, secret.label_len) == 0 &&
		pg_hmac_final(context, key, ROUND_KEY_LEN) == 0;

	pg_hmac_free(context);
	return done;
}

/* Sets round_key for this secret, unless it is set already. */
static bool
set_round_key(pg_cryptohash_ctx *context, Secret secret)
{
	uint8		made_of[PG_SHA256_DIGEST_LENGTH];

	if (!hash_of_secret(context, secret, made_of))
		return false;
	if (round_key.is_set &&
		memcmp(made_of, round_key.made_of, sizeof(made_of)) == 0)
		return true;

	explicit_bzero(&round_key, sizeof(round_key));
	if (!derive_round_key(secret, round_key.bytes))
		return false;
	memcpy(round_key.made_of, made_of, sizeof(made_of));
	round_key.is_set = true;
	return true;
}

/* All rounds, from the first to the last or the other way. */
static bool
run_rounds(pg_cryptohash_ctx *context, Halves *halves, bool backwards)
{
	uint8		input[ROUND_INPUT_LEN];
	uint8		digest[PG_SHA256_DIGEST_LENGTH];
	int			round;

	memcpy(input, round_key.bytes, ROUND_KEY_LEN);
	for (round = 0; round < ROUNDS; round++)
	{
		input[ROUND_KEY_LEN] = backwards ? ROUNDS - 1 - round : round;
		layout_store64(input + ROUND_KEY_LEN + 1, halves->right);
		if (!sha256(context, input, sizeof(input), digest))
			break;
		halves->left ^= layout_load64(digest) >> (64 - HALF_BITS);
		*halves = halves_swap(*halves);
	}
	explicit_bzero(input, sizeof(input));
	explicit_bzero(digest, sizeof(digest));
	return round == ROUNDS;
}

/* The same step on exchanged halves undoes a round. */
static bool
permute(Secret secret, Halves *halves, bool backwards)
{
	pg_cryptohash_ctx *context = pg_cryptohash_create(PG_SHA256);
	bool		done;

	if (backwards)
		*halves = halves_swap(*halves);
	done = context != NULL &&
		set_round_key(context, secret) &&
		run_rounds(context, halves, backwards);
	if (backwards)
		*halves = halves_swap(*halves);

	pg_cryptohash_free(context);
	return done;
}

/*
 * The label in UTF-8, so that databases with other encodings get the same ids.
 * ASCII is the same in all encodings, and is not converted, because PostgreSQL
 * finds conversions by the search_path.
 */
static char *
label_to_utf8(char *label, size_t *length)
{
	char	   *utf8 = label;

	for (size_t i = 0; i < *length; i++)
	{
		if (!IS_HIGHBIT_SET(label[i]))
			continue;
		utf8 = pg_server_to_any(label, (int) *length, PG_UTF8);
		if (utf8 != label)
			*length = strlen(utf8);
		break;
	}
	return utf8;
}

/* Wipes the copy that PostgreSQL made to detoast a value. */
static void
wipe_copy(struct varlena *copy, const struct varlena *original)
{
	if (copy != original)
		explicit_bzero(copy, VARSIZE_ANY(copy));
}

/* Arguments 1 and 2 of both functions below. */
static Halves
permute_by_arguments(FunctionCallInfo fcinfo, Halves halves, bool backwards)
{
	size_t		key_len = toast_raw_datum_size(PG_GETARG_DATUM(1)) - VARHDRSZ;
	text	   *label = PG_GETARG_TEXT_PP(2);
	size_t		label_len = VARSIZE_ANY_EXHDR(label);
	char	   *utf8 = label_to_utf8(VARDATA_ANY(label), &label_len);
	struct varlena *stored = PG_GETARG_RAW_VARLENA_P(1);
	struct varlena *fetched;
	bytea	   *key;
	Secret		secret;
	bool		done;

	if (key_len < KEY_MIN || key_len > KEY_MAX)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("key must have %d to %d bytes", KEY_MIN, KEY_MAX),
				 errdetail("The key has %zu bytes.", key_len)));

	fetched = detoast_external_attr(stored);
	key = pg_detoast_datum_packed(fetched);
	secret = (Secret)
	{
		.key = (const uint8 *) VARDATA_ANY(key),
			.key_len = key_len,
			.label = (const uint8 *) utf8,
			.label_len = label_len
	};
	done = permute(secret, &halves, backwards);

	wipe_copy(key, fetched);
	wipe_copy(fetched, stored);
	if (!done)
		ereport(ERROR,
				(errcode(ERRCODE_INTERNAL_ERROR),
				 errmsg("could not compute a SHA-256 hash")));
	return halves;
}

/*
 * uuid_encrypt(id uuid, key bytea, label text) returns uuid
 *
 * A version 4 that shows nothing of the id, and from which uuid_decrypt()
 * gives the id back.  It does not contain the version of the id.  Raises 22023
 * for a key without 16 to 64 bytes, and for an id without the variant of RFC
 * 9562.
 */
PG_FUNCTION_INFO_V1(uidext_uuid_encrypt);
Datum
uidext_uuid_encrypt(PG_FUNCTION_ARGS)
{
	UuidWords	id = PG_GETARG_UUID_WORDS(0);
	Halves		halves;

	if (layout_variant(id) != LAYOUT_VARIANT_RFC)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("UUID cannot be encrypted"),
				 errdetail("Its variant is not that of RFC 9562.")));

	halves = permute_by_arguments(fcinfo, halves_unpack(id), false);
	PG_RETURN_UUID_WORDS(halves_pack(halves, 4));
}

/*
 * uuid_decrypt(id uuid, key bytea, label text, version int) returns uuid
 *
 * The inverse of uuid_encrypt() for ids of the given version.  Any version 4
 * decrypts to some id, also with another key or label.  Raises 22023 for a key
 * that has not 16 to 64 bytes, for an id that is not version 4 and for a
 * version that is not 0 to 15.
 */
PG_FUNCTION_INFO_V1(uidext_uuid_decrypt);
Datum
uidext_uuid_decrypt(PG_FUNCTION_ARGS)
{
	UuidWords	id = PG_GETARG_UUID_WORDS(0);
	int			version = PG_GETARG_INT32(3);
	Halves		halves;

	if (!layout_is(id, 4))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("UUID cannot be decrypted"),
				 errdetail("It is not version 4, but uuid_encrypt() returns only version 4.")));
	if (version < 0 || version > VERSION_MAX)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("UUID version must be from %d to %d, not %d",
						0, VERSION_MAX, version)));

	halves = permute_by_arguments(fcinfo, halves_unpack(id), true);
	PG_RETURN_UUID_WORDS(halves_pack(halves, version));
}
