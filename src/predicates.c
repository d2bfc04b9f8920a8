/*-------------------------------------------------------------------------
 *
 * predicates.c
 *	  Time predicates on ids, and what the planner makes of them.
 *
 * An id is compared with a bound of boundary.c.  The functions of the domains
 * uuid_v7 and iuid are these same C functions: their bounds differ, but no id
 * of theirs lies between.  Nothing here raises an error, whatever the values:
 * the functions are leakproof, as core's comparisons of uuids are.
 *
 *-------------------------------------------------------------------------
 */
#include "uidext.h"

#include "access/stratnum.h"
#include "catalog/pg_proc.h"
#include "catalog/pg_type.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "nodes/supportnodes.h"
#include "optimizer/clauses.h"
#include "optimizer/optimizer.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"
#include "utils/timestamp.h"
#include "utils/typcache.h"

#include "boundary.h"

static bool
is_below(UuidWords id, UuidWords bound)
{
	return layout_compare(id, bound) < 0;
}

static bool
is_in_range(FunctionCallInfo fcinfo, UuidWords id, const RangeType *period)
{
	UuidWords	lower;
	UuidWords	upper;

	range_to_bounds(fcinfo, period, &lower, &upper);
	return !is_below(id, lower) && is_below(id, upper);
}

/*
 * uuid_lt_timestamptz(id uuid, at timestamptz) returns bool
 *
 * Whether the id's millisecond is before the time.
 */
PG_FUNCTION_INFO_V1(uidext_uuid_lt_timestamptz);
Datum
uidext_uuid_lt_timestamptz(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(is_below(PG_GETARG_UUID_WORDS(0), boundary_at_or_after(PG_GETARG_TIMESTAMPTZ(1))));
}

/*
 * uuid_le_timestamptz(id uuid, at timestamptz) returns bool
 *
 * Whether the id's millisecond is at or before the time.
 */
PG_FUNCTION_INFO_V1(uidext_uuid_le_timestamptz);
Datum
uidext_uuid_le_timestamptz(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(is_below(PG_GETARG_UUID_WORDS(0), boundary_after(PG_GETARG_TIMESTAMPTZ(1))));
}

/*
 * uuid_ge_timestamptz(id uuid, at timestamptz) returns bool
 *
 * Whether the id's millisecond is at or after the time.
 */
PG_FUNCTION_INFO_V1(uidext_uuid_ge_timestamptz);
Datum
uidext_uuid_ge_timestamptz(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(!is_below(PG_GETARG_UUID_WORDS(0), boundary_at_or_after(PG_GETARG_TIMESTAMPTZ(1))));
}

/*
 * uuid_gt_timestamptz(id uuid, at timestamptz) returns bool
 *
 * Whether the id's millisecond is after the time.
 */
PG_FUNCTION_INFO_V1(uidext_uuid_gt_timestamptz);
Datum
uidext_uuid_gt_timestamptz(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(!is_below(PG_GETARG_UUID_WORDS(0), boundary_after(PG_GETARG_TIMESTAMPTZ(1))));
}

/*
 * uuid_in_tstzrange(id uuid, period tstzrange) returns bool
 *
 * Whether the id's millisecond lies in the period.
 */
PG_FUNCTION_INFO_V1(uidext_uuid_in_tstzrange);
Datum
uidext_uuid_in_tstzrange(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(is_in_range(fcinfo, PG_GETARG_UUID_WORDS(0), PG_GETARG_RANGE_P(1)));
}

/*
 * timestamptz_lt_uuid(at timestamptz, id uuid) returns bool
 *
 * Whether the time is before the id's millisecond.
 */
PG_FUNCTION_INFO_V1(uidext_timestamptz_lt_uuid);
Datum
uidext_timestamptz_lt_uuid(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(!is_below(PG_GETARG_UUID_WORDS(1), boundary_after(PG_GETARG_TIMESTAMPTZ(0))));
}

/*
 * timestamptz_le_uuid(at timestamptz, id uuid) returns bool
 *
 * Whether the time is at or before the id's millisecond.
 */
PG_FUNCTION_INFO_V1(uidext_timestamptz_le_uuid);
Datum
uidext_timestamptz_le_uuid(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(!is_below(PG_GETARG_UUID_WORDS(1), boundary_at_or_after(PG_GETARG_TIMESTAMPTZ(0))));
}

/*
 * timestamptz_ge_uuid(at timestamptz, id uuid) returns bool
 *
 * Whether the time is at or after the id's millisecond.
 */
PG_FUNCTION_INFO_V1(uidext_timestamptz_ge_uuid);
Datum
uidext_timestamptz_ge_uuid(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(is_below(PG_GETARG_UUID_WORDS(1), boundary_after(PG_GETARG_TIMESTAMPTZ(0))));
}

/*
 * timestamptz_gt_uuid(at timestamptz, id uuid) returns bool
 *
 * Whether the time is after the id's millisecond.
 */
PG_FUNCTION_INFO_V1(uidext_timestamptz_gt_uuid);
Datum
uidext_timestamptz_gt_uuid(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(is_below(PG_GETARG_UUID_WORDS(1), boundary_at_or_after(PG_GETARG_TIMESTAMPTZ(0))));
}

/*
 * tstzrange_contains_uuid(period tstzrange, id uuid) returns bool
 *
 * Whether the id's millisecond lies in the period.
 */
PG_FUNCTION_INFO_V1(uidext_tstzrange_contains_uuid);
Datum
uidext_tstzrange_contains_uuid(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(is_in_range(fcinfo, PG_GETARG_UUID_WORDS(1), PG_GETARG_RANGE_P(0)));
}

/*
 * What each predicate stands for: "id >= lower(time)", "id < upper(time)", or
 * both, with the names of the SQL functions that make the bounds.
 */
typedef struct TimePredicate
{
	const char *name;
	int			id;				/* which argument; the other is the time */
	const char *lower;
	const char *upper;
	const char *ceiling;		/* around the lower bound, for a domain */
} TimePredicate;

static const TimePredicate time_predicates[] = {
	{"uuid_lt_timestamptz", 0, NULL, "uuid_boundary_at_or_after", NULL},
	{"uuid_le_timestamptz", 0, NULL, "uuid_boundary_after", NULL},
	{"uuid_ge_timestamptz", 0, "uuid_boundary_at_or_after", NULL, NULL},
	{"uuid_gt_timestamptz", 0, "uuid_boundary_after", NULL, NULL},
	{"uuid_in_tstzrange", 0, "uuid_range_lower", "uuid_range_upper", NULL},
	{"timestamptz_lt_uuid", 1, "uuid_boundary_after", NULL, NULL},
	{"timestamptz_le_uuid", 1, "uuid_boundary_at_or_after", NULL, NULL},
	{"timestamptz_ge_uuid", 1, NULL, "uuid_boundary_after", NULL},
	{"timestamptz_gt_uuid", 1, NULL, "uuid_boundary_at_or_after", NULL},
	{"tstzrange_contains_uuid", 1, "uuid_range_lower", "uuid_range_upper", NULL},
	{"uuid_v7_ge_timestamptz", 0, "uuid_boundary_at_or_after", NULL, "uuidv7_ceiling"},
	{"uuid_v7_gt_timestamptz", 0, "uuid_boundary_after", NULL, "uuidv7_ceiling"},
	{"uuid_v7_in_tstzrange", 0, "uuid_range_lower", "uuid_range_upper", "uuidv7_ceiling"},
	{"timestamptz_lt_uuid_v7", 1, "uuid_boundary_after", NULL, "uuidv7_ceiling"},
	{"timestamptz_le_uuid_v7", 1, "uuid_boundary_at_or_after", NULL, "uuidv7_ceiling"},
	{"tstzrange_contains_uuid_v7", 1, "uuid_range_lower", "uuid_range_upper", "uuidv7_ceiling"},
	{"iuid_ge_timestamptz", 0, "uuid_boundary_at_or_after", NULL, "iuid_ceiling"},
	{"iuid_gt_timestamptz", 0, "uuid_boundary_after", NULL, "iuid_ceiling"},
	{"iuid_in_tstzrange", 0, "uuid_range_lower", "uuid_range_upper", "iuid_ceiling"},
	{"timestamptz_lt_iuid", 1, "uuid_boundary_after", NULL, "iuid_ceiling"},
	{"timestamptz_le_iuid", 1, "uuid_boundary_at_or_after", NULL, "iuid_ceiling"},
	{"tstzrange_contains_iuid", 1, "uuid_range_lower", "uuid_range_upper", "iuid_ceiling"},
};

static const TimePredicate *
find_predicate(const char *name)
{
	for (int i = 0; i < lengthof(time_predicates); i++)
	{
		if (strcmp(time_predicates[i].name, name) == 0)
			return &time_predicates[i];
	}
	return NULL;
}

/*
 * A call of a function of the extension that makes a bound, or its result where
 * that is known already.  NULL when there is no such function.
 *
 * The planner does not simplify what it gets here any further.  A constant is
 * never null, as the predicates are strict.
 */
static Node *
make_bound(Oid schema, const char *name, Node *argument)
{
	Oid			type = exprType(argument);
	Oid			function = GetSysCacheOid3(PROCNAMEARGSNSP, Anum_pg_proc_oid,
										   CStringGetDatum(name),
										   PointerGetDatum(buildoidvector(&type, 1)),
										   ObjectIdGetDatum(schema));
	Datum		value;

	if (!OidIsValid(function))
		return NULL;
	if (!IsA(argument, Const))
		return (Node *) makeFuncExpr(function, UUIDOID, list_make1(argument),
									 InvalidOid, InvalidOid, COERCE_EXPLICIT_CALL);

	value = OidFunctionCall1(function, castNode(Const, argument)->constvalue);
	return (Node *) makeConst(UUIDOID, -1, InvalidOid, UUID_LEN, value, false, false);
}

/* "id >= bound" or "id < bound"; NULL without a bound. */
static Node *
make_comparison(Node *id, int16 strategy, Node *bound)
{
	Oid			family = lookup_type_cache(UUIDOID, TYPECACHE_BTREE_OPFAMILY)->btree_opf;
	Oid			operator = get_opfamily_member(family, UUIDOID, UUIDOID, strategy);

	if (bound == NULL || !OidIsValid(operator))
		return NULL;
	return (Node *) make_opclause(operator, BOOLOID, false, (Expr *) id, (Expr *) bound,
								  InvalidOid, InvalidOid);
}

static Node *
make_lower(const TimePredicate *predicate, Oid schema, Node *id, Node *time)
{
	Node	   *bound = make_bound(schema, predicate->lower, time);

	if (bound != NULL && predicate->ceiling != NULL)
		bound = make_bound(schema, predicate->ceiling, bound);
	return make_comparison(id, BTGreaterEqualStrategyNumber, bound);
}

static Node *
make_upper(const TimePredicate *predicate, Oid schema, Node *id, Node *time)
{
	return make_comparison(id, BTLessStrategyNumber, make_bound(schema, predicate->upper, time));
}

/* Both comparisons; NULL when the arguments must not be evaluated twice. */
static Node *
make_both(const TimePredicate *predicate, Oid schema, Node *id, Node *time)
{
	Node	   *both = (Node *) list_make2(id, time);
	Node	   *lower;
	Node	   *upper;

	if (contain_volatile_functions(both) || contain_subplans(both))
		return NULL;

	lower = make_lower(predicate, schema, id, time);
	/* the planner changes some nodes in place */
	upper = make_upper(predicate, schema, copyObject(id), copyObject(time));
	if (lower == NULL || upper == NULL)
		return NULL;
	return (Node *) make_andclause(list_make2(lower, upper));
}

/* The comparison of uuids that a call stands for, or NULL to leave the call. */
static Node *
simplify(FuncExpr *call)
{
	char	   *name = get_func_name(call->funcid);
	Oid			schema = get_func_namespace(call->funcid);
	const TimePredicate *predicate = name ? find_predicate(name) : NULL;
	Node	   *id;
	Node	   *time;

	if (predicate == NULL)
		return NULL;

	id = list_nth(call->args, predicate->id);
	time = list_nth(call->args, 1 - predicate->id);
	/* as the parser does with an id of a domain */
	if (exprType(id) != UUIDOID)
		id = applyRelabelType(id, UUIDOID, -1, InvalidOid, COERCE_IMPLICIT_CAST, -1, false);

	if (predicate->lower == NULL)
		return make_upper(predicate, schema, id, time);
	if (predicate->upper == NULL)
		return make_lower(predicate, schema, id, time);
	return make_both(predicate, schema, id, time);
}

/*
 * uuid_predicate_support(internal) returns internal
 *
 * Planner support of all predicates above.
 */
PG_FUNCTION_INFO_V1(uidext_uuid_predicate_support);
Datum
uidext_uuid_predicate_support(PG_FUNCTION_ARGS)
{
	Node	   *request = (Node *) PG_GETARG_POINTER(0);

	if (!IsA(request, SupportRequestSimplify))
		PG_RETURN_POINTER(NULL);
	PG_RETURN_POINTER(simplify(castNode(SupportRequestSimplify, request)->fcall));
}
