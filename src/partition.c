/*-------------------------------------------------------------------------
 *
 * partition.c
 *	  Commands on a partitioned table, run as the table's owner.
 *
 * The owner's own functions stand in checks, indexes, policies and triggers,
 * and run when somebody else attaches a partition or only reads a row, a
 * superuser for instance.  As ANALYZE and CREATE INDEX do, these functions
 * therefore become the owner for the time of a command, in an operation that
 * the owner's code cannot get out of.
 *
 *-------------------------------------------------------------------------
 */
#include "uidext.h"

#include "access/htup_details.h"
#include "access/stratnum.h"
#include "catalog/objectaddress.h"
#include "catalog/pg_class.h"
#include "catalog/pg_namespace.h"
#include "catalog/pg_operator.h"
#include "executor/spi.h"
#include "lib/stringinfo.h"
#include "miscadmin.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/guc.h"
#include "utils/lsyscache.h"
#include "utils/rls.h"
#include "utils/syscache.h"
#include "utils/typcache.h"

#include "partition.h"

/* A column of which the caller may see every row, and the role that looks. */
typedef struct
{
	const char *table;
	const char *column;
	Oid			type;
	Oid			role;
} ReadableColumn;

/*
 * The row of pg_class, or NULL.  Without a lock on the table, because commands
 * take stronger ones: two sessions that both hold a weak one would wait for
 * each other.
 */
static HeapTuple
find_relation(Oid relid, Form_pg_class *relation)
{
	HeapTuple	tuple = SearchSysCache1(RELOID, ObjectIdGetDatum(relid));

	*relation = HeapTupleIsValid(tuple) ? (Form_pg_class) GETSTRUCT(tuple) : NULL;
	return tuple;
}

/*
 * Who runs a command on this table.  The owner of a temporary table is the
 * session itself, and a restricted operation could not make partitions of it.
 */
static Oid
role_for(Form_pg_class relation)
{
	return relation->relpersistence == RELPERSISTENCE_TEMP ? GetUserId() : relation->relowner;
}

/* The first value that a command returns, as text, or NULL. */
static char *
execute_as(Oid role, const char *command, bool read_only)
{
	MemoryContext caller_context = CurrentMemoryContext;
	char	   *result = NULL;
	Oid			save_userid;
	int			save_sec_context;
	int			save_nestlevel;
	int			code;

	GetUserIdAndSecContext(&save_userid, &save_sec_context);
	if (role != save_userid)
		SetUserIdAndSecContext(role, save_sec_context | SECURITY_RESTRICTED_OPERATION);
	save_nestlevel = NewGUCNestLevel();
	(void) set_config_option("search_path", "pg_catalog, pg_temp", PGC_USERSET, PGC_S_SESSION,
							 GUC_ACTION_SAVE, true, 0, false);

	SPI_connect();
	code = SPI_execute(command, read_only, 0);
	if (code < 0)
		elog(ERROR, "could not run a command on a partition: %s", SPI_result_code_string(code));
	if (SPI_tuptable != NULL && SPI_processed > 0)
	{
		char	   *value = SPI_getvalue(SPI_tuptable->vals[0], SPI_tuptable->tupdesc, 1);

		if (value != NULL)
			result = MemoryContextStrdup(caller_context, value);
	}
	SPI_finish();

	AtEOXact_GUC(false, save_nestlevel);
	SetUserIdAndSecContext(save_userid, save_sec_context);
	return result;
}

static Datum
text_or_null(FunctionCallInfo fcinfo, const char *value)
{
	if (value == NULL)
		PG_RETURN_NULL();
	PG_RETURN_TEXT_P(cstring_to_text(value));
}

/*
 * Who runs commands on a table: its owner, for a caller who may become him;
 * 42501 for anyone else, 42P01 for no table.
 */
Oid
partition_owner(Oid relid)
{
	Form_pg_class relation;
	HeapTuple	tuple = find_relation(relid, &relation);
	Oid			role;

	if (relation == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_TABLE),
				 errmsg("relation with OID %u does not exist", relid)));
	if (!object_ownercheck(RelationRelationId, relid, GetUserId()))
		aclcheck_error(ACLCHECK_NOT_OWNER, get_relkind_objtype(relation->relkind),
					   NameStr(relation->relname));
	role = role_for(relation);
	ReleaseSysCache(tuple);
	check_can_set_role(GetUserId(), role);
	return role;
}

/*
 * uuid_partition_check_owner(relation regclass) returns void
 *
 * Raises 42501 for a caller who may not become the owner of a table, 42P01 for
 * no table.
 */
PG_FUNCTION_INFO_V1(uidext_partition_check_owner);
Datum
uidext_partition_check_owner(PG_FUNCTION_ARGS)
{
	(void) partition_owner(PG_GETARG_OID(0));
	PG_RETURN_VOID();
}

/*
 * uuid_partition_as_owner(relation regclass, command text) returns text
 *
 * Runs a command as the owner of a table, for a caller who may become the
 * owner anyway; 42501 for anyone else, 42P01 for no table.
 */
PG_FUNCTION_INFO_V1(uidext_partition_as_owner);
Datum
uidext_partition_as_owner(PG_FUNCTION_ARGS)
{
	Oid			role = partition_owner(PG_GETARG_OID(0));
	char	   *command = text_to_cstring(PG_GETARG_TEXT_PP(1));

	return text_or_null(fcinfo, execute_as(role, command, false));
}

/*
 * Whether the caller may see what the role sees of a column, and that is every
 * row.  A view may hide rows from him alone.  A foreign table, which can also
 * be beneath another one, is asked with the role's credentials: only for those who
 * may become the role.
 */
static bool
caller_may_read(Form_pg_class relation, AttrNumber column, Oid role)
{
	Oid			caller = GetUserId();

	if (relation->relkind != RELKIND_RELATION &&
		relation->relkind != RELKIND_PARTITIONED_TABLE &&
		relation->relkind != RELKIND_FOREIGN_TABLE)
		return false;
	if ((relation->relkind != RELKIND_RELATION || relation->relhassubclass) &&
		!(has_privs_of_role(caller, role) && member_can_set_role(caller, role)))
		return false;
	if (object_aclcheck(NamespaceRelationId, relation->relnamespace, caller, ACL_USAGE) != ACLCHECK_OK)
		return false;
	if (pg_class_aclcheck(relation->oid, caller, ACL_SELECT) != ACLCHECK_OK &&
		pg_attribute_aclcheck(relation->oid, column, caller, ACL_SELECT) != ACLCHECK_OK)
		return false;
	return check_enable_rls(relation->oid, caller, true) != RLS_ENABLED &&
		check_enable_rls(relation->oid, role, true) != RLS_ENABLED;
}

/* False for no table, and one that the caller may not read; 42703 for no column. */
static bool
find_readable_column(Oid relid, const char *name, ReadableColumn *key)
{
	AttrNumber	column = get_attnum(relid, name);
	Form_pg_class relation;
	HeapTuple	tuple = find_relation(relid, &relation);
	bool		readable;

	if (relation == NULL)
		return false;
	if (column == InvalidAttrNumber)
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_COLUMN),
				 errmsg("column %s does not exist", quote_identifier(name))));

	key->table = quote_qualified_identifier(get_namespace_name(relation->relnamespace),
											 NameStr(relation->relname));
	key->column = quote_identifier(name);
	key->type = get_atttype(relid, column);
	key->role = role_for(relation);
	readable = caller_may_read(relation, column, key->role);
	ReleaseSysCache(tuple);
	return readable;
}

/*
 * Adds a comparison of a column with an id, by the operator of the column's own
 * type, which need not be on the search_path.
 */
static void
append_comparison(StringInfo query, const ReadableColumn *key, int strategy, const char *id)
{
	TypeCacheEntry *cached = lookup_type_cache(getBaseType(key->type), TYPECACHE_BTREE_OPFAMILY);
	Oid			operator = get_opfamily_member(cached->btree_opf, cached->btree_opintype,
											   cached->btree_opintype, strategy);
	HeapTuple	tuple = SearchSysCache1(OPEROID, ObjectIdGetDatum(operator));
	Form_pg_operator form;

	if (!HeapTupleIsValid(tuple))
		elog(ERROR, "type %u has no btree operator %d", key->type, strategy);
	form = (Form_pg_operator) GETSTRUCT(tuple);
	appendStringInfo(query, " AND %s OPERATOR(%s.%s) %s", key->column,
					 quote_identifier(get_namespace_name(form->oprnamespace)),
					 NameStr(form->oprname), quote_literal_cstr(id));
	ReleaseSysCache(tuple);
}

/*
 * uuid_partition_edge(partition regclass, column_name name, from_id text, to_id text, newest bool)
 *		returns text
 *
 * The least or greatest id of a partition from one bound up to another, NULL
 * when there is none or the caller may not read it; a bound that is NULL is
 * none.  42703 for a column that is not there.
 */
PG_FUNCTION_INFO_V1(uidext_partition_edge);
Datum
uidext_partition_edge(PG_FUNCTION_ARGS)
{
	ReadableColumn key;
	StringInfoData query;

	if (PG_ARGISNULL(0) || PG_ARGISNULL(1) || PG_ARGISNULL(4) ||
		!find_readable_column(PG_GETARG_OID(0), NameStr(*PG_GETARG_NAME(1)), &key))
		PG_RETURN_NULL();

	initStringInfo(&query);
	appendStringInfo(&query, "SELECT %s FROM %s WHERE %s IS NOT NULL", key.column, key.table, key.column);
	if (!PG_ARGISNULL(2))
		append_comparison(&query, &key, BTGreaterEqualStrategyNumber, text_to_cstring(PG_GETARG_TEXT_PP(2)));
	if (!PG_ARGISNULL(3))
		append_comparison(&query, &key, BTLessStrategyNumber, text_to_cstring(PG_GETARG_TEXT_PP(3)));
	appendStringInfo(&query, " ORDER BY %s %s LIMIT 1", key.column, PG_GETARG_BOOL(4) ? "DESC" : "ASC");
	return text_or_null(fcinfo, execute_as(key.role, query.data, true));
}

/*
 * uuid_partition_has_rows(partition regclass, column_name name) returns bool
 *
 * Whether a partition has rows, NULL when the caller may not read the column.
 * 42703 for a column that is not there.
 */
PG_FUNCTION_INFO_V1(uidext_partition_has_rows);
Datum
uidext_partition_has_rows(PG_FUNCTION_ARGS)
{
	ReadableColumn key;

	if (!find_readable_column(PG_GETARG_OID(0), NameStr(*PG_GETARG_NAME(1)), &key))
		PG_RETURN_NULL();
	PG_RETURN_BOOL(execute_as(key.role, psprintf("SELECT true FROM %s LIMIT 1", key.table), true) != NULL);
}
