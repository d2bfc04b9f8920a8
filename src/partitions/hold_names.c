/*-------------------------------------------------------------------------
 *
 * hold_names.c
 *	  The names of tables mean the same tables until the transaction ends.
 *
 * DDL, and the queries by which PostgreSQL checks foreign keys, go by name.
 * A lock on a table keeps its own name and its schema from changing.  The
 * schema's name changes with its row in pg_namespace, and ALTER SCHEMA locks
 * nothing else.  So that row is locked as SELECT FOR KEY SHARE locks it, which
 * lets GRANT and ALTER SCHEMA OWNER change it.
 *
 *-------------------------------------------------------------------------
 */
#include "base/uidext.h"

#include "catalog/pg_namespace.h"
#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "partitions/lock_table.h"
#include "partitions/owner.h"
#include "utils/acl.h"
#include "utils/array.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"

/* Whether the current user owns a table, or one that it is beneath. */
static bool
owns_tree(Oid relid)
{
	while (OidIsValid(relid) && !owns_table(relid))
		relid = parent_of(relid);
	return OidIsValid(relid);
}

static void
check_may_name(Oid relid, Oid schema)
{
	AclResult	usage = schema_aclcheck(schema, GetUserId(), ACL_USAGE);

	if (usage != ACLCHECK_OK)
		aclcheck_error(usage, OBJECT_SCHEMA, get_namespace_name(schema));
	if (pg_class_aclcheck(relid, GetUserId(), ACL_SELECT) != ACLCHECK_OK &&
		pg_attribute_aclcheck_all(relid, GetUserId(), ACL_SELECT,
								  ACLMASK_ANY) != ACLCHECK_OK &&
		!owns_tree(relid))
		check_table_owner(relid);
}

typedef struct HeldName
{
	const char *schema;
	const char *table;
} HeldName;

/* Fills in the error that is being raised. */
static int
set_schema_error(const HeldName *name)
{
	errmsg("schema \"%s\" is being altered", name->schema);
	errhint("Call it again when that command has ended.");
	return err_generic_string(PG_DIAG_TABLE_NAME, name->table);
}

/* The error of lock_timeout does not say what was waited for. */
static void
name_the_schema(void *name)
{
	if (geterrcode() == ERRCODE_LOCK_NOT_AVAILABLE)
		set_schema_error(name);
}

/*
 * False where another session is just changing the name.  One that changes
 * something else, as GRANT does, has made a newer row, which is locked as well.
 * If it then changes the name, too, it is waited for until lock_timeout.
 */
static bool
lock_schema_row(Oid schema, HeldName *name)
{
	ErrorContextCallback context;
	bool		result;

	context.previous = error_context_stack;
	context.callback = name_the_schema;
	context.arg = name;
	error_context_stack = &context;
	result = lock_catalog_row(NamespaceRelationId, NamespaceOidIndexId,
							  NAMESPACEOID, schema, LockTupleKeyShare, true);
	error_context_stack = context.previous;
	return result;
}

static void
hold_name(Oid relid)
{
	HeldName	name;
	Oid			schema;

	check_table_exists(relid);
	check_may_name(relid, get_rel_namespace(relid));
	lock_named(relid, AccessShareLock);
	check_table_exists(relid);
	schema = get_rel_namespace(relid);
	name.schema = get_namespace_name(schema);
	name.table = get_rel_name(relid);
	if (!lock_schema_row(schema, &name))
		ereport(ERROR,
				(errcode(ERRCODE_LOCK_NOT_AVAILABLE),
				 set_schema_error(&name)));
}

/* Who owns none of the tables makes no partition, and has no use for names. */
static void
check_owns_one(const Datum *tables, const bool *nulls, int count)
{
	Oid			stranger = InvalidOid;

	for (int i = 0; i < count; i++)
	{
		if (nulls[i])
			continue;
		stranger = DatumGetObjectId(tables[i]);
		if (owns_tree(stranger))
			return;
	}
	if (OidIsValid(stranger))
		check_table_owner(stranger);
}

/*
 * hold_names(tables oid[]) returns void
 *
 * Keeps the names of tables, with their schemas, until the transaction ends;
 * NULL for no table.  The caller owns at least one, or a table that it is
 * beneath, may read the others, and has USAGE on all schemas (42501); 42P01
 * where there is none, 55P03 where one is locked, or is just getting another
 * name; 25006.
 */
PG_FUNCTION_INFO_V1(uidext_hold_names);
Datum
uidext_hold_names(PG_FUNCTION_ARGS)
{
	Datum	   *tables;
	bool	   *nulls;
	int			count;

	PreventCommandIfReadOnly("hold_names()");
	deconstruct_array(PG_GETARG_ARRAYTYPE_P(0), OIDOID, sizeof(Oid), true,
					  TYPALIGN_INT, &tables, &nulls, &count);
	check_owns_one(tables, nulls, count);
	for (int i = 0; i < count; i++)
	{
		if (!nulls[i])
			hold_name(DatumGetObjectId(tables[i]));
	}
	PG_RETURN_VOID();
}
