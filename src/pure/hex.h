/*-------------------------------------------------------------------------
 *
 * hex.h
 *	  Digits of hexadecimal.
 *
 *-------------------------------------------------------------------------
 */
#ifndef UIDEXT_HEX_H
#define UIDEXT_HEX_H

/*
 * The value of a digit of either case, else -1. isxdigit() would depend on the
 * locale.
 */
static inline int
hex_value(char digit)
{
	if (digit >= '0' && digit <= '9')
		return digit - '0';
	if (digit >= 'a' && digit <= 'f')
		return digit - 'a' + 10;
	if (digit >= 'A' && digit <= 'F')
		return digit - 'A' + 10;
	return -1;
}

#endif							/* UIDEXT_HEX_H */
