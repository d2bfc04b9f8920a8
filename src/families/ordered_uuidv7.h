/*-------------------------------------------------------------------------
 *
 * ordered_uuidv7.h
 *	  UUIDv7 in one order for all sessions of a server.
 *
 *-------------------------------------------------------------------------
 */
#ifndef UIDEXT_ORDERED_UUIDV7_H
#define UIDEXT_ORDERED_UUIDV7_H

extern void ordered_uuidv7_init(void);

#endif							/* UIDEXT_ORDERED_UUIDV7_H */
