// The package for PGlite, as npm installs it.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { PGlite } from '@electric-sql/pglite'
import { uidext } from 'uidext-pglite'

const timeout = 120_000
let db

before(async () => {
  db = await PGlite.create({ extensions: { uidext } })
  await db.exec('CREATE EXTENSION uidext')
}, { timeout })

after(() => db.close(), { timeout })

test('a table with its ids', { timeout }, async () => {
  await db.exec('CREATE TABLE bookings (id uuid PRIMARY KEY DEFAULT gen_uuidv7(), guest text NOT NULL)')
  const { rows: [ada] } = await db.query('INSERT INTO bookings (guest) VALUES ($1) RETURNING id, uuid_time(id) AS made', ['Ada'])
  assert.ok(Math.abs(Date.now() - ada.made) < 3600_000)

  const { rows } = await db.query('SELECT guest FROM bookings WHERE id >= $1::timestamptz AND id < $2::timestamptz', ['2020-01-01Z', '2100-01-01Z'])
  assert.deepEqual(rows, [{ guest: 'Ada' }])
})

test('the extension is one', { timeout }, async () => {
  const { rows } = await db.query("SELECT extname FROM pg_extension WHERE extname = 'uidext'")
  assert.equal(rows.length, 1)
  await db.exec('DROP TABLE bookings; DROP EXTENSION uidext; CREATE EXTENSION uidext')
})

test('a database is dumped and loaded with it', { timeout }, async () => {
  const copy = await PGlite.create({ loadDataDir: await db.dumpDataDir('gzip'), extensions: { uidext } })
  const { rows } = await copy.query("SELECT scheme FROM uid_inspect('01ARZ3NDEKTSV4RRFFQ69G5FAV')")
  assert.equal(rows[0].scheme, 'ulid')
  await copy.close()
})
