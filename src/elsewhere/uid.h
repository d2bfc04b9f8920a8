/*-------------------------------------------------------------------------
 *
 * uid.h
 *	  Arguments, results and errors of functions over schemes of ids from
 *	  elsewhere.
 *
 *-------------------------------------------------------------------------
 */
#ifndef UIDEXT_UID_H
#define UIDEXT_UID_H

#include "postgres.h"

#include "fmgr.h"

#include "base/compat.h"
#include "pure/schemes/scheme.h"

extern const UidScheme *getarg_scheme(FunctionCallInfo fcinfo, int argument);
extern void require_bigint(const UidScheme *scheme);
extern Datum uid_value_to_text(const UidScheme *scheme, const UidValue *value);
extern void uid_next_init(void);
pg_noreturn extern void time_out_of_range(const UidScheme *scheme);

#endif							/* UIDEXT_UID_H */
