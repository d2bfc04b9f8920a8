import type { Extension } from '@electric-sql/pglite'

/** uidext, for `PGlite.create({ extensions: { uidext } })` and then `CREATE EXTENSION uidext`. */
export declare const uidext: Extension
