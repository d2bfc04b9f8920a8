/*-------------------------------------------------------------------------
 *
 * compat.h
 *	  Differences between the supported majors of PostgreSQL, 15 to 19.
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
DirectInputFunctionCallSafe(PGFunction function, char *string, Oid typioparam, int32 typmod,
							fmNodePtr context, Datum *result)
{
	*result = DirectFunctionCall3(function, CStringGetDatum(string),
								  ObjectIdGetDatum(typioparam), Int32GetDatum(typmod));
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

/* 18 replaced the trailing pg_attribute_noreturn() with a leading pg_noreturn. */
#ifndef pg_noreturn
#define pg_noreturn pg_attribute_noreturn()
#endif

/* 16 renamed what reads one entry of the backends' activity. */
#if PG_VERSION_NUM < 160000
#define pgstat_get_local_beentry_by_index(idx) pgstat_fetch_stat_local_beentry(idx)
#endif

/* 17 put both halves of a virtual transaction id together. */
#if PG_VERSION_NUM >= 170000
#define PROC_LXID(proc) ((proc)->vxid.lxid)
#else
#define PROC_LXID(proc) ((proc)->lxid)
#endif

/* 17 gives any session named shared memory; 19 tells who initializes it an argument. */
#if PG_VERSION_NUM >= 190000
#include "storage/dsm_registry.h"
#define NAMED_DSM_INIT_ARGS void *memory, void *arg
#define GET_NAMED_DSM(name, size, init, found) GetNamedDSMSegment(name, size, init, found, NULL)
#elif PG_VERSION_NUM >= 170000
#include "storage/dsm_registry.h"
#define NAMED_DSM_INIT_ARGS void *memory
#define GET_NAMED_DSM(name, size, init, found) GetNamedDSMSegment(name, size, init, found)
#endif

/* 16 checks ownership and privileges of all kinds of objects alike, and told the right to SET ROLE from membership. */
#if PG_VERSION_NUM < 160000
#define object_ownercheck(class_id, object_id, role_id) pg_class_ownercheck(object_id, role_id)
#define object_aclcheck(class_id, object_id, role_id, mode) pg_namespace_aclcheck(object_id, role_id, mode)
#define check_can_set_role(member, role) check_is_member_of_role(member, role)
#define member_can_set_role(member, role) is_member_of_role(member, role)
#endif

#endif							/* UIDEXT_COMPAT_H */
