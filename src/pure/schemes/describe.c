/*-------------------------------------------------------------------------
 *
 * describe.c
 *	  The fields of an id and of a scheme in words.
 *
 *-------------------------------------------------------------------------
 */
#include "pure/schemes/scheme.h"

#include <inttypes.h>
#include <stdio.h>

#include "pure/baseconv.h"

static const char *
field_name(const UidField *field)
{
	switch (field->kind)
	{
		case UID_ONE:
			return "one";
		case UID_VERSION4:
			return "version 4";
		case UID_VERSION7:
			return "version 7";
		case UID_VARIANT:
			return "variant";
		case UID_RANDOM:
			return "random";
		default:
			return field->name;
	}
}

/* The fields in words: "41 time, 10 node, 12 sequence". */
void
scheme_layout(const UidScheme *scheme, char *str, size_t size)
{
	size_t		used = 0;

	str[0] = '\0';
	for (const UidField *field = scheme->fields;
		 field->kind != UID_END && used < size; field++)
	{
		if (field->kind == UID_ZERO)
			continue;
		used += (size_t) snprintf(str + used, size - used, "%s%d %s",
								  used > 0 ? ", " : "", field->bits,
								  field_name(field));
	}
}

static size_t
print_hex(const UidValue *value, int from, int bits, char *str, size_t size)
{
	size_t		used = 0;

	for (int byte = from / 8; byte < (from + bits) / 8 && used < size; byte++)
		used += (size_t) snprintf(str + used, size - used, "%02x",
								  value->bytes[byte]);
	return used;
}

static size_t
print_field(const UidField *field, const UidValue *value,
			int from, char *str, size_t size)
{
	char		digits[2 * UID_BYTES_MAX + 1];

	if (field->kind == UID_NUMBER)
		return (size_t) snprintf(str, size, "\"%s\": %" PRIu64, field->name,
								 uid_bits(value, from, field->bits));

	if (field->kind == UID_HEX)
		print_hex(value, from, field->bits, digits, sizeof(digits));
	else
	{
		unsigned char bytes[8];
		int			width = field->bits / UID_BASE36_BITS;

		layout_store64(bytes, uid_bits(value, from, field->bits));
		number_encode(BASE36_DIGITS, bytes, 8, digits, width);
		digits[width] = '\0';
	}
	return (size_t) snprintf(str, size, "\"%s\": \"%s\"", field->name, digits);
}

/* The fields other than the time, as JSON. */
void
scheme_fields(const UidScheme *scheme, const UidValue *value, char *json,
			  size_t size)
{
	size_t		used = 1;
	int			from = 0;

	json[0] = '{';
	for (const UidField *field = scheme->fields;
		 field->kind != UID_END && used < size; field++)
	{
		if (field->kind == UID_NUMBER || field->kind == UID_HEX ||
			field->kind == UID_BASE36)
		{
			if (used > 1)
				used += (size_t) snprintf(json + used, size - used, ", ");
			used += print_field(field, value, from, json + used, size - used);
		}
		from += field->bits;
	}
	snprintf(json + used, size - used, "}");
}
