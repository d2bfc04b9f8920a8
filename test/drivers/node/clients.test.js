// Query builders, small ORMs and drivers: the id is left out and comes back, a period's rows, an iUID.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { readFile } from 'node:fs/promises'
import { MikroORM, EntitySchema } from '@mikro-orm/postgresql'
import knexClient from 'knex'
import { Kysely, PostgresDialect, sql } from 'kysely'
import { Model, raw } from 'objection'
import pg from 'pg'
import pgPromise from 'pg-promise'
import postgres from 'postgres'
import { DataTypes, Op, Sequelize } from 'sequelize'

const since = new Date('2026-02-01T00:00:00Z')
const until = new Date('2026-02-02T00:00:00Z')

const pool = new pg.Pool()

const knex = knexClient({ client: 'pg', connection: {}, pool: { min: 0 } })
class Booking extends Model { static tableName = 'bookings' }
class Event extends Model { static tableName = 'events' }
class Ride extends Model { static tableName = 'rides' }
Model.knex(knex)

const kysely = new Kysely({ dialect: new PostgresDialect({ pool: new pg.Pool() }) })
const porsager = postgres({ onnotice() {} })
const promised = pgPromise()({})

const sequelize = new Sequelize({
  dialect: 'postgres',
  host: process.env.PGHOST,
  port: process.env.PGPORT,
  username: process.env.PGUSER,
  password: process.env.PGPASSWORD,
  database: process.env.PGDATABASE,
  logging: false,
  define: { timestamps: false },
})
const made = (type, expression) => ({ type, primaryKey: true, defaultValue: Sequelize.literal(expression) })
const bookings = sequelize.define('bookings', {
  id: { type: DataTypes.UUID, primaryKey: true, defaultValue: Sequelize.literal('gen_uuidv7()') },
  guest: { type: DataTypes.TEXT, allowNull: false },
})
const events = sequelize.define('events', { id: made(DataTypes.UUID, 'gen_uuidv7()'), what: DataTypes.TEXT })
const rides = sequelize.define('rides', { id: made('iuid', 'gen_iuid(76, 1)'), fare: DataTypes.INTEGER })
const timestamptz = (moment) => Sequelize.cast(moment.toISOString(), 'timestamptz')

const mikro = {
  Booking: new EntitySchema({
    name: 'Booking',
    tableName: 'bookings',
    properties: { id: { type: 'uuid', primary: true, defaultRaw: 'gen_uuidv7()' }, guest: { type: 'text' } },
  }),
  Event: new EntitySchema({
    name: 'Event',
    tableName: 'events',
    properties: { id: { type: 'uuid', primary: true, defaultRaw: 'gen_uuidv7()' }, what: { type: 'text' } },
  }),
  Ride: new EntitySchema({
    name: 'Ride',
    tableName: 'rides',
    properties: {
      id: { type: 'string', columnType: 'iuid', primary: true, defaultRaw: 'gen_iuid(76, 1)' },
      fare: { type: 'integer' },
    },
  }),
}
let orm

const createWithMikro = async (kind, values) => {
  const manager = orm.em.fork()
  const entity = manager.create(kind, values)
  await manager.persistAndFlush(entity)
  return entity.id
}

// Each makes a booking and a ride, and tells what happened in a period.
const clients = {
  Knex: {
    booking: async (guest) => (await knex('bookings').insert({ guest }).returning('id'))[0].id,
    ride: async (fare) => (await knex('rides').insert({ fare }).returning('id'))[0].id,
    period: () => knex('events').where('id', '>=', knex.raw('?::timestamptz', [since]))
      .where('id', '<', knex.raw('?::timestamptz', [until])).pluck('what'),
  },
  Objection: {
    booking: async (guest) => (await Booking.query().insert({ guest })).id,
    ride: async (fare) => (await Ride.query().insert({ fare })).id,
    period: async () => (await Event.query().where('id', '>=', raw('?::timestamptz', [since]))
      .where('id', '<', raw('?::timestamptz', [until]))).map((event) => event.what),
  },
  Kysely: {
    booking: async (guest) => (await kysely.insertInto('bookings').values({ guest }).returning('id').executeTakeFirst()).id,
    ride: async (fare) => (await kysely.insertInto('rides').values({ fare }).returning('id').executeTakeFirst()).id,
    period: async () => (await kysely.selectFrom('events').select('what').where('id', '>=', sql`${since}::timestamptz`)
      .where('id', '<', sql`${until}::timestamptz`).execute()).map((event) => event.what),
  },
  'postgres.js': {
    booking: async (guest) => (await porsager`INSERT INTO bookings ${porsager({ guest })} RETURNING id`)[0].id,
    ride: async (fare) => (await porsager`INSERT INTO rides ${porsager({ fare })} RETURNING id`)[0].id,
    period: async () => (await porsager`SELECT what FROM events WHERE id >= ${since} AND id < ${until}`).map((event) => event.what),
  },
  'pg-promise': {
    booking: async (guest) => (await promised.one('INSERT INTO bookings (guest) VALUES ($1) RETURNING id', guest)).id,
    ride: async (fare) => (await promised.one('INSERT INTO rides (fare) VALUES ($1) RETURNING id', fare)).id,
    period: () => promised.map('SELECT what FROM events WHERE id >= $1::timestamptz AND id < $2::timestamptz', [since, until],
      (event) => event.what),
  },
  Sequelize: {
    booking: async (guest) => (await bookings.create({ guest })).id,
    ride: async (fare) => (await rides.create({ fare })).id,
    period: async () => (await events.findAll({
      where: { id: { [Op.gte]: timestamptz(since), [Op.lt]: timestamptz(until) } },
    })).map((event) => event.what),
  },
  MikroORM: {
    booking: (guest) => createWithMikro(mikro.Booking, { guest }),
    ride: (fare) => createWithMikro(mikro.Ride, { fare }),
    period: async () => (await orm.em.fork().createQueryBuilder(mikro.Event)
      .where('id >= ?::timestamptz AND id < ?::timestamptz', [since, until])).map((event) => event.what),
  },
}

before(async () => {
  await pool.query(await readFile(new URL('../schema.sql', import.meta.url), 'utf8'))
  await pool.query(`INSERT INTO events VALUES (gen_uuidv7_at('2026-01-31 23:59:59.999Z'), 'before'),
    (gen_uuidv7_at('2026-02-01Z'), 'after')`)
  orm = await MikroORM.init({
    entities: Object.values(mikro),
    host: process.env.PGHOST,
    port: Number(process.env.PGPORT),
    user: process.env.PGUSER,
    password: process.env.PGPASSWORD,
    dbName: process.env.PGDATABASE,
  })
})
after(() => Promise.all([pool.end(), knex.destroy(), kysely.destroy(), porsager.end(), promised.$pool.end(), sequelize.close(),
  orm.close()]))

for (const [name, client] of Object.entries(clients)) {
  test(`${name}: ids of the server, in order`, async () => {
    const ids = [await client.booking('Ada'), await client.booking('Grace')]
    for (const id of ids) assert.equal(id[14], '7')
    assert.ok(ids[0] < ids[1])
    const { rows } = await pool.query('SELECT guest FROM bookings WHERE id = ANY ($1) ORDER BY id', [ids])
    assert.deepEqual(rows.map((row) => row.guest), ['Ada', 'Grace'])
  })

  test(`${name}: a period`, async () => {
    assert.deepEqual(await client.period(), ['after'])
  })

  test(`${name}: iUID`, async () => {
    const { rows } = await pool.query('SELECT fare, iuid_country(id) AS country FROM rides WHERE id = $1', [await client.ride(12)])
    assert.deepEqual(rows, [{ fare: 12, country: 76 }])
  })
}

test('Sequelize: a time without a cast is no uuid', async () => {
  await assert.rejects(events.findAll({ where: { id: { [Op.gte]: since } } }), (error) => error.parent.code === '22P02')
})

test('Sequelize: sync() makes the DEFAULT, and alter leaves it', async () => {
  await pool.query('CREATE SCHEMA other')
  const model = sequelize.define('guests', { id: made(DataTypes.UUID, 'gen_uuidv7()') }, { schema: 'other' })
  for (const options of [{}, { alter: true }]) {
    await model.sync(options)
    const { rows } = await pool.query("SELECT pg_get_expr(adbin, adrelid) AS made FROM pg_attrdef WHERE adrelid = 'other.guests'::regclass")
    assert.deepEqual(rows, [{ made: 'gen_uuidv7()' }])
  }
})
