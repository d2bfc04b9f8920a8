/*-------------------------------------------------------------------------
 *
 * boundary.h
 *	  Bounds of time predicates.
 *
 *-------------------------------------------------------------------------
 */
#ifndef UIDEXT_BOUNDARY_H
#define UIDEXT_BOUNDARY_H

#include "postgres.h"

#include "datatype/timestamp.h"
#include "fmgr.h"
#include "utils/rangetypes.h"

#include "pure/layout.h"

extern UuidWords boundary_at_or_after(TimestampTz at);
extern UuidWords boundary_after(TimestampTz at);
extern UuidWords boundary_of_lower(const RangeBound *end);
extern UuidWords boundary_of_upper(const RangeBound *end);
extern void range_to_bounds(FunctionCallInfo fcinfo, const RangeType *range,
							UuidWords *lower_bound, UuidWords *upper_bound);

#endif							/* UIDEXT_BOUNDARY_H */
