// Prisma: dbgenerated() in the schema, time queries through $queryRaw.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { PrismaPg } from '@prisma/adapter-pg'
import pg from 'pg'
import { Prisma, PrismaClient } from './generated/index.js'

// PrismaPg sends and reads times without their offset: right only where the session's TimeZone is UTC.
const prisma = new PrismaClient({ adapter: new PrismaPg({ options: '-c TimeZone=UTC' }) })
before(async () => {
  const pool = new pg.Pool()
  await pool.query(readFileSync(new URL('../schema.sql', import.meta.url), 'utf8')).finally(() => pool.end())
})
after(() => prisma.$disconnect())

test('insert without an id', async () => {
  const { id } = await prisma.booking.create({ data: { guest: 'Ada' } })
  assert.equal(id[14], '7')
  const [{ made }] = await prisma.$queryRaw`SELECT uuid_time(${id}::uuid) AS made`
  assert.equal(made.getTime(), parseInt(id.slice(0, 8) + id.slice(9, 13), 16))
  assert.ok(Math.abs(Date.now() - made) < 60_000)
})

test('many', async () => {
  const rows = await prisma.booking.createManyAndReturn({ data: [{ guest: 'a' }, { guest: 'b' }, { guest: 'c' }] })
  const ids = rows.map((row) => row.id)
  assert.deepEqual(ids, [...new Set(ids)].sort())
})

test('time query', async () => {
  const since = new Date('2026-02-01T00:00:00Z')
  await prisma.$executeRaw`INSERT INTO events VALUES
    (gen_uuidv7_at('2026-01-31 23:59:59.999+00'), 'before'), (gen_uuidv7_at('2026-02-01 00:00+00'), 'after')`
  const rows = await prisma.$queryRaw`SELECT what FROM events
    WHERE id >= ${since}::timestamptz AND id < ${new Date('2026-02-02T00:00:00Z')}::timestamptz`
  assert.deepEqual(rows, [{ what: 'after' }])
})

test('iUID', async () => {
  const { id } = await prisma.ride.create({ data: { fare: 12 } })
  const [row] = await prisma.$queryRaw`SELECT fare, iuid_country(id) FROM rides WHERE id = ${id}::uuid`
  assert.deepEqual(row, { fare: 12, iuid_country: 76 })
  const other = prisma.ride.create({ data: { id: randomUUID(), fare: 1 } })
  await assert.rejects(other, (error) =>
    error instanceof Prisma.PrismaClientKnownRequestError && error.meta.driverAdapterError.cause.originalCode === '22P02')
})

test('an id made by the client', async () => {
  const mine = '019ca6b1-dc00-7000-8000-000000000001'
  await prisma.booking.create({ data: { id: mine, guest: 'Grace' } })
  assert.deepEqual(await prisma.booking.findUnique({ where: { id: mine } }), { id: mine, guest: 'Grace' })
})
