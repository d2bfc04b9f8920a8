/*-------------------------------------------------------------------------
 *
 * country.h
 *	  The setting uidext.country.
 *
 *-------------------------------------------------------------------------
 */
#ifndef UIDEXT_COUNTRY_H
#define UIDEXT_COUNTRY_H

#include "postgres.h"

#include "fmgr.h"

extern void country_init(void);
extern int	country_setting(FunctionCallInfo fcinfo);

#endif							/* UIDEXT_COUNTRY_H */
