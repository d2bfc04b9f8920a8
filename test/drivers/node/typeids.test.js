// typeid-js against the server.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import { TypeID } from 'typeid-js'

const psql = (...options) => execFileSync('psql', ['-qXAt', '-F', '\t', ...options],
  { encoding: 'utf8', maxBuffer: Infinity, stdio: ['ignore', 'pipe', 'ignore'] })
  .trimEnd().split('\n').map((line) => line.split('\t'))
psql('-c', 'CREATE EXTENSION uidext')

test('TypeIDs of the server, read by typeid-js', () => {
  const samples = psql('-c', `SELECT id, prefix, uuid_to_typeid(id, prefix)
    FROM generate_series(1, 3000) AS n, gen_uuidv7_at(timestamptz '1970-01-01' + n * interval '1 year') AS id,
      LATERAL (SELECT (ARRAY['', 'user', 'a_b', repeat('z', 63)])[1 + n % 4]) AS v(prefix)`)
  assert.equal(samples.length, 3000)
  for (const [id, prefix, typeid] of samples) {
    const read = TypeID.fromString(typeid)
    assert.equal(read.getType(), prefix)
    assert.equal(read.toUUID(), id)
    assert.equal(TypeID.fromUUID(prefix, id).toString(), typeid)
  }
})

test('TypeIDs of typeid-js, read by the server', () => {
  const typeids = Array.from({ length: 1000 }, (_, n) => new TypeID(['', 'user', 'a_b', 'z'.repeat(63)][n % 4]))
  const read = psql('-c', `SELECT typeid_to_uuid(typeid), typeid_prefix(typeid)
    FROM unnest('{${typeids.join(',')}}'::text[]) WITH ORDINALITY AS t(typeid, n) ORDER BY n`)
  assert.deepEqual(read, typeids.map((typeid) => [typeid.toUUID(), typeid.getType()]))
})
