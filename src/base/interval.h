/*-------------------------------------------------------------------------
 *
 * interval.h
 *	  Intervals of fixed length, and whether a time is near another.
 *
 *-------------------------------------------------------------------------
 */
#ifndef UIDEXT_INTERVAL_H
#define UIDEXT_INTERVAL_H

#include "postgres.h"

#include "datatype/timestamp.h"

extern int64 interval_to_tolerance_us(const Interval *interval);
extern int64 interval_to_length_ms(const Interval *interval);
extern bool timestamptz_is_recent(TimestampTz time, int64 tick_us,
								  const Interval *past,
								  const Interval *future, TimestampTz at);

#endif							/* UIDEXT_INTERVAL_H */
