// TypeORM: a migration with the extension, a column's default as a function, Raw() for time queries.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { DataSource, EntitySchema, QueryFailedError, Raw } from 'typeorm'

const Booking = new EntitySchema({
  name: 'booking',
  columns: {
    id: { type: 'uuid', primary: true, default: () => 'gen_uuidv7()' },
    guest: { type: 'text' },
  },
})

class CreateBookings1700000000000 {
  async up(runner) {
    await runner.query('CREATE EXTENSION uidext')
    await runner.query('CREATE TABLE booking (id uuid PRIMARY KEY DEFAULT gen_uuidv7(), guest text NOT NULL)')
    await runner.query('CREATE TABLE ride (id iuid PRIMARY KEY DEFAULT gen_iuid(76, 1), fare integer NOT NULL)')
  }

  async down(runner) {
    await runner.query('DROP TABLE ride, booking')
    await runner.query('DROP EXTENSION uidext')
  }
}

const Ride = new EntitySchema({
  name: 'ride',
  columns: {
    id: { type: 'iuid', primary: true, default: () => 'gen_iuid(76, 1)' },
    fare: { type: 'integer' },
  },
})

const madeSince = (moment) => Raw((id) => `${id} >= :moment::timestamptz`, { moment })

const source = new DataSource({
  type: 'postgres',
  host: process.env.PGHOST,
  port: Number(process.env.PGPORT),
  username: process.env.PGUSER,
  password: process.env.PGPASSWORD,
  database: process.env.PGDATABASE,
  installExtensions: false,
  entities: [Booking, Ride],
  migrations: [CreateBookings1700000000000],
})
// a type that TypeORM does not know by itself
source.driver.supportedDataTypes.push('iuid')

before(async () => {
  await source.initialize()
  await source.runMigrations()
})
after(() => source.destroy())

test('models are what the migration made', async () => {
  const { upQueries } = await source.driver.createSchemaBuilder().log()
  assert.deepEqual(upQueries.map((query) => query.query), [])
})

test('insert without an id', async () => {
  const { id } = await source.getRepository(Booking).save({ guest: 'Ada' })
  assert.equal(id[14], '7')
  const [{ made }] = await source.query('SELECT uuid_time($1) AS made', [id])
  assert.equal(made.getTime(), parseInt(id.slice(0, 8) + id.slice(9, 13), 16))
  assert.ok(Math.abs(Date.now() - made) < 60_000)
})

test('many', async () => {
  const { identifiers } = await source.getRepository(Booking).insert([{ guest: 'a' }, { guest: 'b' }, { guest: 'c' }])
  const ids = identifiers.map((row) => row.id)
  assert.deepEqual(ids, [...new Set(ids)].sort())
})

test('time query', async () => {
  const since = new Date('2100-02-01T00:00:00Z')
  await source.getRepository(Booking).insert([
    { id: () => `gen_uuidv7_at('${new Date(since - 1).toISOString()}')`, guest: 'before' },
    { id: () => `gen_uuidv7_at('${since.toISOString()}')`, guest: 'after' },
  ])
  const found = await source.getRepository(Booking).findBy({ id: madeSince(since) })
  assert.deepEqual(found.map((booking) => booking.guest), ['after'])
})

test('iUID', async () => {
  const { id } = await source.getRepository(Ride).save({ fare: 12 })
  const [{ country }] = await source.query('SELECT iuid_country(id) AS country FROM ride WHERE id = $1', [id])
  assert.equal(country, 76)
  const other = source.getRepository(Ride).insert({ id: randomUUID(), fare: 1 })
  await assert.rejects(other, (error) => error instanceof QueryFailedError && error.driverError.code === '22P02')
})

test('an id made by the client', async () => {
  const mine = '019ca6b1-dc00-7000-8000-000000000001'
  await source.getRepository(Booking).insert({ id: mine, guest: 'Grace' })
  assert.deepEqual(await source.getRepository(Booking).findOneBy({ id: mine }), { id: mine, guest: 'Grace' })
})
