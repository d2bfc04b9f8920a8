/*-------------------------------------------------------------------------
 *
 * compat.h
 *	  Differences between the majors of PostgreSQL: 15 to 19, and the coming 20.
 *
 *-------------------------------------------------------------------------
 */
#ifndef UIDEXT_COMPAT_H
#define UIDEXT_COMPAT_H

#include "fmgr.h"

#if PG_VERSION_NUM < 150000
#error "uidext needs PostgreSQL 15 or later"
#endif

/* 16 moved the macros for varlena values out of postgres.h. */
#if PG_VERSION_NUM >= 160000
#include "varatt.h"
#endif

/* 16 lets an input function report an error without raising it. */
#if PG_VERSION_NUM >= 160000
#include "nodes/miscnodes.h"
#else
#define ereturn(context, dummy_value, ...) ereport(ERROR, __VA_ARGS__)

static inline bool
DirectInputFunctionCallSafe(PGFunction function,
							char *string, Oid typioparam,
							int32 typmod, fmNodePtr context,
							Datum *result)
{
	*result = DirectFunctionCall3(function, CStringGetDatum(string),
								  ObjectIdGetDatum(typioparam),
								  Int32GetDatum(typmod));
	return true;
}
#endif

/* 18 lets a module tell pg_get_loaded_modules() its name and version. */
#if PG_VERSION_NUM >= 180000
#define UIDEXT_MODULE_MAGIC \
	PG_MODULE_MAGIC_EXT(.name = "uidext", .version = UIDEXT_VERSION)
#else
#define UIDEXT_MODULE_MAGIC PG_MODULE_MAGIC
#endif

/* 18 has a leading pg_noreturn for the trailing pg_attribute_noreturn(). */
#ifndef pg_noreturn
#define pg_noreturn pg_attribute_noreturn()
#endif

/* 20 renamed this attribute, and this comparison function. */
#ifndef pg_always_inline
#define pg_always_inline pg_attribute_always_inline
#endif
#if PG_VERSION_NUM < 200000
#define ssup_datum_uint64_cmp ssup_datum_unsigned_cmp
#endif

/*
 * 16 renamed this, and so did 15.1.  All releases of 15 accept the old name.
 */
#if PG_VERSION_NUM < 160000
#define InitMaterializedSRF(fcinfo, flags) SetSingleFuncCall(fcinfo, flags)
#endif

/* 16 has one function that checks privileges on any kind of object. */
#if PG_VERSION_NUM >= 160000
#define function_aclcheck(function, role, mode) \
	object_aclcheck(ProcedureRelationId, function, role, mode)
#define schema_aclcheck(schema, role, mode) \
	object_aclcheck(NamespaceRelationId, schema, role, mode)
#else
#define function_aclcheck(function, role, mode) \
	pg_proc_aclcheck(function, role, mode)
#define schema_aclcheck(schema, role, mode) \
	pg_namespace_aclcheck(schema, role, mode)
#endif

/* 16 renamed the function that reads one entry of the backends' activity. */
#if PG_VERSION_NUM < 160000
#define pgstat_get_local_beentry_by_index(idx) \
	pgstat_fetch_stat_local_beentry(idx)
#endif

/* 17 put both halves of a virtual transaction id together. */
#if PG_VERSION_NUM >= 170000
#define PROC_LXID(proc) ((proc)->vxid.lxid)
#else
#define PROC_LXID(proc) ((proc)->lxid)
#endif

/* From 17 on, an interval can be infinite. */
#if PG_VERSION_NUM < 170000
#define INTERVAL_NOT_FINITE(interval) false
#endif

/* From 17 on, an extension can define wait events. */
#if PG_VERSION_NUM < 170000
#define WaitEventExtensionNew(name) PG_WAIT_EXTENSION
#endif

/*
 * From 17 on, any session can create named shared memory.  From 19 on, the
 * function that initializes it gets an argument.
 */
#if PG_VERSION_NUM >= 190000
#include "storage/dsm_registry.h"
#define NAMED_DSM_INIT_ARGS void *memory, void *arg
#define GET_NAMED_DSM(name, size, init, found) \
	GetNamedDSMSegment(name, size, init, found, NULL)
#elif PG_VERSION_NUM >= 170000
#include "storage/dsm_registry.h"
#define NAMED_DSM_INIT_ARGS void *memory
#define GET_NAMED_DSM(name, size, init, found) \
	GetNamedDSMSegment(name, size, init, found)
#endif

/*
 * 16 added the outer join to which the clauses belong: NULL for an inner join.
 */
#if PG_VERSION_NUM >= 160000
#define join_equalities(root, relids, outer_relids, inner) \
	generate_join_implied_equalities(root, relids, outer_relids, inner, NULL)
#else
#define join_equalities(root, relids, outer_relids, inner) \
	generate_join_implied_equalities(root, relids, outer_relids, inner)
#endif

/* From 18 on, an index scan counts what it does.  19 gives scans flags. */
#if PG_VERSION_NUM >= 190000
#define id_index_beginscan(rel, index, snapshot, keys) \
	index_beginscan(rel, index, snapshot, NULL, keys, 0, 0)
#define id_table_beginscan(rel, snapshot) \
	table_beginscan(rel, snapshot, 0, NULL, 0)
#else
#if PG_VERSION_NUM >= 180000
#define id_index_beginscan(rel, index, snapshot, keys) \
	index_beginscan(rel, index, snapshot, NULL, keys, 0)
#else
#define id_index_beginscan(rel, index, snapshot, keys) \
	index_beginscan(rel, index, snapshot, keys, 0)
#endif
#define id_table_beginscan(rel, snapshot) \
	table_beginscan(rel, snapshot, 0, NULL)
#endif

/* From 16 on, the map from root to leaf is made when it is asked for. */
#if PG_VERSION_NUM >= 160000
#define root_to_child_map(leaf, estate) ExecGetRootToChildMap(leaf, estate)
#else
#define root_to_child_map(leaf, estate) ((leaf)->ri_RootToPartitionMap)
#endif

/* From 18 on, a constraint can be not enforced. */
#if PG_VERSION_NUM >= 180000
#define set_enforced(constraint) ((constraint)->is_enforced = true)
#else
#define set_enforced(constraint) ((void) 0)
#endif

#endif							/* UIDEXT_COMPAT_H */
