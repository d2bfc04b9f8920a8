// Drizzle: .default(sql`…`) in the schema, the migration that drizzle-kit makes of it, time queries through sql`…`.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { generateDrizzleJson, generateMigration } from 'drizzle-kit/api'
import { eq, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import { customType, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import pg from 'pg'

const iuid = customType({ dataType: () => 'iuid' })

const bookings = pgTable('bookings', {
  id: uuid().primaryKey().default(sql`gen_uuidv7()`),
  guest: text().notNull(),
})
const rides = pgTable('rides', {
  id: iuid().primaryKey().default(sql`gen_iuid(76, 1)`),
  fare: integer().notNull(),
})

const madeSince = (id, moment) => sql`${id} >= ${moment.toISOString()}::timestamptz`

const pool = new pg.Pool()
const db = drizzle(pool)
before(async () => {
  // as the files of drizzle-kit generate, with CREATE EXTENSION in a first, custom one
  const migration = await generateMigration(generateDrizzleJson({}), generateDrizzleJson({ bookings, rides }))
  for (const statement of ['CREATE EXTENSION uidext', ...migration]) await db.execute(statement)
})
after(() => pool.end())

test('insert without an id', async () => {
  const [{ id }] = await db.insert(bookings).values({ guest: 'Ada' }).returning()
  assert.equal(id[14], '7')
  const [{ made }] = await db.select({ made: sql`uuid_time(${bookings.id})`.mapWith((text) => new Date(text)) })
    .from(bookings).where(eq(bookings.id, id))
  assert.equal(made.getTime(), parseInt(id.slice(0, 8) + id.slice(9, 13), 16))
  assert.ok(Math.abs(Date.now() - made) < 60_000)
})

test('many', async () => {
  const rows = await db.insert(bookings).values([{ guest: 'a' }, { guest: 'b' }, { guest: 'c' }]).returning()
  const ids = rows.map((row) => row.id)
  assert.deepEqual(ids, [...new Set(ids)].sort())
})

test('time query', async () => {
  const since = new Date('2100-02-01T00:00:00Z')
  const at = (moment) => sql`gen_uuidv7_at(${moment.toISOString()}::timestamptz)`
  await db.insert(bookings).values([{ id: at(new Date(since - 1)), guest: 'before' }, { id: at(since), guest: 'after' }])
  const rows = await db.select({ guest: bookings.guest }).from(bookings).where(madeSince(bookings.id, since))
  assert.deepEqual(rows, [{ guest: 'after' }])
})

test('prepared', async () => {
  const query = db.select().from(bookings).where(eq(bookings.id, sql.placeholder('id'))).prepare('by_id')
  const [row] = await db.insert(bookings).values({ guest: 'Ada' }).returning()
  assert.deepEqual(await query.execute({ id: row.id }), [row])
})

test('iUID', async () => {
  const [{ id }] = await db.insert(rides).values({ fare: 12 }).returning()
  const rows = await db.select({ fare: rides.fare, country: sql`iuid_country(${rides.id})` }).from(rides).where(eq(rides.id, id))
  assert.deepEqual(rows, [{ fare: 12, country: 76 }])
  await assert.rejects(db.insert(rides).values({ id: randomUUID(), fare: 1 }), (error) => error.cause.code === '22P02')
})

test('an id made by the client', async () => {
  const mine = '019ca6b1-dc00-7000-8000-000000000001'
  assert.deepEqual(await db.insert(bookings).values({ id: mine, guest: 'Grace' }).returning(), [{ id: mine, guest: 'Grace' }])
})
