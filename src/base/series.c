/*-------------------------------------------------------------------------
 *
 * series.c
 *	  The session's series of ids, and how a forked child leaves them.
 *
 *-------------------------------------------------------------------------
 */
#include "base/series.h"

MonotonicSeries session_series[N_SERIES];

/* Otherwise a parent and its forked child would make the same ids. */
void
series_leave_ticks(void)
{
	for (int i = 0; i < N_SERIES; i++)
		monotonic_leave_tick(&session_series[i]);
}
