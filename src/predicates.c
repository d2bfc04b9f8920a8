/*-------------------------------------------------------------------------
 *
 * predicates.c
 *	  Time predicates on ids, and what the planner makes of them.
 *
 * An id is compared with a bound of boundary.c.  Nothing here raises an error,
 * whatever the values: the functions are leakproof, as core's comparisons of
 * uuids are.
 *
 *-------------------------------------------------------------------------
 */
#include "uidext.h"

#include "access/htup_details.h"
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
} TimePredicate;

static const TimePredicate time_predicates[] = {
	{"uuid_lt_timestamptz", 0, NULL, "uuid_boundary_at_or_after"},
	{"uuid_le_timestamptz", 0, NULL, "uuid_boundary_after"},
	{"uuid_ge_timestamptz", 0, "uuid_boundary_at_or_after", NULL},
	{"uuid_gt_timestamptz", 0, "uuid_boundary_after", NULL},
	{"uuid_in_tstzrange", 0, "uuid_range_lower", "uuid_range_upper"},
	{"timestamptz_lt_uuid", 1, "uuid_boundary_after", NULL},
	{"timestamptz_le_uuid", 1, "uuid_boundary_at_or_after", NULL},
	{"timestamptz_ge_uuid", 1, NULL, "uuid_boundary_after"},
	{"timestamptz_gt_uuid", 1, NULL, "uuid_boundary_at_or_after"},
	{"tstzrange_contains_uuid", 1, "uuid_range_lower", "uuid_range_upper"},
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
 * The function around a bound for a column of a domain, or NULL.
 *
 * Such a column holds nothing between a boundary and the least valid id of that
 * millisecond.  Its partitions begin and end at the latter, so that a lower
 * bound below it would reach into the partition before.  Upper bounds too are
 * put there, because the planner makes lower ones of them below a NOT.
 */
static const char *
ceiling_of_domain(const char *domain)
{
	if (strcmp(domain, "uuid_v7") == 0)
		return "uuidv7_ceiling";
	if (strcmp(domain, "iuid") == 0)
		return "iuid_ceiling";
	return NULL;
}

/* The ceiling of an id's domain or, for a domain over that, of the one below; or NULL. */
static const char *
ceiling_of_id(Node *id)
{
	Node	   *value = IsA(id, RelabelType) ? (Node *) castNode(RelabelType, id)->arg : id;
	Oid			type = exprType(value);
	const char *ceiling = NULL;

	while (ceiling == NULL && type != UUIDOID)
	{
		HeapTuple	tuple = SearchSysCache1(TYPEOID, ObjectIdGetDatum(type));
		Form_pg_type form;

		if (!HeapTupleIsValid(tuple))
			break;
		form = (Form_pg_type) GETSTRUCT(tuple);
		ceiling = ceiling_of_domain(NameStr(form->typname));
		type = form->typbasetype;
		ReleaseSysCache(tuple);
	}
	return ceiling;
}

/*
 * A call of a function of the extension that makes a bound, or its result where
 * that is known already.  NULL when there is no such function.
 *
 * The planner does not simplify what it gets here any further.  A constant is
 * never null, as the predicates are strict.
 */
static Node *
make_call(Oid schema, const char *name, Node *argument)
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

/* The bound of a time, for ids such as this one. */
static Node *
make_bound(Oid schema, const char *name, Node *time, Node *id)
{
	Node	   *bound = make_call(schema, name, time);
	const char *ceiling = ceiling_of_id(id);

	if (bound == NULL || ceiling == NULL)
		return bound;
	return make_call(schema, ceiling, bound);
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
	return make_comparison(id, BTGreaterEqualStrategyNumber, make_bound(schema, predicate->lower, time, id));
}

static Node *
make_upper(const TimePredicate *predicate, Oid schema, Node *id, Node *time)
{
	return make_comparison(id, BTLessStrategyNumber, make_bound(schema, predicate->upper, time, id));
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
