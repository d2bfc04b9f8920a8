// DuckDB reads the same times and order from ids, in memory and from Parquet, and makes ids that are valid here.
// From the year 6429 on it takes the first bit for a sign.

import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { DuckDBInstance } from '@duckdb/node-api'
import pg from 'pg'

const client = new pg.Client()
let dir, duck
const rows = async (query) => (await duck.runAndReadAll(query)).getRowsJson()

before(async () => {
  dir = await mkdtemp(join(tmpdir(), 'duckdb-'))
  duck = await (await DuckDBInstance.create()).connect()
  await client.connect()
  await client.query('CREATE EXTENSION uidext')
  const { rows: [{ csv }] } = await client.query(`SELECT string_agg(concat_ws(',', place, id, (extract(epoch FROM uuid_time(id)) * 1000)::int8), E'\\n') AS csv
    FROM (SELECT row_number() OVER (ORDER BY id) AS place, id
      FROM (SELECT gen_uuidv7_at(timestamptz '1970-01-01Z' + random() * interval '4400 years') AS id FROM generate_series(1, 5000)) AS made) AS placed`)
  await writeFile(join(dir, 'ids.csv'), csv)
  await duck.run(`CREATE TABLE ids AS SELECT * FROM read_csv('${join(dir, 'ids.csv')}',
    columns = { place: 'INT', id: 'UUID', milliseconds: 'INT64' })`)
})
after(() => Promise.all([client.end(), rm(dir, { recursive: true })]))

const agreed = (from) => rows(`SELECT count(*)::int, sum((epoch_ms(uuid_extract_timestamp(id)) = milliseconds)::int)::int, sum((place = position)::int)::int
  FROM (SELECT *, row_number() OVER (ORDER BY id) AS position FROM ${from})`)

test('times and order', async () => {
  assert.deepEqual(await agreed('ids'), [[5000, 5000, 5000]])
})

test('Parquet', async () => {
  const file = join(dir, 'ids.parquet')
  await duck.run(`COPY (FROM ids ORDER BY id) TO '${file}' (ROW_GROUP_SIZE 2048)`)
  assert.deepEqual(await agreed(`'${file}'`), [[5000, 5000, 5000]])
  const groups = await rows(`SELECT stats_min_value, stats_max_value FROM parquet_metadata('${file}') WHERE path_in_schema = 'id' ORDER BY row_group_id`)
  assert.ok(groups.length > 1)
  for (const [n, [least, greatest]] of groups.entries()) assert.ok(least < greatest && (n === 0 || groups[n - 1][1] < least))
})

test('ids of DuckDB', async () => {
  const ids = (await rows('SELECT uuidv7()::text FROM range(100)')).flat()
  const { rows: [{ valid }] } = await client.query('SELECT bool_and(uuidv7_is_valid(id)) AS valid FROM unnest($1::uuid[]) AS id', [ids])
  assert.ok(valid)
})
