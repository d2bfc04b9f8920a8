/*-------------------------------------------------------------------------
 *
 * batches.c
 *	  COPY in batches into tables whose ids a generator makes.
 *
 * COPY FROM inserts rows in batches only if the defaults of the missing
 * columns call no volatile function, because such a function could look at
 * the table.  PostgreSQL exempts nextval() alone, in
 * contain_volatile_functions_not_nextval().  Generators do not look at the
 * table either, but cannot say so.
 *
 * Their support function says it.  An expression that is prepared outside of
 * a query, as COPY prepares defaults, has no PlannerInfo.  (Arguments of CALL
 * have none either, nor has ALTER TABLE ... USING; there the same does no
 * harm.)  There a call of a generator becomes
 *
 *		COALESCE(uidext_internal.generate(generator, NULL, argument, ...),
 *				 never)
 *
 * generate() calls the generator and is STABLE.  "never" is an expression with
 * a call of nextval() that never happens.  So COPY finds nothing volatile but
 * nextval(), and whoever else looks for volatility still finds some: ALTER
 * TABLE ... ADD COLUMN, index expressions, generated columns, COPY ... WHERE.
 *
 * Plans of queries keep the generator as it is written.  While a query is
 * planned, estimate_expression_value() has no PlannerInfo either, so where the
 * planner estimates a value it gets the COALESCE.  That does no harm: nothing
 * in it is called, because PostgreSQL does not simplify what a support function
 * returns, and the value stays unknown, as that of any volatile call.
 *
 * If a server does not exempt nextval(), COPY inserts row by row, as it does
 * without all this.  So it does in a database with Citus, which prepares
 * expressions of queries without a PlannerInfo, too.
 *
 *-------------------------------------------------------------------------
 */
#include "base/uidext.h"

#include "catalog/objectaccess.h"
#include "catalog/pg_proc.h"
#include "catalog/pg_type.h"
#include "commands/extension.h"
#include "miscadmin.h"
#include "nodes/makefuncs.h"
#include "nodes/supportnodes.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"

#include "base/compat.h"

/*
 * Arguments of generate() that are not the generator's.  The second is NULL.
 * It is there because VARIADIC "any" needs at least one argument.
 */
#define OWN_ARGS	2

/*
 * The OID of generate(), which is in the schema of the support function; or
 * InvalidOid.  It is not remembered here, because the catalog cache does that,
 * and learns when the extension is dropped, made again or moved.
 */
static Oid
find_generate(Oid generator)
{
	Oid			types[] = {INTERNALOID, ANYOID};
	Oid			schema = get_func_namespace(get_func_support(generator));

	return GetSysCacheOid3(PROCNAMEARGSNSP, Anum_pg_proc_oid,
						   CStringGetDatum("generate"),
						   PointerGetDatum(buildoidvector(types,
														  lengthof(types))),
						   ObjectIdGetDatum(schema));
}

/*
 * The generator's OID as a Const of type internal.  SQL cannot make a value of
 * that type, so users cannot make generate() call other functions.
 */
static Node *
make_generator(Oid generator)
{
	return (Node *) makeConst(INTERNALOID, -1, InvalidOid, sizeof(Datum),
							  ObjectIdGetDatum(generator), false, true);
}

/* pg_backend_pid() IS NULL, which no simplification finds to be false. */
static Expr *
make_false(void)
{
	NullTest   *test = makeNode(NullTest);

	test->arg = (Expr *) makeFuncExpr(F_PG_BACKEND_PID, INT4OID, NIL,
									  InvalidOid, InvalidOid,
									  COERCE_EXPLICIT_CALL);
	test->nulltesttype = IS_NULL;
	test->location = -1;
	return (Expr *) test;
}

/* nextval(0)::type, by way of text */
static Expr *
make_nextval(Oid type, Oid collation)
{
	CoerceViaIO *coercion = makeNode(CoerceViaIO);
	Const	   *sequence = makeConst(REGCLASSOID, -1, InvalidOid, sizeof(Oid),
									 ObjectIdGetDatum(InvalidOid), false, true);

	coercion->arg = (Expr *) makeFuncExpr(F_NEXTVAL, INT8OID,
										  list_make1(sequence), InvalidOid,
										  InvalidOid, COERCE_EXPLICIT_CALL);
	coercion->resulttype = type;
	coercion->resultcollid = collation;
	coercion->coerceformat = COERCE_EXPLICIT_CAST;
	coercion->location = -1;
	return (Expr *) coercion;
}

/*
 * CASE WHEN pg_backend_pid() IS NULL THEN nextval(0)::type END
 *
 * Evaluated only if the generator has returned NULL, and NULL then.
 */
static Expr *
make_never(Oid type, Oid collation)
{
	CaseExpr   *expr = makeNode(CaseExpr);
	CaseWhen   *when = makeNode(CaseWhen);

	when->expr = make_false();
	when->result = make_nextval(type, collation);
	when->location = -1;

	expr->casetype = type;
	expr->casecollid = collation;
	expr->args = list_make1(when);
	expr->defresult = (Expr *) makeNullConst(type, -1, collation);
	expr->location = -1;
	return (Expr *) expr;
}

/* generate(generator, NULL, argument, ...) */
static Expr *
make_generate(Oid generate, FuncExpr *call)
{
	List	   *own = list_make2(make_generator(call->funcid),
								 makeNullConst(UNKNOWNOID, -1, InvalidOid));
	FuncExpr   *expr = makeFuncExpr(generate, call->funcresulttype,
									list_concat(own, call->args),
									call->funccollid, call->inputcollid,
									call->funcformat);

	expr->location = call->location;
	return (Expr *) expr;
}

static bool
may_execute(Oid function)
{
	return function_aclcheck(function, GetUserId(),
							 ACL_EXECUTE) == ACLCHECK_OK;
}

/*
 * Whether Citus is in the database.  It simplifies values of an INSERT without
 * a PlannerInfo, and then evaluates by itself each call in what came out, also
 * the nextval() that never happens.
 */
static bool
has_citus(void)
{
	return OidIsValid(get_extension_oid("citus", true));
}

/*
 * The expression that stands for a call of a generator; NULL where it is none,
 * Citus may get it, or the caller may call the generator alone.  The executor
 * asks for the right to every function in an expression, evaluated or not.
 */
static Node *
make_stable_call(FuncExpr *call)
{
	Oid			generate = find_generate(call->funcid);
	CoalesceExpr *expr;

	if (!OidIsValid(generate) || has_citus() || !may_execute(generate) ||
		!may_execute(F_NEXTVAL) || !may_execute(F_PG_BACKEND_PID))
		return NULL;

	expr = makeNode(CoalesceExpr);
	expr->coalescetype = call->funcresulttype;
	expr->coalescecollid = call->funccollid;
	expr->args = list_make2(make_generate(generate, call),
							make_never(call->funcresulttype,
									   call->funccollid));
	expr->location = call->location;
	return (Node *) expr;
}

/*
 * generator_support(internal) returns internal
 *
 * Planner support of every generator.
 */
PG_FUNCTION_INFO_V1(uidext_generator_support);
Datum
uidext_generator_support(PG_FUNCTION_ARGS)
{
	Node	   *node = (Node *) PG_GETARG_POINTER(0);
	SupportRequestSimplify *request = (SupportRequestSimplify *) node;

	if (!IsA(node, SupportRequestSimplify) || request->root != NULL)
		PG_RETURN_POINTER(NULL);
	PG_RETURN_POINTER(make_stable_call(request->fcall));
}

/* What the executor does before the first call of a function. */
static FunctionCallInfo
prepare_call(FunctionCallInfo fcinfo)
{
	Oid			generator = DatumGetObjectId(PG_GETARG_DATUM(0));
	int			nargs = fcinfo->nargs - OWN_ARGS;
	MemoryContext context = fcinfo->flinfo->fn_mcxt;
	AclResult	result = function_aclcheck(generator, GetUserId(), ACL_EXECUTE);
	FunctionCallInfo call;
	FmgrInfo   *flinfo;

	if (result != ACLCHECK_OK)
		aclcheck_error(result, OBJECT_FUNCTION, get_func_name(generator));
	InvokeFunctionExecuteHook(generator);

	flinfo = MemoryContextAlloc(context, sizeof(FmgrInfo));
	fmgr_info_cxt(generator, flinfo, context);
	call = MemoryContextAlloc(context, SizeForFunctionCallInfo(nargs));
	InitFunctionCallInfoData(*call, flinfo, nargs, fcinfo->fncollation,
							 NULL, NULL);
	fcinfo->flinfo->fn_extra = call;
	return call;
}

/*
 * generate(generator internal, VARIADIC "any") returns "any"
 *
 * The result of the generator for the arguments after the second.  Raises
 * 42501 without the privilege to call the generator, and the errors of the
 * generator.
 */
PG_FUNCTION_INFO_V1(uidext_generate);
Datum
uidext_generate(PG_FUNCTION_ARGS)
{
	FunctionCallInfo call = fcinfo->flinfo->fn_extra;
	Datum		result;

	if (PG_ARGISNULL(0))
		elog(ERROR, "generate() has no generator to call");
	if (call == NULL)
		call = prepare_call(fcinfo);

	for (int i = 0; i < call->nargs; i++)
	{
		call->args[i] = fcinfo->args[i + OWN_ARGS];
		if (call->args[i].isnull && call->flinfo->fn_strict)
			PG_RETURN_NULL();
	}
	call->isnull = false;
	result = FunctionCallInvoke(call);
	fcinfo->isnull = call->isnull;
	return result;
}
