/*-------------------------------------------------------------------------
 *
 * predicate_plans.c
 *	  Planner support of the time predicates of predicates.c.
 *
 * A predicate is replaced by comparisons of the id with bounds of boundary.c,
 * before anything else looks at the query.  So it can use indexes and prune
 * partitions, and the planner can estimate how many rows pass.
 *
 *-------------------------------------------------------------------------
 */
#include "base/uidext.h"

#include "access/stratnum.h"
#include "catalog/pg_operator_d.h"
#include "catalog/pg_proc.h"
#include "catalog/pg_type.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "nodes/supportnodes.h"
#include "optimizer/clauses.h"
#include "optimizer/cost.h"
#include "optimizer/optimizer.h"
#include "parser/parse_coerce.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"
#include "utils/multirangetypes.h"
#include "utils/syscache.h"
#include "utils/typcache.h"

#include "base/relabel.h"
#include "time/boundary.h"
#include "time/predicate_plans.h"

/*
 * What each predicate means: "id >= lower(time)", "id < upper(time)", or both,
 * where lower and upper are SQL functions that return the bounds as uuid.  An
 * entry holds for every type of id that is binary coercible to and from uuid.
 * The predicate functions have the same names for all these types, and ids are
 * compared with the operators of the type's default btree operator family.
 *
 * The list of predicates is that of sql/time/predicates.sql.
 */
typedef struct TimePredicate
{
	const char *name;
	int			id;				/* which argument; the other is the time */
	const char *lower;
	const char *upper;
} TimePredicate;

static const TimePredicate time_predicates[] = {
	{"id_lt_timestamptz", 0, NULL, "uuid_boundary_at_or_after"},
	{"id_le_timestamptz", 0, NULL, "uuid_boundary_after"},
	{"id_ge_timestamptz", 0, "uuid_boundary_at_or_after", NULL},
	{"id_gt_timestamptz", 0, "uuid_boundary_after", NULL},
	{"id_in_tstzrange", 0, "uuid_range_lower", "uuid_range_upper"},
	{"id_in_tstzmultirange", 0, "uuid_range_lower", "uuid_range_upper"},
	{"timestamptz_lt_id", 1, "uuid_boundary_after", NULL},
	{"timestamptz_le_id", 1, "uuid_boundary_at_or_after", NULL},
	{"timestamptz_ge_id", 1, NULL, "uuid_boundary_after"},
	{"timestamptz_gt_id", 1, NULL, "uuid_boundary_at_or_after"},
	{"tstzrange_contains_id", 1, "uuid_range_lower", "uuid_range_upper"},
	{"tstzmultirange_contains_id", 1, "uuid_range_lower", "uuid_range_upper"},
};

/* A call of a predicate. */
typedef struct TimeCall
{
	const TimePredicate *predicate;
	Oid			schema;			/* that of the extension's machinery */
	Node	   *id;
	Node	   *time;
} TimeCall;

static bool
is_period(const TimeCall *call)
{
	return call->predicate->lower != NULL && call->predicate->upper != NULL;
}

static bool
is_multirange(const TimeCall *call)
{
	return exprType(call->time) == TSTZMULTIRANGEOID;
}

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

/* Of the type that a domain, or a domain over one, is made of. */
static Node *
see_through_domains(Node *expr)
{
	return relabel(expr, getBaseType(exprType(expr)),
				   COERCE_EXPLICIT_CAST);
}

static bool
has_null(List *args)
{
	ListCell   *cell;

	foreach(cell, args)
	{
		Node	   *argument = strip_relabel(lfirst(cell));

		if (IsA(argument, Const) && castNode(Const, argument)->constisnull)
			return true;
	}
	return false;
}

/*
 * Whether a call is really one of a predicate.  A superuser can attach the
 * support function of predicates to any other function, so the name and the
 * arguments are checked.
 *
 * A call with a null is not simplified any further.  eval_const_expressions()
 * has removed those that a query was written with, but adjust_appendrel_attrs()
 * makes others: an arm of a UNION ALL may have a null where the query has a
 * column, and join clauses are not simplified again for each arm.
 */
static bool
recognize_call(Oid function, List *args, TimeCall *call)
{
	char	   *name = get_func_name(function);

	call->predicate = name ? find_predicate(name) : NULL;
	if (call->predicate == NULL || list_length(args) != 2 || has_null(args))
		return false;

	call->schema = get_func_namespace(function);
	call->id = list_nth(args, call->predicate->id);
	call->time = see_through_domains(list_nth(args, 1 - call->predicate->id));
	return IsBinaryCoercible(exprType(call->id), UUIDOID);
}

/*
 * A call of a function, or its result where that is known already: the planner
 * does not simplify what it gets here any further.  A constant is not null, see
 * recognize_call().
 */
static Node *
make_call(Oid function, Oid result_type, Node *argument)
{
	int16		length;
	bool		by_value;
	Datum		value;

	if (!IsA(argument, Const))
		return (Node *) makeFuncExpr(function, result_type,
									 list_make1(argument), InvalidOid,
									 InvalidOid, COERCE_EXPLICIT_CALL);

	value = OidFunctionCall1(function, castNode(Const, argument)->constvalue);
	get_typlenbyval(result_type, &length, &by_value);
	return (Node *) makeConst(result_type, -1, InvalidOid, length, value,
							  false, by_value);
}

/* A function of the extension; InvalidOid if there is none of that name. */
static Oid
find_own(const TimeCall *call, const char *name, const Oid *types, int count)
{
	return GetSysCacheOid3(PROCNAMEARGSNSP, Anum_pg_proc_oid,
						   CStringGetDatum(name),
						   PointerGetDatum(buildoidvector(types, count)),
						   ObjectIdGetDatum(call->schema));
}

/* As make_call(), of a function of the extension; NULL if there is none. */
static Node *
make_own_call(const TimeCall *call, const char *name,
			  Oid result_type, Node *argument)
{
	Oid			type = exprType(argument);
	Oid			function = find_own(call, name, &type, 1);

	if (!OidIsValid(function))
		return NULL;
	return make_call(function, result_type, argument);
}

/*
 * "operand strategy value" by the default btree family of the operand; NULL
 * without a value.
 */
static Node *
make_comparison(Node *operand, int16 strategy, Node *value)
{
	TypeCacheEntry *type = lookup_type_cache(exprType(operand),
											 TYPECACHE_BTREE_OPFAMILY);
	Oid			operator = get_opfamily_member(type->btree_opf,
											   type->btree_opintype,
											   type->btree_opintype,
											   strategy);

	if (value == NULL || !OidIsValid(operator))
		return NULL;
	return (Node *) make_opclause(operator, BOOLOID, false, (Expr *) operand,
								  (Expr *) relabel(value, type->btree_opintype,
												   COERCE_EXPLICIT_CAST),
								  InvalidOid, InvalidOid);
}

/*
 * The id compared with a bound of the time.  If the time is a multirange, the
 * bound is that of the smallest range that contains all its ranges.
 */
static Node *
compare_with_bound(const TimeCall *call, int16 strategy, const char *bound)
{
	Node	   *time = call->time;

	if (is_multirange(call))
		time = make_call(F_RANGE_MERGE_ANYMULTIRANGE, TSTZRANGEOID, time);
	return make_comparison(call->id, strategy,
						   make_own_call(call, bound, UUIDOID, time));
}

/*
 * The comparisons of the id that a call implies, one or two, or NIL.  Except
 * for several periods, they are equivalent to the call.
 */
static List *
make_comparisons(const TimeCall *call)
{
	const TimePredicate *predicate = call->predicate;
	List	   *comparisons = NIL;

	if (predicate->lower != NULL)
		comparisons = lappend(comparisons,
							  compare_with_bound(call,
												 BTGreaterEqualStrategyNumber,
												 predicate->lower));
	if (predicate->upper != NULL)
		comparisons = lappend(comparisons,
							  compare_with_bound(call, BTLessStrategyNumber,
												 predicate->upper));

	if (list_member_ptr(comparisons, NULL))
		return NIL;
	/* the planner changes some nodes in place: no two may share any */
	return copyObject(comparisons);
}

/*
 * What is checked for several periods beyond the comparisons: whether the time
 * lies in one of them.  It is a call of a function, and not of the operator,
 * because clause_selectivity() asks support functions of functions only.
 *
 * If the periods are a column, it is the operator, which can use an index on
 * that column.
 */
static Node *
make_recheck(const TimeCall *call)
{
	Oid			types[] = {UUIDOID, TSTZMULTIRANGEOID};
	Oid			function = find_own(call, "id_in_periods", types,
									lengthof(types));
	Node	   *id = relabel(copyObject(call->id), UUIDOID,
							 COERCE_EXPLICIT_CAST);

	if (contain_vars_of_level(call->time, 0))
	{
		Node	   *time = make_own_call(call, "id_time", TIMESTAMPTZOID, id);

		if (time == NULL)
			return NULL;
		return (Node *) make_opclause(OID_MULTIRANGE_CONTAINS_ELEM_OP, BOOLOID,
									  false, (Expr *) copyObject(call->time),
									  (Expr *) time, InvalidOid, InvalidOid);
	}
	if (!OidIsValid(function))
		return NULL;
	return (Node *) makeFuncExpr(function, BOOLOID,
								 list_make2(id, copyObject(call->time)),
								 InvalidOid, InvalidOid,
								 COERCE_EXPLICIT_CALL);
}

/*
 * Known periods become "... OR ...", so that partitions and pages between them
 * are not read.  Not too many: each row is compared with them one by one.
 */
#define MAX_OR_PERIODS	100

static MultirangeType *
known_periods(Node *constant)
{
	return DatumGetMultirangeTypeP(castNode(Const, constant)->constvalue);
}

static Node *
make_or(const TimeCall *call)
{
	MultirangeType *periods = known_periods(call->time);
	TypeCacheEntry *range = lookup_type_cache(TSTZRANGEOID,
											  TYPECACHE_RANGE_INFO);
	List	   *arms = NIL;

	for (int i = 0; i < periods->rangeCount; i++)
	{
		RangeType  *period = multirange_get_range(range, periods, i);
		TimeCall	arm = *call;
		List	   *comparisons;

		arm.time = (Node *) makeConst(TSTZRANGEOID, -1, InvalidOid, -1,
									  RangeTypePGetDatum(period), false,
									  false);
		comparisons = make_comparisons(&arm);
		if (comparisons == NIL)
			return NULL;
		arms = lappend(arms, make_andclause(comparisons));
	}
	if (list_length(arms) == 1)
		return linitial(arms);
	return (Node *) make_orclause(arms);
}

static bool
is_short_constant(Node *periods)
{
	int			count;

	if (!IsA(periods, Const))
		return false;
	count = known_periods(periods)->rangeCount;
	return count > 0 && count <= MAX_OR_PERIODS;
}

static Cost
evaluation_cost(Node *node)
{
	QualCost	cost;

	cost_qual_eval_node(&cost, node, NULL);
	return cost.startup + cost.per_tuple;
}

static Node *
simplify_multirange(const TimeCall *call)
{
	List	   *comparisons;
	Node	   *recheck;

	if (is_short_constant(call->time) && evaluation_cost(call->id) == 0)
		return make_or(call);

	comparisons = make_comparisons(call);
	recheck = make_recheck(call);
	if (comparisons == NIL || recheck == NULL)
		return NULL;
	return (Node *) make_andclause(lappend(comparisons, recheck));
}

/*
 * Whether an argument may be evaluated twice.  An argument with columns is
 * evaluated for each row, so the rule of inline_function() applies.  One
 * without columns of this query is the same for all rows of a scan.  An index
 * scan or partition pruning evaluates it once, and saves far more than that
 * costs.  A sequential scan evaluates one that is STABLE twice for each row.
 * In "(SELECT ...)" it is evaluated once.
 */
static bool
may_be_doubled(Node *argument)
{
	if (contain_volatile_functions(argument) || contain_subplans(argument))
		return false;
	if (!contain_vars_of_level(argument, 0))
		return true;
	return evaluation_cost(argument) <= 10 * cpu_operator_cost;
}

/*
 * Whether a call searches a column of times, or of periods, by an id:
 * "created_at >= id".  It is left for index_conditions(), or the index on that
 * column would be lost.
 *
 * Where both are columns, the first argument is what is searched.  So times are
 * searched if the id is the second argument.  Periods are not, because
 * index_conditions() has none for an index on periods.
 */
static bool
searches_times(const TimeCall *call)
{
	bool		id_is_second = call->predicate->id == 1;

	if (!contain_vars_of_level(call->time, 0))
		return false;
	if (!contain_vars_of_level(call->id, 0))
		return true;
	return id_is_second && !is_period(call);
}

/*
 * The comparisons of the id that a call stands for; NULL to leave the call.
 *
 * A period that is left becomes a call of the function instead of the operator,
 * because clause_selectivity() asks support functions of functions only.
 */
static Node *
simplify(const TimeCall *call, FuncExpr *function)
{
	List	   *comparisons;

	if (searches_times(call))
		return NULL;
	if (is_period(call) &&
		!(may_be_doubled(call->id) && may_be_doubled(call->time)))
		return copyObject((Node *) function);
	if (is_multirange(call))
		return simplify_multirange(call);

	comparisons = make_comparisons(call);
	if (comparisons == NIL)
		return NULL;
	if (list_length(comparisons) == 1)
		return linitial(comparisons);
	return (Node *) make_andclause(comparisons);
}

/*
 * For an index on times: "time <= time of id" or "time >= time of id".  This is
 * lossy, so the call is checked again.
 */
static List *
make_time_conditions(const TimeCall *call)
{
	int16		strategy = call->predicate->lower ?
		BTLessEqualStrategyNumber : BTGreaterEqualStrategyNumber;
	Node	   *time = make_own_call(call, "id_time", TIMESTAMPTZOID,
									 relabel(call->id, UUIDOID,
											 COERCE_EXPLICIT_CAST));
	Node	   *condition = make_comparison(call->time, strategy, time);

	return condition ? list_make1(condition) : NIL;
}

/*
 * Index conditions for a call that was not simplified, or NIL.  The index is on
 * the id, or else on the time that is compared with the id.
 */
static List *
index_conditions(const TimeCall *call, SupportRequestIndexCondition *request)
{
	bool		on_id = request->indexarg == call->predicate->id;
	Node	   *given = on_id ? call->time : call->id;
	List	   *conditions;
	ListCell   *cell;

	if (!on_id && is_period(call))
		return NIL;
	if (contain_subplans(given) ||
		!is_pseudo_constant_for_index(request->root, given, request->index))
		return NIL;

	conditions = on_id ? make_comparisons(call) : make_time_conditions(call);
	foreach(cell, conditions)
	{
		if (!op_in_opfamily(lfirst_node(OpExpr, cell)->opno, request->opfamily))
			return NIL;
	}
	request->lossy = !on_id || is_multirange(call);
	return conditions;
}

/*
 * Which share of the time between the start of the first period and the end of
 * the last lies in a period: about that share of the rows that pass the
 * comparisons lies there, too.  1 if the planner does not know the periods, and
 * 0 if they are NULL.  A period without a start begins with the time of the
 * first possible id, and one without an end lasts until that of the last.
 */
static Selectivity
share_in_periods(PlannerInfo *root, Node *periods)
{
	TypeCacheEntry *range = lookup_type_cache(TSTZRANGEOID,
											  TYPECACHE_RANGE_INFO);
	Node	   *value = estimate_expression_value(root, periods);
	MultirangeType *known;
	uint64		start = 0;
	uint64		end = 0;
	double		within = 0;

	if (!IsA(value, Const))
		return 1;
	if (castNode(Const, value)->constisnull)
		return 0;
	known = known_periods(value);
	for (int i = 0; i < known->rangeCount; i++)
	{
		RangeBound	lower;
		RangeBound	upper;
		uint64		from;

		multirange_get_bounds(range, known, i, &lower, &upper);
		from = layout_unix_ms(boundary_of_lower(&lower));
		end = layout_unix_ms(boundary_of_upper(&upper));
		if (i == 0)
			start = from;
		within += end - from;
	}
	return end > start ? within / (end - start) : 0;
}

/*
 * How many rows pass a call that was not simplified: as many as pass its
 * comparisons, times the share in several periods; none where a strict function
 * has a null.  A call without comparisons, as of a column of periods, is left
 * to PostgreSQL.
 */
static bool
estimate_call(SupportRequestSelectivity *request)
{
	TimeCall	call;
	List	   *comparisons;

	if (has_null(request->args) && func_strict(request->funcid))
	{
		request->selectivity = 0;
		return true;
	}
	if (!recognize_call(request->funcid, request->args, &call) ||
		searches_times(&call))
		return false;
	comparisons = make_comparisons(&call);
	if (comparisons == NIL)
		return false;
	request->selectivity =
		clauselist_selectivity(request->root, comparisons, request->varRelid,
							   request->jointype, request->sjinfo);
	if (is_multirange(&call))
		request->selectivity *= share_in_periods(request->root, call.time);
	return true;
}

static List *
call_arguments(Node *node)
{
	if (is_opclause(node))
		return castNode(OpExpr, node)->args;
	return castNode(FuncExpr, node)->args;
}

/*
 * id_predicate_support(internal) returns internal
 *
 * Planner support of all predicates.
 */
PG_FUNCTION_INFO_V1(uidext_id_predicate_support);
Datum
uidext_id_predicate_support(PG_FUNCTION_ARGS)
{
	Node	   *node = (Node *) PG_GETARG_POINTER(0);
	TimeCall	call;

	if (IsA(node, SupportRequestSimplify))
	{
		FuncExpr   *function = ((SupportRequestSimplify *) node)->fcall;

		if (recognize_call(function->funcid, function->args, &call))
			PG_RETURN_POINTER(simplify(&call, function));
	}
	else if (IsA(node, SupportRequestSelectivity))
	{
		if (estimate_call((SupportRequestSelectivity *) node))
			PG_RETURN_POINTER(node);
	}
	else if (IsA(node, SupportRequestIndexCondition))
	{
		SupportRequestIndexCondition *request;

		request = (SupportRequestIndexCondition *) node;
		if (recognize_call(request->funcid, call_arguments(request->node),
						   &call))
			PG_RETURN_POINTER(index_conditions(&call, request));
	}
	PG_RETURN_POINTER(NULL);
}

/*
 * id_in_periods_support(internal) returns internal
 *
 * Planner support of id_in_periods(), which make_recheck() calls: how many of
 * the rows that pass the comparisons beside it pass it, too.
 */
PG_FUNCTION_INFO_V1(uidext_id_in_periods_support);
Datum
uidext_id_in_periods_support(PG_FUNCTION_ARGS)
{
	Node	   *node = (Node *) PG_GETARG_POINTER(0);
	SupportRequestSelectivity *request = (SupportRequestSelectivity *) node;
	Node	   *periods;

	if (!IsA(node, SupportRequestSelectivity) ||
		list_length(request->args) != 2)
		PG_RETURN_POINTER(NULL);
	/* a superuser can attach this to a function of other arguments */
	periods = lsecond(request->args);
	if (exprType(periods) != TSTZMULTIRANGEOID)
		PG_RETURN_POINTER(NULL);
	request->selectivity = share_in_periods(request->root, periods);
	PG_RETURN_POINTER(node);
}

/*
 * Partition pruning while the query runs
 */

/*
 * Anybody may give a function the name of a predicate, but only a superuser or
 * the extension's script can give it this support function.
 */
static bool
is_supported(Oid function)
{
	Oid			support = get_func_support(function);
	FmgrInfo	info;

	if (!OidIsValid(support))
		return false;
	fmgr_info(support, &info);
	return info.fn_addr == uidext_id_predicate_support;
}

/*
 * The comparisons that a call implies whose period is known when the query
 * runs, as that of a sub-select; NIL for anything else.
 */
List *
comparisons_for_pruning(Node *clause)
{
	FuncExpr   *function;
	TimeCall	call;

	if (!IsA(clause, FuncExpr))
		return NIL;
	function = castNode(FuncExpr, clause);
	/* is_supported() loads the library of the support function: ask it last */
	if (!recognize_call(function->funcid, function->args, &call) ||
		contain_var_clause(call.time) || contain_subplans(call.time) ||
		contain_volatile_functions(call.time) ||
		!is_supported(function->funcid))
		return NIL;
	return make_comparisons(&call);
}
