/*
 * The floor of every measurement: what it costs to call a C function that
 * makes a uuid and does nothing else.
 */
#include "postgres.h"

#include "fmgr.h"
#include "utils/uuid.h"

PG_MODULE_MAGIC;

/* A constant in static memory: the bare call. */
PG_FUNCTION_INFO_V1(uuid_constant);
Datum
uuid_constant(PG_FUNCTION_ARGS)
{
	static pg_uuid_t constant;

	PG_RETURN_UUID_P(&constant);
}

/* A constant in palloc'd memory, as every new value has to be returned. */
PG_FUNCTION_INFO_V1(uuid_constant_copy);
Datum
uuid_constant_copy(PG_FUNCTION_ARGS)
{
	PG_RETURN_UUID_P((pg_uuid_t *) palloc0(sizeof(pg_uuid_t)));
}

/* Its argument, of which the planner knows nothing. */
PG_FUNCTION_INFO_V1(opaque);
Datum
opaque(PG_FUNCTION_ARGS)
{
	PG_RETURN_DATUM(PG_GETARG_DATUM(0));
}
