/*-------------------------------------------------------------------------
 *
 * fuzz_schemes.c
 *	  Laws of src/pure/schemes that hold for all texts, names and uuids, for
 *	  libFuzzer to break.
 *
 *-------------------------------------------------------------------------
 */
#include <stddef.h>
#include <stdlib.h>

#include "pure/schemes/scheme.h"

#define CHECK(law)	do { if (!(law)) abort(); } while (0)

int			LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool
same(const UidValue *a, const UidValue *b)
{
	return memcmp(a->bytes, b->bytes, UID_BYTES_MAX) == 0;
}

/* What was read has a time, a text that is read back, fields, and a uuid. */
static void
value_is_whole(const UidScheme *scheme, const UidValue *value)
{
	char		text[UID_TEXT_MAX];
	char		fields[512];
	UidValue	back;
	UuidWords	words;
	uint64_t	unix_us;
	int			place;
	int			length = scheme_format(scheme, value, text);

	CHECK(length <= UID_TEXT_MAX);
	CHECK(scheme_parse(scheme, text, length, &back, &place) == UID_OK && same(&back, value));
	CHECK(scheme_time(scheme, value, &unix_us));
	scheme_fields(scheme, value, fields, sizeof(fields));
	CHECK(scheme_to_uuid(scheme, value, &words));
	CHECK(scheme_from_uuid(scheme, words, &back) == scheme_fits_uuid(scheme));
	CHECK(!scheme_fits_uuid(scheme) || same(&back, value));
}

static void
text_is_read(const UidScheme *scheme, const char *text, int length)
{
	UidValue	value;
	int			place;
	UidProblem	problem = scheme_parse(scheme, text, length, &value, &place);

	if (problem == UID_OK)
		value_is_whole(scheme, &value);
	else if (problem == UID_BAD_DIGIT)
		CHECK(place >= 0 && place < length);
}

/* A uuid is that of no id, or of the one that it gives. */
static void
uuid_is_read(const UidScheme *scheme, UuidWords words)
{
	UidValue	value;
	UuidWords	back;

	if (!scheme_from_uuid(scheme, words, &value))
		return;
	CHECK(scheme_to_uuid(scheme, &value, &back) && layout_equal(back, words));
	value_is_whole(scheme, &value);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const UidScheme *scheme;
	UidScheme	found;
	char		name[11 + 64] = "snowflake:";
	int			rest = (int) (size < 64 ? size : 64);

	if (size == 0)
		return 0;
	for (int n = 0; (scheme = scheme_number(n)) != NULL; n++)
	{
		text_is_read(scheme, (const char *) data, (int) size);
		if (size >= 16)
			uuid_is_read(scheme, layout_load(data));
	}

	memcpy(name + 10, data, (size_t) rest);
	if (scheme_find(name, 10 + rest, &found) == NULL)
	{
		UidValue	value = {{0}};

		memcpy(value.bytes, data + size - (size < 8 ? size : 8), size < 8 ? size : 8);
		if (scheme_check(&found, &value) == UID_OK)
			value_is_whole(&found, &value);
	}
	return 0;
}
