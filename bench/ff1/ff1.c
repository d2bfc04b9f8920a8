/*-------------------------------------------------------------------------
 *
 * ff1.c
 *	  FF1 of NIST SP 800-38G, by the AES of OpenSSL's libcrypto: what
 *	  uuid_encrypt() would cost if it were this.  bench/encryption builds it.
 *
 * The names of variables are those of the standard: n digits in the given
 * radix, of which A has u and B has v.  A half has to fit into 64 bits.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <openssl/evp.h>

#include "common/cryptohash.h"
#include "common/sha2.h"
#include "fmgr.h"
#include "port/pg_bswap.h"
#include "utils/builtins.h"
#include "utils/uuid.h"

#if PG_VERSION_NUM >= 160000
#include "varatt.h"
#endif

PG_MODULE_MAGIC;

#define ROUNDS		10
#define BLOCK		16
#define TWEAK_MAX	64

#define UUID_DIGITS 122
#define HALF_DIGITS 61

typedef struct Ff1
{
	EVP_CIPHER_CTX *aes;
	int			u;
	int			v;
	int			b;				/* bytes of a half */
	int			d;				/* bytes of y */
	uint128		modulus_u;
	uint128		modulus_v;
	bool		powers_of_two;	/* are both moduli */
	uint8		chained[BLOCK]; /* CBC-MAC of the blocks before the last */
	uint8		last[BLOCK];	/* the last, without round and half */
} Ff1;

/* What the session encrypted with last, and the hash of its key and tweak. */
static Ff1	kept;
static uint8 kept_for[PG_SHA256_DIGEST_LENGTH];

static void
encrypt_block(EVP_CIPHER_CTX *aes, const uint8 *from, uint8 *to)
{
	int			length;

	if (EVP_EncryptUpdate(aes, to, &length, from, BLOCK) != 1)
		elog(ERROR, "could not encrypt by AES");
}

static void
chain(Ff1 *ff1, const uint8 *block)
{
	for (int i = 0; i < BLOCK; i++)
		ff1->chained[i] ^= block[i];
	encrypt_block(ff1->aes, ff1->chained, ff1->chained);
}

static uint128
power(int radix, int exponent)
{
	uint128		result = 1;

	while (exponent-- > 0)
		result *= radix;
	return result;
}

/* Step 5, P, and the whole blocks of the tweak that step 6.i begins with. */
static void
chain_constants(Ff1 *ff1, int radix, const bytea *tweak)
{
	uint8		tail[TWEAK_MAX + 3 * BLOCK] = {0};
	int			t = VARSIZE_ANY_EXHDR(tweak);
	int			length = TYPEALIGN(BLOCK, t + 1 + ff1->b);
	uint8		p[BLOCK] = {1, 2, 1, 0, 0, radix, ROUNDS, ff1->u};

	p[11] = ff1->u + ff1->v;
	p[15] = t;

	chain(ff1, p);

	memcpy(tail, VARDATA_ANY(tweak), t);
	for (int at = 0; at < length - BLOCK; at += BLOCK)
		chain(ff1, tail + at);
	memcpy(ff1->last, tail + length - BLOCK, BLOCK);
}

static const EVP_CIPHER *
aes_of(int key_bytes)
{
	switch (key_bytes)
	{
		case 16:
			return EVP_aes_128_ecb();
		case 24:
			return EVP_aes_192_ecb();
		case 32:
			return EVP_aes_256_ecb();
	}
	elog(ERROR, "AES has no keys of %d bytes", key_bytes);
}

static void
begin(Ff1 *ff1, int radix, int n, const bytea *key, const bytea *tweak)
{
	if (VARSIZE_ANY_EXHDR(tweak) > TWEAK_MAX)
		elog(ERROR, "tweak is too long");
	if (ff1->aes == NULL)
		ff1->aes = EVP_CIPHER_CTX_new();
	if (EVP_EncryptInit_ex(ff1->aes, aes_of(VARSIZE_ANY_EXHDR(key)), NULL,
						   (const uint8 *) VARDATA_ANY(key), NULL) != 1)
		elog(ERROR, "could not set a key of AES");
	EVP_CIPHER_CTX_set_padding(ff1->aes, 0);

	ff1->u = n / 2;
	ff1->v = n - ff1->u;
	ff1->modulus_u = power(radix, ff1->u);
	ff1->modulus_v = power(radix, ff1->v);
	ff1->powers_of_two = radix == 2;
	ff1->b = 0;
	for (uint128 most = ff1->modulus_v - 1; most > 0; most >>= 8)
		ff1->b++;
	ff1->d = TYPEALIGN(4, ff1->b) + 4;
	memset(ff1->chained, 0, BLOCK);
	chain_constants(ff1, radix, tweak);
}

/* Steps 6.i to 6.iv. */
static uint128
round_function(Ff1 *ff1, int round, uint64 half)
{
	uint8		block[BLOCK];
	uint128		y = 0;

	memcpy(block, ff1->last, BLOCK);
	block[BLOCK - 1 - ff1->b] = round;
	for (int i = 0; i < ff1->b; i++)
		block[BLOCK - 1 - i] = half >> (8 * i);
	for (int i = 0; i < BLOCK; i++)
		block[i] ^= ff1->chained[i];
	encrypt_block(ff1->aes, block, block);
	for (int i = 0; i < ff1->d; i++)
		y = y << 8 | block[i];
	return y;
}

static void
run_rounds(Ff1 *ff1, uint64 *a, uint64 *b)
{
	for (int round = 0; round < ROUNDS; round++)
	{
		uint128		modulus = round % 2 == 0 ? ff1->modulus_u : ff1->modulus_v;
		uint128		sum = *a + round_function(ff1, round, *b);

		*a = *b;
		/* without a division, which takes longer than the rest */
		if (ff1->powers_of_two)
			*b = sum & (modulus - 1);
		else
			*b = sum % modulus;
	}
}

/* ff1_digits(digits text, radix int, key bytea, tweak bytea) returns text */
PG_FUNCTION_INFO_V1(ff1_digits);
Datum
ff1_digits(PG_FUNCTION_ARGS)
{
	static const char alphabet[] = "0123456789abcdefghijklmnopqrstuvwxyz";
	char	   *digits = text_to_cstring(PG_GETARG_TEXT_PP(0));
	int			radix = PG_GETARG_INT32(1);
	int			n = strlen(digits);
	uint64		halves[2] = {0, 0};
	Ff1			ff1 = {0};

	begin(&ff1, radix, n, PG_GETARG_BYTEA_PP(2), PG_GETARG_BYTEA_PP(3));
	for (int i = 0; i < n; i++)
	{
		uint64	   *half = &halves[i >= ff1.u];

		*half = *half * radix + (strchr(alphabet, digits[i]) - alphabet);
	}
	run_rounds(&ff1, &halves[0], &halves[1]);
	EVP_CIPHER_CTX_free(ff1.aes);
	for (int i = n - 1; i >= 0; i--)
	{
		uint64	   *half = &halves[i >= ff1.u];

		digits[i] = alphabet[*half % radix];
		*half /= radix;
	}
	PG_RETURN_TEXT_P(cstring_to_text(digits));
}

static void
hash_of_both(const bytea *key, const bytea *tweak, uint8 *hash)
{
	pg_cryptohash_ctx *context = pg_cryptohash_create(PG_SHA256);
	uint8		key_len = VARSIZE_ANY_EXHDR(key);
	size_t		tweak_len = VARSIZE_ANY_EXHDR(tweak);
	const uint8 *key_bytes = (const uint8 *) VARDATA_ANY(key);
	const uint8 *tweak_bytes = (const uint8 *) VARDATA_ANY(tweak);

	if (context == NULL || pg_cryptohash_init(context) < 0 ||
		pg_cryptohash_update(context, &key_len, sizeof(key_len)) < 0 ||
		pg_cryptohash_update(context, key_bytes, key_len) < 0 ||
		pg_cryptohash_update(context, tweak_bytes, tweak_len) < 0 ||
		pg_cryptohash_final(context, hash, PG_SHA256_DIGEST_LENGTH) < 0)
		elog(ERROR, "could not compute a SHA-256 hash");
	pg_cryptohash_free(context);
}

/* Keeps no key but its hash, as uuid_encrypt() does. */
static void
begin_uuid(const bytea *key, const bytea *tweak)
{
	uint8		hash[PG_SHA256_DIGEST_LENGTH];

	hash_of_both(key, tweak, hash);
	if (kept.aes != NULL && memcmp(hash, kept_for, sizeof(hash)) == 0)
		return;
	begin(&kept, 2, UUID_DIGITS, key, tweak);
	memcpy(kept_for, hash, sizeof(hash));
}

/*
 * ff1_uuid(id uuid, key bytea, tweak bytea) returns uuid
 *
 * The 122 bits that uuid_encrypt() takes, in the same order.
 */
PG_FUNCTION_INFO_V1(ff1_uuid);
Datum
ff1_uuid(PG_FUNCTION_ARGS)
{
	pg_uuid_t  *id = PG_GETARG_UUID_P(0);
	pg_uuid_t  *result = palloc(sizeof(pg_uuid_t));
	uint64		words[2];
	uint64		head;
	uint64		a;
	uint64		b;

	begin_uuid(PG_GETARG_BYTEA_PP(1), PG_GETARG_BYTEA_PP(2));
	memcpy(words, id->data, sizeof(words));
	words[0] = pg_ntoh64(words[0]);
	words[1] = pg_ntoh64(words[1]);
	head = words[0] >> 16 << 12 | (words[0] & 0xfff);
	a = head << 1 | (words[1] >> HALF_DIGITS & 1);
	b = words[1] & ((UINT64CONST(1) << HALF_DIGITS) - 1);

	run_rounds(&kept, &a, &b);
	head = a >> 1;
	words[0] = pg_hton64(head >> 12 << 16 | 4 << 12 | (head & 0xfff));
	words[1] = pg_hton64(UINT64CONST(1) << 63 | (a & 1) << HALF_DIGITS | b);
	memcpy(result->data, words, sizeof(words));
	PG_RETURN_UUID_P(result);
}
