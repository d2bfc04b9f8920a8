/*-------------------------------------------------------------------------
 *
 * sqlserver.c
 *	  Operator class uuid_sqlserver_ops: the order in which SQL Server sorts.
 *
 * The bytes of the uuid are taken for those that SQL Server stores, which it
 * sorts by b10-b15, b8-b9, b6-b7, b4-b5, b0-b3.
 *
 *-------------------------------------------------------------------------
 */
#include "uidext.h"

#include "utils/sortsupport.h"

static int
sqlserver_compare(const pg_uuid_t *a, const pg_uuid_t *b)
{
	return layout_compare(layout_sqlserver_key(layout_load(a->data)),
						  layout_sqlserver_key(layout_load(b->data)));
}

/*
 * uuid_sqlserver_cmp(a uuid, b uuid) returns int
 *
 * Below, equal to or above zero as SQL Server sorts a before, with or after b.
 */
PG_FUNCTION_INFO_V1(uidext_uuid_sqlserver_cmp);
Datum
uidext_uuid_sqlserver_cmp(PG_FUNCTION_ARGS)
{
	PG_RETURN_INT32(sqlserver_compare(PG_GETARG_UUID_P(0), PG_GETARG_UUID_P(1)));
}

/* uuid_sqlserver_lt(a uuid, b uuid) returns bool: operator ~<~ */
PG_FUNCTION_INFO_V1(uidext_uuid_sqlserver_lt);
Datum
uidext_uuid_sqlserver_lt(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(sqlserver_compare(PG_GETARG_UUID_P(0), PG_GETARG_UUID_P(1)) < 0);
}

/* uuid_sqlserver_le(a uuid, b uuid) returns bool: operator ~<=~ */
PG_FUNCTION_INFO_V1(uidext_uuid_sqlserver_le);
Datum
uidext_uuid_sqlserver_le(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(sqlserver_compare(PG_GETARG_UUID_P(0), PG_GETARG_UUID_P(1)) <= 0);
}

/* uuid_sqlserver_ge(a uuid, b uuid) returns bool: operator ~>=~ */
PG_FUNCTION_INFO_V1(uidext_uuid_sqlserver_ge);
Datum
uidext_uuid_sqlserver_ge(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(sqlserver_compare(PG_GETARG_UUID_P(0), PG_GETARG_UUID_P(1)) >= 0);
}

/* uuid_sqlserver_gt(a uuid, b uuid) returns bool: operator ~>~ */
PG_FUNCTION_INFO_V1(uidext_uuid_sqlserver_gt);
Datum
uidext_uuid_sqlserver_gt(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(sqlserver_compare(PG_GETARG_UUID_P(0), PG_GETARG_UUID_P(1)) > 0);
}

static int
sqlserver_sort_compare(Datum a, Datum b, SortSupport ssup)
{
	return sqlserver_compare(DatumGetUUIDP(a), DatumGetUUIDP(b));
}

/*
 * uuid_sqlserver_sortsupport(internal) returns void
 *
 * Spares sorts the call through fmgr for each comparison.
 */
PG_FUNCTION_INFO_V1(uidext_uuid_sqlserver_sortsupport);
Datum
uidext_uuid_sqlserver_sortsupport(PG_FUNCTION_ARGS)
{
	SortSupport ssup = (SortSupport) PG_GETARG_POINTER(0);

	ssup->comparator = sqlserver_sort_compare;
	PG_RETURN_VOID();
}
