/*-------------------------------------------------------------------------
 *
 * clock.h
 *	  The clock, and conversions between timestamptz and the time fields of
 *	  UUIDs, all range-checked.
 *
 *-------------------------------------------------------------------------
 */
#ifndef UIDEXT_CLOCK_H
#define UIDEXT_CLOCK_H

#include "postgres.h"

#include "datatype/timestamp.h"

#include "compat.h"

#define US_PER_MS	1000

extern uint64 clock_unix_ms(void);
extern uint64 clock_uuidv7_ticks(void);
extern uint64 clock_gregorian(void);

extern bool timestamptz_fits_unix_ms(TimestampTz at);
extern uint64 timestamptz_to_unix_us(TimestampTz at);
extern uint64 timestamptz_to_unix_ms(TimestampTz at);
extern uint64 timestamptz_to_uuidv7_ticks(TimestampTz at);
extern uint64 timestamptz_to_gregorian(TimestampTz at);
extern TimestampTz unix_ms_to_timestamptz(uint64 unix_ms);
extern TimestampTz gregorian_to_timestamptz(uint64 timestamp);

pg_noreturn extern void clock_out_of_range(void);

#endif							/* UIDEXT_CLOCK_H */
