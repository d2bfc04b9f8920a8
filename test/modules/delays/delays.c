/*-------------------------------------------------------------------------
 *
 * delays.c
 *	  Sessions that pause at random: a test that counts on another session
 *	  being quick fails.
 *
 * For session_preload_libraries.  A session pauses before it takes commands,
 *now and then around statements and the ends of transactions, and when its
 *client is gone, before what it has open is rolled back.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/xact.h"
#include "common/pg_prng.h"
#include "executor/executor.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "storage/ipc.h"
#include "tcop/utility.h"

PG_MODULE_MAGIC;

#define US_PER_MS	1000

/* No longer than this in all around statements, however many there are. */
static int64 left_us = 1500 * US_PER_MS;

static pg_prng_state prng;
static ExecutorStart_hook_type next_executor_start;
static ExecutorEnd_hook_type next_executor_end;
static ProcessUtility_hook_type next_process_utility;

static void
pause_half_the_time(int max_ms)
{
	if (pg_prng_bool(&prng))
		pg_usleep((long) pg_prng_uint64_range(&prng, 0, max_ms * US_PER_MS));
}

static void
pause_around_statement(void)
{
	int64		us = (int64) pg_prng_uint64_range(&prng, 0, 10 * US_PER_MS);

	if (us > left_us || pg_prng_uint64_range(&prng, 1, 8) > 1)
		return;
	left_us -= us;
	pg_usleep((long) us);
}

static void
delay_executor_start(QueryDesc *query, int flags)
{
	pause_around_statement();
	if (next_executor_start)
		next_executor_start(query, flags);
	else
		standard_ExecutorStart(query, flags);
	pause_around_statement();
}

static void
delay_executor_end(QueryDesc *query)
{
	pause_around_statement();
	if (next_executor_end)
		next_executor_end(query);
	else
		standard_ExecutorEnd(query);
}

static void
delay_process_utility(PlannedStmt *statement, const char *string,
					  bool read_only_tree,
					  ProcessUtilityContext context,
					  ParamListInfo params,
					  QueryEnvironment *environment,
					  DestReceiver *dest,
					  QueryCompletion *completion)
{
	pause_around_statement();
	if (next_process_utility)
		next_process_utility(statement, string, read_only_tree, context,
							 params, environment, dest, completion);
	else
		standard_ProcessUtility(statement, string, read_only_tree, context,
								params, environment, dest, completion);
	pause_around_statement();
}

/* Before and after others see the end of a transaction. */
static void
delay_transaction(XactEvent event, void *arg)
{
	pause_around_statement();
}

/* Before the server's own callbacks, which roll back. */
static void
delay_exit(int code, Datum arg)
{
	pause_half_the_time(300);
}

void		_PG_init(void);

void
_PG_init(void)
{
	pg_prng_seed(&prng, ((uint64) MyStartTimestamp << 16) ^ (uint64) MyProcPid);
	next_executor_start = ExecutorStart_hook;
	ExecutorStart_hook = delay_executor_start;
	next_executor_end = ExecutorEnd_hook;
	ExecutorEnd_hook = delay_executor_end;
	next_process_utility = ProcessUtility_hook;
	ProcessUtility_hook = delay_process_utility;
	RegisterXactCallback(delay_transaction, NULL);
	before_shmem_exit(delay_exit, (Datum) 0);
	pause_half_the_time(200);
}
