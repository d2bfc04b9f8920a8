/*-------------------------------------------------------------------------
 *
 * owner.c
 *	  Checks that the current user itself owns a table and sees its rows, and
 *	  that it is an ordinary one; which table is above it.
 *
 * Code that the owner of a table has put into it runs with the rights of the
 * caller, and the caller sees what is read there.  So the caller has to be the
 * owner.  To be a member of that role, or a superuser, is not enough.
 *
 *-------------------------------------------------------------------------
 */
#include "base/uidext.h"

#include "access/genam.h"
#include "access/htup_details.h"
#include "access/table.h"
#include "catalog/pg_class.h"
#include "catalog/pg_inherits.h"
#include "miscadmin.h"
#include "partitions/owner.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/rls.h"
#include "utils/syscache.h"

static Oid
owner_of(Oid relid)
{
	HeapTuple	tuple = SearchSysCache1(RELOID, ObjectIdGetDatum(relid));
	Oid			owner;

	if (!HeapTupleIsValid(tuple))
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_TABLE),
				 errmsg("relation with OID %u does not exist", relid)));
	owner = ((Form_pg_class) GETSTRUCT(tuple))->relowner;
	ReleaseSysCache(tuple);
	return owner;
}

void
check_table_exists(Oid relid)
{
	(void) owner_of(relid);
}

bool
owns_table(Oid relid)
{
	return owner_of(relid) == GetUserId();
}

void
check_table_owner(Oid relid)
{
	Oid			owner = owner_of(relid);

	if (owner != GetUserId())
	{
		const char *name = quote_identifier(GetUserNameFromId(owner, false));
		Datum		table = DirectFunctionCall1(regclassout,
												ObjectIdGetDatum(relid));

		ereport(ERROR,
				(errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
				 errmsg("must be owner of table %s", DatumGetCString(table)),
				 errdetail("The call runs triggers, defaults and other code that the owner has put into the table. This code would run with your privileges."),
				 errhint("Connect as %s. If you trust the code of this role, you can also run: SET ROLE %s",
						 name, name)));
	}
}

/* get_partition_parent() raises an error where it has just been detached. */
Oid
parent_of(Oid relid)
{
	Oid			parent = InvalidOid;
	Relation	inherits;
	SysScanDesc scan;
	ScanKeyData of_child;
	HeapTuple	tuple;

	if (!get_rel_relispartition(relid))
		return InvalidOid;
	inherits = table_open(InheritsRelationId, AccessShareLock);
	ScanKeyInit(&of_child, Anum_pg_inherits_inhrelid, BTEqualStrategyNumber,
				F_OIDEQ, ObjectIdGetDatum(relid));
	scan = systable_beginscan(inherits, InheritsRelidSeqnoIndexId, true, NULL,
							  1, &of_child);
	tuple = systable_getnext(scan);
	if (HeapTupleIsValid(tuple))
		parent = ((Form_pg_inherits) GETSTRUCT(tuple))->inhparent;
	systable_endscan(scan);
	table_close(inherits, AccessShareLock);
	return parent;
}

/* How to see all rows of a table; NULL for callers who do. */
static const char *
hidden_rows_hint(Relation rel)
{
	Oid			relid = RelationGetRelid(rel);
	Oid			owner = rel->rd_rel->relowner;
	const char *user = quote_identifier(GetUserNameFromId(GetUserId(), false));
	Datum		name = DirectFunctionCall1(regclassout,
										   ObjectIdGetDatum(relid));
	const char *table = DatumGetCString(name);

	if (owner != GetUserId())
		return psprintf("Table %s belongs to role %s, and only its owner may have its rows read. Run: ALTER TABLE %s OWNER TO %s",
						table,
						quote_identifier(GetUserNameFromId(owner, false)),
						table, user);
	if (pg_class_aclcheck(relid, GetUserId(), ACL_SELECT) != ACLCHECK_OK)
		return psprintf("Run: GRANT SELECT ON %s TO %s", table, user);
	if (check_enable_rls(relid, InvalidOid, true) == RLS_ENABLED)
		return psprintf("Row security is forced on table %s, so not even its owner %s sees all rows. If an application connects as %s, first give the table another owner. After the call, force row security again. Run: ALTER TABLE %s NO FORCE ROW LEVEL SECURITY",
						table, user, user, table);
	return NULL;
}

void
check_sees_all_rows(Relation rel)
{
	const char *hint = hidden_rows_hint(rel);

	if (hint == NULL)
		return;
	ereport(ERROR,
			(errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
			 errmsg("not all rows of table \"%s\" are visible",
					RelationGetRelationName(rel)),
			 errdetail("The table belongs to another role, you may not read it, or row security hides rows from you."),
			 errhint("%s", hint)));
}

void
check_is_ordinary(Relation rel, const char *hint)
{
	if (rel->rd_rel->relkind != RELKIND_RELATION)
		ereport(ERROR,
				(errcode(ERRCODE_WRONG_OBJECT_TYPE),
				 errmsg("\"%s\" is not an ordinary table",
						RelationGetRelationName(rel)),
				 errhint("%s", hint)));
}
