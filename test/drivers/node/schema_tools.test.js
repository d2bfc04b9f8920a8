// What tools that compare, read or write schemas make of partitions, of iuid and
// ulid, and of tables of the extension: by default, and with the lines of
// doc/drivers.md.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { EntitySchema, MikroORM } from '@mikro-orm/postgresql'
import { pushSchema } from 'drizzle-kit/api'
import { sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import { customType, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { printSchema } from 'graphql'
import pg from 'pg'
import { createPostGraphileSchema } from 'postgraphile'
import { DataTypes, Sequelize } from 'sequelize'
import * as typeorm from 'typeorm'

const { PGHOST, PGPORT, PGUSER, PGPASSWORD, PGDATABASE } = process.env
const url = `postgres://${PGUSER}:${encodeURIComponent(PGPASSWORD ?? '')}@${PGHOST}:${PGPORT}/${PGDATABASE}`
const pool = new pg.Pool()
const run = promisify(execFile)
const bin = (name) => new URL(`node_modules/.bin/${name}`, import.meta.url).pathname
let dir

before(async () => {
  dir = await mkdtemp(join(tmpdir(), 'schema-tools-'))
  await pool.query(await readFile(new URL('../schema.sql', import.meta.url), 'utf8'))
  await pool.query(`CREATE TABLE notes (id ulid PRIMARY KEY DEFAULT gen_ulid(), note text NOT NULL);
    INSERT INTO iuid.countries VALUES (76, 'BR', 'Brazil');
    INSERT INTO bookings (guest) VALUES ('Ada'); INSERT INTO rides (fare) VALUES (12);
    INSERT INTO events VALUES (gen_uuidv7_at('2026-02-01Z'), 'seen'); INSERT INTO notes (note) VALUES ('kept')`)
})
after(() => Promise.all([pool.end(), rm(dir, { recursive: true })]))

// Whatever the tool did, this is there.
const nothingIsLost = async () => {
  const { rows } = await pool.query(`SELECT (SELECT count(*) FROM bookings)::int AS bookings, (SELECT count(*) FROM rides)::int AS rides,
    (SELECT count(*) FROM events)::int AS events, (SELECT count(*) FROM notes)::int AS notes,
    (SELECT count(*) FROM iuid.countries)::int AS countries`)
  assert.deepEqual(rows, [{ bookings: 1, rides: 1, events: 1, notes: 1, countries: 1 }])
}
const partitions = async () => (await pool.query("SELECT relid::text FROM pg_partition_tree('events') WHERE isleaf")).rows.map((row) => row.relid)

const iuid = customType({ dataType: () => 'iuid' })
const ulid = customType({ dataType: () => 'ulid' })
const schema = {
  bookings: pgTable('bookings', { id: uuid().primaryKey().default(sql`gen_uuidv7()`), guest: text().notNull() }),
  rides: pgTable('rides', { id: iuid().primaryKey().default(sql`gen_iuid(76, 1)`), fare: integer().notNull() }),
  notes: pgTable('notes', { id: ulid().primaryKey().default(sql`gen_ulid()`), note: text().notNull() }),
}
const events = pgTable('events', { id: uuid().primaryKey().default(sql`gen_uuidv7()`), what: text().notNull() })

const { tablesFilter } = {
  tablesFilter: ['*', '!events', '!events_*'],
}

// What push would execute. Its progress is text on stdout, where node:test writes buffers for its parent.
const push = async (models, ...filters) => {
  const { write } = process.stdout
  process.stdout.write = (chunk, ...rest) => typeof chunk === 'string' || write.call(process.stdout, chunk, ...rest)
  try {
    return await pushSchema(models, drizzle(pool), ...filters)
  } finally {
    process.stdout.write = write
  }
}

test('drizzle-kit push wants to drop all partitions, and says so', async () => {
  const { hasDataLoss, statementsToExecute, warnings } = await push(schema)
  assert.deepEqual(statementsToExecute.toSorted(), (await partitions()).map((name) => `DROP TABLE "${name}" CASCADE;`).toSorted())
  assert.ok(hasDataLoss && warnings.length > 0)
})

test('drizzle-kit push with tablesFilter changes nothing', async () => {
  const { statementsToExecute } = await push(schema, ['public'], tablesFilter)
  assert.deepEqual(statementsToExecute, [])
})

test('drizzle-kit push does not see a partitioned table', async () => {
  const { statementsToExecute } = await push({ ...schema, events }, ['public'], ['*', '!events_*'])
  assert.match(statementsToExecute.join(), /^CREATE TABLE "events"/)
})

test('drizzle-kit pull', async () => {
  await writeFile(join(dir, 'drizzle.config.json'), JSON.stringify({ dialect: 'postgresql', dbCredentials: { url }, out: 'drizzle', tablesFilter }))
  await run(bin('drizzle-kit'), ['pull', '--config', 'drizzle.config.json'], { cwd: dir })
  const pulled = await readFile(join(dir, 'drizzle', 'schema.ts'), 'utf8')
  assert.match(pulled, /id: uuid\(\)\.default\(sql`gen_uuidv7\(\)`\)\.primaryKey\(\)/)
  assert.match(pulled, /failed to parse database type 'iuid'\n\s*id: unknown\("id"\)/)
  assert.doesNotMatch(pulled, /events|countries/)
})

const Booking = new EntitySchema({
  name: 'Booking',
  tableName: 'bookings',
  properties: { id: { type: 'uuid', primary: true, defaultRaw: 'gen_uuidv7()' }, guest: { type: 'text' } },
})
const Ride = new EntitySchema({
  name: 'Ride',
  tableName: 'rides',
  properties: { id: { type: 'string', columnType: 'iuid', primary: true, defaultRaw: 'gen_iuid(76, 1)' }, fare: { type: 'integer' } },
})
const Note = new EntitySchema({
  name: 'Note',
  tableName: 'notes',
  properties: { id: { type: 'string', columnType: 'ulid', primary: true, defaultRaw: 'gen_ulid()' }, note: { type: 'text' } },
})
const Event = new EntitySchema({
  name: 'Event',
  tableName: 'events',
  properties: { id: { type: 'uuid', primary: true, defaultRaw: 'gen_uuidv7()' }, what: { type: 'text' } },
})
const withMikro = async (options, use) => {
  const orm = await MikroORM.init({ entities: [Booking, Ride, Note, Event], clientUrl: url, ...options })
  try {
    return await use(orm.schema)
  } finally {
    await orm.close()
  }
}

test('MikroORM wants to drop the registry, and the server refuses', async () => {
  await withMikro({}, async (generator) => {
    const update = await generator.getUpdateSchemaSQL()
    assert.match(update, /drop table if exists "iuid"."countries" cascade/)
    assert.doesNotMatch(update, /events_|"bookings"|"rides"|"notes"/)
    await assert.rejects(generator.updateSchema(), (error) => error.code === '2BP01')
  })
  await nothingIsLost()
})

test('MikroORM with ignoreSchema changes nothing', async () => {
  const ignoring = {
    schemaGenerator: { ignoreSchema: ['iuid', 'uidext_internal'] },
  }
  await withMikro(ignoring, async (generator) => {
    assert.equal((await generator.getUpdateSchemaSQL()).trim(), '')
    await generator.updateSchema()
  })
  await withMikro({}, async (generator) => {
    for (const options of [{ safe: true }, { dropTables: false }]) assert.equal((await generator.getUpdateSchemaSQL(options)).trim(), '')
  })
  await nothingIsLost()
})

test('TypeORM: synchronize changes nothing, if it is told of iuid and ulid', async () => {
  const made = (type, expression) => ({ type, primary: true, default: () => expression })
  const entity = (name, id, columns) => new typeorm.EntitySchema({ name, columns: { id, ...columns } })
  const source = new typeorm.DataSource({
    type: 'postgres',
    url,
    installExtensions: false,
    entities: [
      entity('bookings', made('uuid', 'gen_uuidv7()'), { guest: { type: 'text' } }),
      entity('events', made('uuid', 'gen_uuidv7()'), { what: { type: 'text' } }),
      entity('rides', made('iuid', 'gen_iuid(76, 1)'), { fare: { type: 'integer' } }),
      entity('notes', made('ulid', 'gen_ulid()'), { note: { type: 'text' } }),
    ],
  })
  await assert.rejects(source.initialize(), /Data type "iuid" in "rides.id" is not supported/)
  source.driver.supportedDataTypes.push('iuid', 'ulid')
  await source.initialize()
  assert.deepEqual((await source.driver.createSchemaBuilder().log()).upQueries, [])
  await source.synchronize()
  await source.destroy()

  const generated = new typeorm.DataSource({ type: 'postgres', url, installExtensions: false, entities: [
    new typeorm.EntitySchema({ name: 'bookings', columns: { id: { type: 'uuid', primary: true, generated: 'uuid' }, guest: { type: 'text' } } }),
  ] })
  await generated.initialize()
  assert.match((await generated.driver.createSchemaBuilder().log()).upQueries.map((query) => query.query).join(), /DROP DEFAULT/)
  await generated.destroy()
  await nothingIsLost()
})

test('Sequelize: sync({ alter: true }) changes nothing of ids', async () => {
  const sequelize = new Sequelize(url, { logging: false, define: { timestamps: false } })
  const made = (type, expression) => ({ type, primaryKey: true, defaultValue: Sequelize.literal(expression) })
  sequelize.define('bookings', { id: made(DataTypes.UUID, 'gen_uuidv7()'), guest: { type: DataTypes.TEXT, allowNull: false } })
  sequelize.define('events', { id: made(DataTypes.UUID, 'gen_uuidv7()'), what: { type: DataTypes.TEXT, allowNull: false } })
  sequelize.define('rides', { id: made('iuid', 'gen_iuid(76, 1)'), fare: { type: DataTypes.INTEGER, allowNull: false } })
  sequelize.define('notes', { id: made('ulid', 'gen_ulid()'), note: { type: DataTypes.TEXT, allowNull: false } })
  const ids = async () => (await pool.query(`SELECT attrelid::regclass::text, atttypid::regtype::text, pg_get_expr(adbin, adrelid)
    FROM pg_attribute JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum WHERE attname = 'id' ORDER BY 1`)).rows
  const before = await ids()
  await sequelize.sync({ alter: true })
  await sequelize.close()
  assert.deepEqual(await ids(), before)
  await nothingIsLost()
})

test('kysely-codegen: strings, and no partitions', async () => {
  const file = join(dir, 'kysely.ts')
  await run(bin('kysely-codegen'), ['--url', url, '--dialect', 'postgres', '--out-file', file], { cwd: dir })
  const all = await readFile(file, 'utf8')
  for (const table of ['Bookings', 'Rides', 'Notes', 'Events']) assert.match(all, new RegExp(`interface ${table} {[^}]*id: Generated<string>`))
  assert.doesNotMatch(all, /Events20/)
  assert.match(all, /"iuid.countries"/)
  await run(bin('kysely-codegen'), ['--url', url, '--dialect', 'postgres', '--out-file', file, '--default-schema', 'public', '--include-pattern',
    'public.*'], { cwd: dir })
  assert.doesNotMatch(await readFile(file, 'utf8'), /iuid\.|uidext_internal/)
})

test('pgtyped: unknown, a string with id::uuid', async () => {
  const queries = join(dir, 'queries')
  await mkdir(queries)
  await writeFile(join(queries, 'ride.sql'), '/* @name ride */\nSELECT id AS bare, id::uuid AS cast FROM rides WHERE id = :id!;\n')
  await writeFile(join(dir, 'config.json'), JSON.stringify({
    transforms: [{ mode: 'sql', include: '*.sql', emitTemplate: '{{dir}}/{{name}}.ts' }], srcDir: './queries/', dbUrl: url }))
  await run(bin('pgtyped'), ['-c', 'config.json'], { cwd: dir })
  const typed = await readFile(join(queries, 'ride.ts'), 'utf8')
  assert.match(typed, /bare: unknown/)
  assert.match(typed, /cast: string/)
  assert.match(typed, /id: string/)
})

test('PostGraphile: UUID, String for iuid and ulid, and a type for each partition', async () => {
  const types = printSchema(await createPostGraphileSchema(pool, 'public'))
  assert.match(types, /^type Booking implements Node {[^}]*\n  id: UUID!/m)
  assert.match(types, /^type Ride implements Node {[^}]*\n  id: String!/m)
  assert.match(types, /^type Events202602 /m)
  assert.doesNotMatch(types, /genUuidv7|uuidTime|Countries/)
  await pool.query(`DO $$ BEGIN EXECUTE (
    SELECT string_agg(format('COMMENT ON TABLE %s IS ''@omit''', relid), ';')
    FROM pg_partition_tree('events')
    WHERE isleaf); END $$`)
  assert.doesNotMatch(printSchema(await createPostGraphileSchema(pool, 'public')), /Events2026/)
})

test('a role that does not own partitions cannot drop them', async () => {
  await pool.query('CREATE ROLE migrations')
  for (const statement of (await push(schema)).statementsToExecute) {
    // an error takes SET back
    await assert.rejects(pool.query(`SET ROLE migrations; ${statement}`), { code: '42501' })
  }
  await pool.query('DROP ROLE migrations')
  await nothingIsLost()
})

test('partitions in a schema of their own', async () => {
  await pool.query(`CREATE SCHEMA parts;
    DO $$ BEGIN EXECUTE (
      SELECT string_agg(format('ALTER TABLE %s SET SCHEMA parts', relid), ';')
      FROM pg_partition_tree('events')
      WHERE isleaf); END $$`)
  assert.deepEqual((await push(schema)).statementsToExecute, [])
  assert.doesNotMatch(printSchema(await createPostGraphileSchema(pool, 'public')), /events/i)
  await nothingIsLost()
})
