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

#include "base/relabel.h"

static Oid
btree_family(Oid type)
{
	return lookup_type_cache(type, TYPECACHE_BTREE_OPFAMILY)->btree_opf;
}

/*
 * The operator of two values of the type, uuid or ulid, that does what a
 * function of a uuid and a ulid does, as the family of ulid has it.
 */
static Oid
find_operator(Oid function, Oid left, Oid right, Oid type)
{
	Oid			mixed = btree_family(left == UUIDOID ? right : left);
	Oid			family = btree_family(type);
	Oid			equal;

	for (int strategy = 1; strategy <= BTMaxStrategyNumber; strategy++)
	{
		if (get_opcode(get_opfamily_member(mixed, left, right,
										   strategy)) == function)
			return get_opfamily_member(family, type, type, strategy);
	}
	/* <> is not a member of the family */
	equal = get_opfamily_member(mixed, left, right, BTEqualStrategyNumber);
	if (get_opcode(get_negator(equal)) != function)
		return InvalidOid;
	return get_negator(get_opfamily_member(family, type, type,
										   BTEqualStrategyNumber));
}

static bool
is_uuid(Expr *expr)
{
	return exprType((Node *) expr) == UUIDOID;
}

static Expr *
as_type(Expr *expr, Oid type)
{
	return (Expr *) relabel((Node *) expr, type, COERCE_IMPLICIT_CAST);
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
	if (list_length(call->args) != 2)
		PG_RETURN_POINTER(NULL);
	left = linitial(call->args);
	right = lsecond(call->args);
	uuid = is_uuid(left) ? left : right;
	ulid = is_uuid(left) ? right : left;

	type = exprType((Node *) (contain_var_clause((Node *) uuid) ? uuid : ulid));
	operator = find_operator(call->funcid, exprType((Node *) left),
							 exprType((Node *) right), type);
	if (!OidIsValid(operator))
		PG_RETURN_POINTER(NULL);
	PG_RETURN_POINTER(make_opclause(operator, BOOLOID, false,
									as_type(left, type), as_type(right, type),
									InvalidOid, InvalidOid));
}
