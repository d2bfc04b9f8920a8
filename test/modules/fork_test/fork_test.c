/*-------------------------------------------------------------------------
 *
 * fork_test.c
 *	  Ids made in a backend and in a child that it forks.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <sys/wait.h>
#include <unistd.h>

#include "fmgr.h"
#include "funcapi.h"
#include "utils/builtins.h"
#include "utils/tuplestore.h"
#include "utils/uuid.h"

PG_MODULE_MAGIC;

static Datum
generate(FmgrInfo *generator, Datum at)
{
	return generator->fn_nargs == 0 ?
		FunctionCall0Coll(generator, InvalidOid) :
		FunctionCall1Coll(generator, InvalidOid, at);
}

static void
write_ids(int fd, FmgrInfo *generator, Datum at, int count)
{
	for (int i = 0; i < count; i++)
	{
		pg_uuid_t  *id = DatumGetUUIDP(generate(generator, at));

		if (write(fd, id, sizeof(pg_uuid_t)) != sizeof(pg_uuid_t))
			_exit(1);
	}
	_exit(0);
}

static void
put_id(ReturnSetInfo *rsinfo, const char *process, int n, Datum id)
{
	Datum		values[] = {CStringGetTextDatum(process), Int32GetDatum(n), id};
	bool		nulls[] = {false, false, false};

	tuplestore_putvalues(rsinfo->setResult, rsinfo->setDesc, values, nulls);
}

/*
 * fork_ids(generator regprocedure, at timestamptz, count int)
 *		returns table (process text, n int, id uuid)
 *
 * Calls the generator, with the time if it takes an argument: once, so that it
 * holds whatever it keeps for later, then count times in a forked child, and
 * count times here.
 */
PG_FUNCTION_INFO_V1(fork_ids);
Datum
fork_ids(PG_FUNCTION_ARGS)
{
	ReturnSetInfo *rsinfo = (ReturnSetInfo *) fcinfo->resultinfo;
	Datum		at = PG_GETARG_DATUM(1);
	int			count = PG_GETARG_INT32(2);
	FmgrInfo	generator;
	int			fds[2];
	int			status;
	pid_t		child;

	InitMaterializedSRF(fcinfo, 0);
	fmgr_info(PG_GETARG_OID(0), &generator);
	put_id(rsinfo, "before", 0, generate(&generator, at));

	if (pipe(fds) != 0)
		elog(ERROR, "could not create pipe: %m");
	child = fork();
	if (child < 0)
		elog(ERROR, "could not fork: %m");
	if (child == 0)
		write_ids(fds[1], &generator, at, count);

	close(fds[1]);
	for (int i = 0; i < count; i++)
		put_id(rsinfo, "parent", i, generate(&generator, at));
	for (int i = 0; i < count; i++)
	{
		pg_uuid_t	id;

		if (read(fds[0], &id, sizeof(id)) != sizeof(id))
			elog(ERROR, "could not read from child");
		put_id(rsinfo, "child", i, UUIDPGetDatum(&id));
	}
	close(fds[0]);

	if (waitpid(child, &status, 0) != child || status != 0)
		elog(ERROR, "child failed with status %d", status);
	return (Datum) 0;
}
