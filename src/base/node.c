/*-------------------------------------------------------------------------
 *
 * node.c
 *	  The node of v1, v6, v13 and flakes with its clock sequence: setting
 *	  uidext.node.
 *
 * Ids of one node differ only in the timestamp and the clock sequence (RFC
 * 9562, sections 5.1 and 6.3).  So each id takes from a NodeClock a timestamp
 * that is greater than the last one.  Sessions whose node is the server's, or
 * an address, share one NodeClock, also if their addresses differ; others have
 * one each.  The clock sequence begins with a random value, because nothing is
 * known of earlier ids of the node, and changes when the clock is set back.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"
#include "port/atomics.h"
#include "storage/spin.h"
#include "utils/guc.h"

#include "base/clock.h"
#include "base/entropy.h"
#include "base/node.h"
#include "base/shared.h"
#include "pure/hex.h"

/* A second, in timestamps of 100 ns: see node_next(). */
#define SET_BACK			UINT64CONST(10000000)

/* Ids that are made fast put a node ahead of its clock by 1 ms at most. */
#define AHEAD_BY_SPEED		10000

/*
 * If the clock does not move, an id goes ahead of it after this many readings.
 * They also limit the rate of all sessions of a node together, so that ids do
 * not outrun a clock that stands still.
 */
#define READINGS_OF_A_TICK	256

/*
 * The timestamp of a node's last id.  Two ids of one clock sequence never have
 * the same timestamp.
 */
typedef struct NodeClock
{
	uint64		node;			/* random; 0 if not initialized */
	pg_atomic_uint64 last;		/* 100 ns since 1582-10-15 */
	pg_atomic_uint32 clock_seq; /* its last 14 bits count */
	slock_t		setting_back;	/* see begin_clock_seq() */
} NodeClock;

NodeKind	node_kind = NODE_FRESH;

static char *node_setting;
static uint64 node_address;
static NodeClock session_clock;

/* Six pairs of hex digits, with colons or hyphens between, or nothing. */
static bool
parse_address(const char *str, uint64 *address)
{
	bool		apart = strlen(str) == 17 && (str[2] == ':' || str[2] == '-');
	int			step = apart ? 3 : 2;

	if (!apart && strlen(str) != 12)
		return false;

	*address = 0;
	for (int octet = 0; octet < 6; octet++)
	{
		const char *digits = str + octet * step;
		int			high = hex_value(digits[0]);
		int			low = hex_value(digits[1]);

		if (high < 0 || low < 0)
			return false;
		if (apart && octet > 0 && digits[-1] != str[2])
			return false;
		*address = *address << 8 | (uint64) (high << 4 | low);
	}
	return true;
}

static bool
parse_node(const char *setting, NodeKind *kind, uint64 *address)
{
	if (setting[0] == '\0')
		*kind = NODE_FRESH;
	else if (pg_strcasecmp(setting, "session") == 0)
		*kind = NODE_SESSION;
	else if (pg_strcasecmp(setting, "server") == 0)
		*kind = NODE_SERVER;
	else
	{
		*kind = NODE_ADDRESS;
		return parse_address(setting, address);
	}
	return true;
}

static bool
check_node(char **newval, void **extra, GucSource source)
{
	NodeKind	kind;
	uint64		address;

	if (parse_node(*newval, &kind, &address))
		return true;
	GUC_check_errdetail("A node is \"session\", \"server\", a MAC address such as 08:00:2b:01:02:03, or empty.");
	return false;
}

static void
assign_node(const char *newval, void *extra)
{
	(void) parse_node(newval, &node_kind, &node_address);
}

/*
 * The multicast bit says that this node is not a network card's (section
 * 6.10).
 */
static void
node_clock_begin(NodeClock *clock, uint64 node, uint32 clock_seq)
{
	uint64		multicast = UINT64CONST(1) << NODE_MULTICAST_SHIFT;

	clock->node = (node & LAYOUT_MASK(NODE_BITS)) | multicast;
	pg_atomic_init_u64(&clock->last, 0);
	pg_atomic_init_u32(&clock->clock_seq, clock_seq);
	SpinLockInit(&clock->setting_back);
}

static void
initialize_server_clock(void *memory, const SharedStart *start)
{
	node_clock_begin(memory, start->random[0], (uint32) start->random[1]);
}

static SharedStruct server_clock = {
	.name = "uidext node",
	.user = "a shared uidext.node",
	.size = sizeof(NodeClock),
	.initialize = initialize_server_clock
};

void
node_init(void)
{
	DefineCustomStringVariable("uidext.node",
							   "Node of new v1, v6, v13, flake, elasticflake and lexicaluuid: session, server or a MAC address.",
							   "Empty means a random one in every id.",
							   &node_setting,
							   "",
							   PGC_USERSET, 0,
							   check_node, assign_node, NULL);
	shared_register(&server_clock);
}

/* A forked child is a session of its own. */
void
node_forget(void)
{
	session_clock.node = 0;
}

static NodeClock *
clock_of_node(void)
{
	if (node_kind != NODE_SESSION)
		return shared_memory(&server_clock);
	if (unlikely(session_clock.node == 0))
		node_clock_begin(&session_clock, entropy_uint64(),
						 (uint32) entropy_uint64());
	return &session_clock;
}

/*
 * The timestamp rounded down to a multiple of step, which is the number of 100
 * ns that pass from one id of a node to the next: 10000 if an id can tell only
 * milliseconds apart.  For v1, v6 and v13 it is 1, and no division is needed.
 */
static inline uint64
whole_steps(uint64 timestamp, uint32 step)
{
	return step == 1 ? timestamp : timestamp - timestamp % step;
}

/*
 * The clock was set back since the timestamp "last": begin the next clock
 * sequence with tick->timestamp.  False if another session has done so.  Only
 * one session may: flakes hold two bits of the clock sequence, and would come
 * back to the same one if four sessions changed it.
 */
static bool
begin_clock_seq(NodeClock *clock, uint64 last, NodeTick *tick)
{
	bool		begun;

	SpinLockAcquire(&clock->setting_back);
	begun = pg_atomic_read_u64(&clock->last) == last;
	if (begun)
	{
		tick->clock_seq = pg_atomic_add_fetch_u32(&clock->clock_seq, 1);
		begun = pg_atomic_compare_exchange_u64(&clock->last, &last,
											   tick->timestamp);
	}
	SpinLockRelease(&clock->setting_back);
	return begun;
}

/*
 * The next timestamp of the node, which is a multiple of step: see
 * whole_steps().
 *
 * If ids are made faster than the clock ticks, in one session or in many, the
 * call waits for the clock, unless the clock has stopped.  If the clock was
 * set back by less than a second, the timestamps count on from the last one
 * until the clock has caught up.  If it was set back further, the clock
 * sequence changes, and the timestamps follow the clock.
 *
 * The clock sequence is read after the last timestamp, and changed before it.
 * A timestamp that was set back is therefore never combined with the old clock
 * sequence.
 */
NodeTick
node_next(uint32 step)
{
	NodeClock  *clock = clock_of_node();
	NodeTick	tick;
	uint64		before = 0;
	uint64		last_before = 0;
	int			readings = 0;

	tick.node = node_kind == NODE_ADDRESS ? node_address : clock->node;
	for (;;)
	{
		uint64		last = pg_atomic_read_u64(&clock->last);
		uint64		now;

		pg_read_barrier();
		tick.clock_seq = pg_atomic_read_u32(&clock->clock_seq);
		now = clock_gregorian();
		tick.timestamp = whole_steps(now, step);
		if (unlikely(last > now + SET_BACK))
		{
			if (begin_clock_seq(clock, last, &tick))
				break;
			continue;
		}
		if (tick.timestamp <= last)
		{
			tick.timestamp = whole_steps(last, step) + step;
			if (last != last_before ||
				(now != before && last <= now + step + AHEAD_BY_SPEED))
				readings = 0;
			last_before = last;
			before = now;
			if (tick.timestamp > now + step &&
				++readings < READINGS_OF_A_TICK)
			{
				CHECK_FOR_INTERRUPTS();
				continue;
			}
		}
		if (unlikely(tick.timestamp > GREGORIAN_MAX))
			clock_out_of_range();
		if (pg_atomic_compare_exchange_u64(&clock->last, &last,
										   tick.timestamp))
			break;
	}
	tick.clock_seq &= LAYOUT_MASK(CLOCK_SEQ_BITS);
	return tick;
}
