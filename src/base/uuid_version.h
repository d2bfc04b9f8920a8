/*-------------------------------------------------------------------------
 *
 * uuid_version.h
 *	  Arguments of conversions, which take one version of UUID.
 *
 *-------------------------------------------------------------------------
 */
#ifndef UIDEXT_UUID_VERSION_H
#define UIDEXT_UUID_VERSION_H

#include "postgres.h"

#include "fmgr.h"

#include "pure/layout.h"

extern UuidWords getarg_of_version(FunctionCallInfo fcinfo, int version);

#endif							/* UIDEXT_UUID_VERSION_H */
