/*-------------------------------------------------------------------------
 *
 * hex.h
 *	  Digits of hexadecimal.
 *
 *-------------------------------------------------------------------------
 */
#ifndef UIDEXT_HEX_H
#define UIDEXT_HEX_H

/* Of either case; -1 for others.  Not isxdigit(), which asks the locale. */
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
