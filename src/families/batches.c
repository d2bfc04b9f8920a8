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
 * a query, as COPY prepares defaults, has no PlannerInfo.  There a call of a
 * generator becomes
 *
 *		uidext_internal.generate(generator, never, argument, ...)
 *
 * which calls the generator and is STABLE.  Its second argument is an
 * expression with a call of nextval() that never happens.  So COPY finds
 * nothing volatile but nextval(), and whoever else looks for volatility still
 * finds some: ALTER TABLE ... ADD COLUMN, index expressions, generated
 * columns, COPY ... WHERE.
 *
 * Queries keep the generator as it is written.  If a server does not exempt
 * nextval(), COPY inserts row by row, as it does without all this.
 *
 *-------------------------------------------------------------------------
 */
#include "base/uidext.h"

#include "catalog/objectaccess.h"
#include "catalog/pg_proc.h"
#include "catalog/pg_type.h"
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
 * Arguments of generate() that are not the generator's.  Only the first is
 * declared: VARIADIC "any" wants one at least, which the second is.
 */
#define OWN_ARGS	2

/*
 * The OID of generate(), which is in the schema of the support function; or
 * InvalidOid.  The catalog cache notices when the extension is dropped, made
 * again or moved, so that nothing else is remembered here.
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
 * that type, so nobody can have generate() call what he likes.
 */
static Node *
make_generator(Oid generator)
{
	return (Node *) makeConst(INTERNALOID, -1, InvalidOid, sizeof(Datum),
							  ObjectIdGetDatum(generator), false, true);
}

/*
 * CASE WHEN pg_backend_pid() IS NULL THEN nextval(0) END
 *
 * The condition is never true.  As pg_backend_pid() is STABLE, no
 * simplification of the expression finds that out and removes the call of
 * nextval().
 */
static Node *
make_never(void)
{
	CaseExpr   *expr = makeNode(CaseExpr);
	CaseWhen   *when = makeNode(CaseWhen);
	NullTest   *never = makeNode(NullTest);
	Const	   *sequence = makeConst(REGCLASSOID, -1, InvalidOid, sizeof(Oid),
									 ObjectIdGetDatum(InvalidOid), false, true);

	never->arg = (Expr *) makeFuncExpr(F_PG_BACKEND_PID, INT4OID, NIL,
									   InvalidOid, InvalidOid,
									   COERCE_EXPLICIT_CALL);
	never->nulltesttype = IS_NULL;
	never->location = -1;

	when->expr = (Expr *) never;
	when->result = (Expr *) makeFuncExpr(F_NEXTVAL, INT8OID,
										 list_make1(sequence), InvalidOid,
										 InvalidOid, COERCE_EXPLICIT_CALL);
	when->location = -1;

	expr->casetype = INT8OID;
	expr->args = list_make1(when);
	expr->defresult = (Expr *) makeNullConst(INT8OID, -1, InvalidOid);
	expr->location = -1;
	return (Node *) expr;
}

/* The call of generate() that stands for a call of a generator, or NULL. */
static Node *
make_generate(FuncExpr *call)
{
	Oid			generate = find_generate(call->funcid);
	FuncExpr   *expr;

	if (!OidIsValid(generate))
		return NULL;

	expr = makeFuncExpr(generate, call->funcresulttype,
						list_concat(list_make2(make_generator(call->funcid),
											   make_never()),
									call->args),
						call->funccollid, call->inputcollid,
						call->funcformat);
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
	PG_RETURN_POINTER(make_generate(request->fcall));
}

/* What the executor does before the first call of a function. */
static FmgrInfo *
prepare_generator(FunctionCallInfo fcinfo)
{
	Oid			generator = DatumGetObjectId(PG_GETARG_DATUM(0));
	FmgrInfo   *flinfo;
	AclResult	result = object_aclcheck(ProcedureRelationId, generator,
										 GetUserId(), ACL_EXECUTE);

	if (result != ACLCHECK_OK)
		aclcheck_error(result, OBJECT_FUNCTION, get_func_name(generator));
	InvokeFunctionExecuteHook(generator);

	flinfo = MemoryContextAlloc(fcinfo->flinfo->fn_mcxt, sizeof(FmgrInfo));
	fmgr_info_cxt(generator, flinfo, fcinfo->flinfo->fn_mcxt);
	fcinfo->flinfo->fn_extra = flinfo;
	return flinfo;
}

static bool
has_null_argument(FunctionCallInfo call)
{
	for (int i = 0; i < call->nargs; i++)
	{
		if (call->args[i].isnull)
			return true;
	}
	return false;
}

/*
 * generate(generator internal, VARIADIC "any") returns "any"
 *
 * What the generator returns for the arguments behind the second.
 * Raises 42501 without the right to call the generator, and its errors.
 */
PG_FUNCTION_INFO_V1(uidext_generate);
Datum
uidext_generate(PG_FUNCTION_ARGS)
{
	FmgrInfo   *generator = fcinfo->flinfo->fn_extra;
	Datum		result;

	LOCAL_FCINFO(call, FUNC_MAX_ARGS);

	if (PG_ARGISNULL(0))
		elog(ERROR, "generate() has no generator to call");
	if (generator == NULL)
		generator = prepare_generator(fcinfo);

	InitFunctionCallInfoData(*call, generator, fcinfo->nargs - OWN_ARGS,
							 fcinfo->fncollation, NULL, NULL);
	memcpy(call->args, fcinfo->args + OWN_ARGS,
		   call->nargs * sizeof(NullableDatum));
	if (generator->fn_strict && has_null_argument(call))
		PG_RETURN_NULL();

	result = FunctionCallInvoke(call);
	fcinfo->isnull = call->isnull;
	return result;
}
