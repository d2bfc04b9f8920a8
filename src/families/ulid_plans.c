/*-------------------------------------------------------------------------
 *
 * ulid_plans.c
 *	  Planner support for comparisons of a uuid with a ulid.
 *
 * The operators of both types are members of the operator families of ulid, so
 * an index on a ulid serves them as they are.  An index on a uuid does not,
 * because we do not add operators to PostgreSQL's own families.  The operators
 * of two uuids are members of both, so they serve a join by either index.
 *
 *-------------------------------------------------------------------------
 */
#include "base/uidext.h"

#include "access/stratnum.h"
#include "catalog/pg_type.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "nodes/supportnodes.h"
#include "optimizer/optimizer.h"
#include "utils/lsyscache.h"
#include "utils/typcache.h"

/* By the names of our functions: ulid_lt_uuid, uuid_lt_ulid and so on. */
typedef struct Comparison
{
	const char *name;
	int			strategy;
} Comparison;

static const Comparison comparisons[] = {
	{"lt", BTLessStrategyNumber},
	{"le", BTLessEqualStrategyNumber},
	{"eq", BTEqualStrategyNumber},
	{"ge", BTGreaterEqualStrategyNumber},
	{"gt", BTGreaterStrategyNumber},
};

/*
 * The operator of two values of the type, uuid or ulid, that does what a
 * function of a uuid and a ulid does.
 */
static Oid
find_operator(Oid function, Oid type)
{
	TypeCacheEntry *entry = lookup_type_cache(type, TYPECACHE_BTREE_OPFAMILY);
	Oid			family = entry->btree_opf;
	char	   *name = get_func_name(function);

	if (name == NULL || strlen(name) != strlen("ulid_lt_uuid"))
		return InvalidOid;
	for (int i = 0; i < lengthof(comparisons); i++)
	{
		if (strncmp(name + strlen("ulid_"), comparisons[i].name, 2) == 0)
			return get_opfamily_member(family, type, type,
									   comparisons[i].strategy);
	}
	/* <> is not a member of the family */
	return get_negator(get_opfamily_member(family, type, type,
										   BTEqualStrategyNumber));
}

static bool
is_uuid(Expr *expr)
{
	return exprType((Node *) expr) == UUIDOID;
}

/* The same 128 bits as a value of the other type. */
static Expr *
relabel(Expr *expr, Oid type)
{
	if (exprType((Node *) expr) == type)
		return expr;
	return (Expr *) applyRelabelType((Node *) expr, type, -1, InvalidOid,
									 COERCE_IMPLICIT_CAST, -1, false);
}

/*
 * ulid_comparison_support(internal) returns internal
 *
 * Planner support of the comparisons of a uuid with a ulid: replaces them by
 * an operator for two values of one type.
 *
 * If the uuid is a column, this is the operator of uuid, which can use indexes
 * on both columns.  If the uuid is a constant or a parameter, only the ulid
 * can have an index, and this is the operator of ulid.  It saves btree a
 * look-up of support functions in each search, because btree keeps only those
 * for the index's own type.  A search for an int8 in an index on int4 has the
 * same cost.
 *
 * A join pays it where the index is that of the ulid.  With the operator of
 * ulid it would not, but then it could not use an index on the uuid: PostgreSQL
 * makes join clauses for an index only of operators in the index's family.
 */
PG_FUNCTION_INFO_V1(uidext_ulid_comparison_support);
Datum
uidext_ulid_comparison_support(PG_FUNCTION_ARGS)
{
	Node	   *request = (Node *) PG_GETARG_POINTER(0);
	FuncExpr   *call;
	Expr	   *left;
	Expr	   *right;
	Expr	   *uuid;
	Expr	   *ulid;
	Oid			type;
	Oid			operator;

	if (!IsA(request, SupportRequestSimplify))
		PG_RETURN_POINTER(NULL);
	call = ((SupportRequestSimplify *) request)->fcall;
	left = linitial(call->args);
	right = lsecond(call->args);
	uuid = is_uuid(left) ? left : right;
	ulid = is_uuid(left) ? right : left;

	type = exprType((Node *) (contain_var_clause((Node *) uuid) ? uuid : ulid));
	operator = find_operator(call->funcid, type);
	if (!OidIsValid(operator))
		PG_RETURN_POINTER(NULL);
	PG_RETURN_POINTER(make_opclause(operator, BOOLOID, false,
									relabel(left, type), relabel(right, type),
									InvalidOid, InvalidOid));
}
