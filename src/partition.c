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
 * uuid_partition_as_owner(relation regclass, command text) returns text
 *
 * Runs a command as the owner of a table, for a caller who may become the
 * owner anyway; 42501 for anyone else, 42P01 for no table.
 */
PG_FUNCTION_INFO_V1(uidext_partition_as_owner);
Datum
uidext_partition_as_owner(PG_FUNCTION_ARGS)
{
	Oid			relid = PG_GETARG_OID(0);
	char	   *command = text_to_cstring(PG_GETARG_TEXT_PP(1));
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

	return text_or_null(fcinfo, execute_as(role, command, false));
}

/* Whether the caller may see every row of a column. */
static bool
caller_may_read(Oid relid, AttrNumber column)
{
	return (pg_class_aclcheck(relid, GetUserId(), ACL_SELECT) == ACLCHECK_OK ||
			pg_attribute_aclcheck(relid, column, GetUserId(), ACL_SELECT) == ACLCHECK_OK) &&
		check_enable_rls(relid, InvalidOid, true) != RLS_ENABLED;
}

/*
 * Adds a comparison of a column with an id, by the operator of the column's own
 * type, which need not be on the search_path.
 */
static void
append_comparison(StringInfo query, const char *name, Oid type, int strategy, const char *id)
{
	TypeCacheEntry *cached = lookup_type_cache(getBaseType(type), TYPECACHE_BTREE_OPFAMILY);
	Oid			operator = get_opfamily_member(cached->btree_opf, cached->btree_opintype,
											   cached->btree_opintype, strategy);
	HeapTuple	tuple = SearchSysCache1(OPEROID, ObjectIdGetDatum(operator));
	Form_pg_operator form;

	if (!HeapTupleIsValid(tuple))
		elog(ERROR, "type %u has no btree operator %d", type, strategy);
	form = (Form_pg_operator) GETSTRUCT(tuple);
	appendStringInfo(query, " AND %s OPERATOR(%s.%s) %s", name,
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
	Oid			relid;
	AttrNumber	column;
	const char *name;
	Form_pg_class partition;
	HeapTuple	tuple;
	Oid			role;
	StringInfoData query;

	if (PG_ARGISNULL(0) || PG_ARGISNULL(1) || PG_ARGISNULL(4))
		PG_RETURN_NULL();
	relid = PG_GETARG_OID(0);
	name = quote_identifier(NameStr(*PG_GETARG_NAME(1)));
	tuple = find_relation(relid, &partition);
	if (partition == NULL)
		PG_RETURN_NULL();

	initStringInfo(&query);
	appendStringInfo(&query, "SELECT %s FROM %s WHERE true", name,
					 quote_qualified_identifier(get_namespace_name(partition->relnamespace),
												NameStr(partition->relname)));
	role = role_for(partition);
	ReleaseSysCache(tuple);

	column = get_attnum(relid, NameStr(*PG_GETARG_NAME(1)));
	if (column == InvalidAttrNumber)
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_COLUMN),
				 errmsg("column %s does not exist", name)));
	if (!caller_may_read(relid, column))
		PG_RETURN_NULL();

	if (!PG_ARGISNULL(2))
		append_comparison(&query, name, get_atttype(relid, column), BTGreaterEqualStrategyNumber,
						  text_to_cstring(PG_GETARG_TEXT_PP(2)));
	if (!PG_ARGISNULL(3))
		append_comparison(&query, name, get_atttype(relid, column), BTLessStrategyNumber,
						  text_to_cstring(PG_GETARG_TEXT_PP(3)));
	appendStringInfo(&query, " ORDER BY %s %s LIMIT 1", name, PG_GETARG_BOOL(4) ? "DESC" : "ASC");
	return text_or_null(fcinfo, execute_as(role, query.data, true));
}
