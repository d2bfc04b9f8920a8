/*-------------------------------------------------------------------------
 *
 * convert.h
 *	  Arguments of conversions between layouts.
 *
 *-------------------------------------------------------------------------
 */
#ifndef UIDEXT_CONVERT_H
#define UIDEXT_CONVERT_H

#include "postgres.h"

#include "fmgr.h"

#include "pure/layout.h"

extern UuidWords getarg_of_version(FunctionCallInfo fcinfo, int version);

#endif							/* UIDEXT_CONVERT_H */
