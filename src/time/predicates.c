/*-------------------------------------------------------------------------
 *
 * predicates.c
 *	  Time predicates on ids, evaluated.
 *
 * An id is compared with a bound of boundary.c.  No value makes these functions
 * raise an error, because they are leakproof, as PostgreSQL's comparisons of
 * uuids are.  predicate_plans.c has their planner support.
 *
 *-------------------------------------------------------------------------
 */
#include "base/uidext.h"

#include "utils/multirangetypes.h"
#include "utils/timestamp.h"
#include "utils/typcache.h"

#include "base/clock.h"
#include "time/boundary.h"

static bool
is_below(UuidWords id, UuidWords bound)
{
	return layout_compare(id, bound) < 0;
}

/* Whether the id, the argument of this number, is before the other, a time. */
static inline bool
is_before(FunctionCallInfo fcinfo, int id)
{
	return is_below(PG_GETARG_UUID_WORDS(id),
					boundary_at_or_after(PG_GETARG_TIMESTAMPTZ(1 - id)));
}

static inline bool
is_after(FunctionCallInfo fcinfo, int id)
{
	return !is_below(PG_GETARG_UUID_WORDS(id),
					 boundary_after(PG_GETARG_TIMESTAMPTZ(1 - id)));
}

/*
 * The time of an id as predicates take it: the max UUID is later than all
 * times, and in no period.
 */
static TimestampTz
time_of(UuidWords id)
{
	if (layout_equal(id, UUID_WORDS_MAX))
		return DT_NOEND;
	return unix_ms_to_timestamptz(layout_unix_ms(id));
}

static bool
is_in_range(FunctionCallInfo fcinfo, UuidWords id, const RangeType *period)
{
	UuidWords	lower;
	UuidWords	upper;

	range_to_bounds(fcinfo, period, &lower, &upper);
	return !is_below(id, lower) && is_below(id, upper);
}

static bool
is_in_multirange(FunctionCallInfo fcinfo, UuidWords id,
				 const MultirangeType *periods)
{
	Oid			type = MultirangeTypeGetOid(periods);
	TypeCacheEntry *typcache = multirange_get_typcache(fcinfo, type);

	return !layout_equal(id, UUID_WORDS_MAX) &&
		multirange_contains_elem_internal(typcache->rngtype, periods,
										  TimestampTzGetDatum(time_of(id)));
}

/*
 * id_lt_timestamptz(id uuid, at timestamptz) returns bool
 *
 * Whether the id's millisecond is before the time.
 */
PG_FUNCTION_INFO_V1(uidext_id_lt_timestamptz);
Datum
uidext_id_lt_timestamptz(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(is_before(fcinfo, 0));
}

/*
 * id_le_timestamptz(id uuid, at timestamptz) returns bool
 *
 * Whether the id's millisecond is at or before the time.
 */
PG_FUNCTION_INFO_V1(uidext_id_le_timestamptz);
Datum
uidext_id_le_timestamptz(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(!is_after(fcinfo, 0));
}

/*
 * id_ge_timestamptz(id uuid, at timestamptz) returns bool
 *
 * Whether the id's millisecond is at or after the time.
 */
PG_FUNCTION_INFO_V1(uidext_id_ge_timestamptz);
Datum
uidext_id_ge_timestamptz(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(!is_before(fcinfo, 0));
}

/*
 * id_gt_timestamptz(id uuid, at timestamptz) returns bool
 *
 * Whether the id's millisecond is after the time.
 */
PG_FUNCTION_INFO_V1(uidext_id_gt_timestamptz);
Datum
uidext_id_gt_timestamptz(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(is_after(fcinfo, 0));
}

/*
 * id_in_tstzrange(id uuid, period uidext_internal.period) returns bool
 *
 * Whether the id's millisecond lies in the period.
 */
PG_FUNCTION_INFO_V1(uidext_id_in_tstzrange);
Datum
uidext_id_in_tstzrange(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(is_in_range(fcinfo, PG_GETARG_UUID_WORDS(0),
							   PG_GETARG_RANGE_P(1)));
}

/*
 * id_in_tstzmultirange(id uuid, periods uidext_internal.periods) returns bool
 * id_in_periods(id uuid, periods tstzmultirange) returns bool
 *
 * Whether the id's millisecond lies in one of the periods.
 */
PG_FUNCTION_INFO_V1(uidext_id_in_tstzmultirange);
Datum
uidext_id_in_tstzmultirange(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(is_in_multirange(fcinfo, PG_GETARG_UUID_WORDS(0),
									PG_GETARG_MULTIRANGE_P(1)));
}

/*
 * timestamptz_lt_id(at timestamptz, id uuid) returns bool
 *
 * Whether the time is before the id's millisecond.
 */
PG_FUNCTION_INFO_V1(uidext_timestamptz_lt_id);
Datum
uidext_timestamptz_lt_id(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(is_after(fcinfo, 1));
}

/*
 * timestamptz_le_id(at timestamptz, id uuid) returns bool
 *
 * Whether the time is at or before the id's millisecond.
 */
PG_FUNCTION_INFO_V1(uidext_timestamptz_le_id);
Datum
uidext_timestamptz_le_id(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(!is_before(fcinfo, 1));
}

/*
 * timestamptz_ge_id(at timestamptz, id uuid) returns bool
 *
 * Whether the time is at or after the id's millisecond.
 */
PG_FUNCTION_INFO_V1(uidext_timestamptz_ge_id);
Datum
uidext_timestamptz_ge_id(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(!is_after(fcinfo, 1));
}

/*
 * timestamptz_gt_id(at timestamptz, id uuid) returns bool
 *
 * Whether the time is after the id's millisecond.
 */
PG_FUNCTION_INFO_V1(uidext_timestamptz_gt_id);
Datum
uidext_timestamptz_gt_id(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(is_before(fcinfo, 1));
}

/*
 * tstzrange_contains_id(period uidext_internal.period, id uuid) returns bool
 *
 * Whether the id's millisecond lies in the period.
 */
PG_FUNCTION_INFO_V1(uidext_tstzrange_contains_id);
Datum
uidext_tstzrange_contains_id(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(is_in_range(fcinfo, PG_GETARG_UUID_WORDS(1),
							   PG_GETARG_RANGE_P(0)));
}

/*
 * tstzmultirange_contains_id(periods uidext_internal.periods, id uuid)
 *		returns bool
 *
 * Whether the id's millisecond lies in one of the periods.
 */
PG_FUNCTION_INFO_V1(uidext_tstzmultirange_contains_id);
Datum
uidext_tstzmultirange_contains_id(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(is_in_multirange(fcinfo, PG_GETARG_UUID_WORDS(1),
									PG_GETARG_MULTIRANGE_P(0)));
}

/*
 * id_time(id uuid) returns timestamptz
 *
 * The time that predicates compare: the first 48 bits; infinity for the max
 * UUID, which is later than all times.
 */
PG_FUNCTION_INFO_V1(uidext_id_time);
Datum
uidext_id_time(PG_FUNCTION_ARGS)
{
	PG_RETURN_TIMESTAMPTZ(time_of(PG_GETARG_UUID_WORDS(0)));
}
