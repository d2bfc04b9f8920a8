// node-postgres: ids are strings, a Date is sent as text and needs a cast.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { getBooking } from './get_booking.js'

const client = new pg.Client()
before(async () => {
  await client.connect()
  await client.query(readFileSync(new URL('../schema.sql', import.meta.url), 'utf8'))
})
after(() => client.end())

const one = async (query) => (await client.query(query)).rows[0]
const version = (id) => parseInt(id[14], 16)
const milliseconds = (id) => parseInt(id.slice(0, 8) + id.slice(9, 13), 16)

// A version 7 that the client makes: 48 bits of Unix milliseconds, the rest random.
const uuidv7 = (at) => {
  const time = at.getTime().toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`
}

test('requests by public ids', async () => {
  await client.query(readFileSync(new URL('../requests.sql', import.meta.url), 'utf8'))
  const { rows } = await client.query('SELECT public_id, status, body FROM requests ORDER BY status')
  assert.equal(rows.length, 8)
  for (const { public_id: id, status, body } of [...rows, { public_id: '\0', status: 404, body: 'no such booking' }]) {
    assert.deepEqual(await getBooking(client, id), [status, body], JSON.stringify(id))
  }
})

test('insert without an id', async () => {
  const { id, made } = await one("INSERT INTO bookings (guest) VALUES ('Ada') RETURNING id, id::timestamptz AS made")
  assert.equal(typeof id, 'string')
  assert.equal(version(id), 7)
  assert.equal(milliseconds(id), made.getTime())
  assert.ok(Math.abs(Date.now() - made) < 60_000)
})

test('an id made by the client', async () => {
  const at = new Date('2026-03-01T12:00:00Z')
  const mine = uuidv7(at)
  const { id, made } = await one({
    text: "INSERT INTO bookings VALUES ($1, 'Grace') RETURNING id, uuid_time(id) AS made", values: [mine] })
  assert.equal(id, mine)
  assert.deepEqual(made, at)
})

test('time query', async () => {
  const since = new Date('2026-02-01T00:00:00Z')
  const insert = 'INSERT INTO events (id, what) VALUES ($1, $2) RETURNING tableoid::regclass::text AS partition'
  assert.equal((await one({ text: insert, values: [uuidv7(new Date(since - 1)), 'before'] })).partition, 'events_2026_01')
  assert.equal((await one({ text: insert, values: [uuidv7(since), 'after'] })).partition, 'events_2026_02')

  const day = [since, new Date('2026-02-02T00:00:00Z')]
  const { rows } = await client.query('SELECT what FROM events WHERE id >= $1::timestamptz AND id < $2::timestamptz', day)
  assert.deepEqual(rows, [{ what: 'after' }])
  // Without the cast, a parameter beside a uuid is a uuid.
  await assert.rejects(client.query('SELECT what FROM events WHERE id >= $1', [since]), { code: '22P02' })
})

test('partition of a new id', async () => {
  const { id, partition } = await one("INSERT INTO events (what) VALUES ('now') RETURNING id, tableoid::regclass::text AS partition")
  assert.equal(partition, 'events_' + new Date(milliseconds(id)).toISOString().slice(0, 7).replace('-', '_'))
})

test('iUID', async () => {
  const { id } = await one('INSERT INTO rides (fare) VALUES (12) RETURNING id')
  assert.equal(version(id), 8)
  assert.deepEqual(await one({ text: 'SELECT fare, iuid_country(id) FROM rides WHERE id = $1', values: [id] }), { fare: 12, iuid_country: 76 })
  const other = client.query('INSERT INTO rides VALUES ($1, 1)', [randomUUID()])
  await assert.rejects(other, (error) => error instanceof pg.DatabaseError && error.code === '22P02')
})

test('prepared', async () => {
  const insert = { name: 'book', text: 'INSERT INTO bookings (guest) VALUES ($1) RETURNING id' }
  const ids = []
  for (const guest of 'abc') ids.push((await one({ ...insert, values: [guest] })).id)
  assert.deepEqual(ids.map(version), [7, 7, 7])
  assert.deepEqual(ids, [...new Set(ids)].sort())
  const { uses } = await one("SELECT (generic_plans + custom_plans)::int AS uses FROM pg_prepared_statements WHERE name = 'book'")
  assert.equal(uses, 3)
})

test('binary results have no parser for uuid', async () => {
  const { id, text } = await one({
    text: 'SELECT id, id::text AS text FROM gen_uuidv7_at($1) AS id', values: [new Date()], binary: true })
  assert.notEqual(id, text)
  assert.equal(version(text), 7)
})

test('COPY', async () => {
  const mine = [1, 2, 3].map((day) => uuidv7(new Date(Date.UTC(2026, 2, day))))
  await pipeline(mine.map((id) => `${id}\tcopied\n`), client.query(copyFrom('COPY events (id, what) FROM STDIN')))
  const { rows } = await client.query('SELECT id FROM events_2026_03 ORDER BY id')
  assert.deepEqual(rows.map((row) => row.id), mine)
})
