// Ids that other packages make are read here to the tick, and ours are read there.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { DiscordSnowflake, TwitterSnowflake } from '@sapphire/snowflake'
import { ObjectId } from 'bson'
import cuid from 'cuid'
import FlakeId from 'flake-idgen'
import KSUID from 'ksuid'
import pg from 'pg'
import pushid from 'pushid'
import { Sonyflake } from 'sonyflake'
import { TSID, getTsid } from 'tsid-ts'
import { TypeID, typeid } from 'typeid-js'
import { decodeTime, isValid, ulid } from 'ulid'
import * as uuid from 'uuid'
import xidjs from 'xid-js'
import { Xid } from 'xid-ts'

const client = new pg.Client()
before(async () => {
  await client.connect()
  await client.query('CREATE EXTENSION uidext')
})
after(() => client.end())

const value = async (text, ...values) => (await client.query({ text, values, rowMode: 'array' })).rows[0][0]
const time = (id, scheme) => value('SELECT uid_time($1::text, $2)', id, scheme)
const fields = (id, scheme) => value('SELECT fields FROM uid_inspect($1) WHERE scheme = $2', id, scheme)
const first = (id) => value('SELECT scheme FROM uid_inspect($1) LIMIT 1', id)
const generate = (scheme) => value('SELECT uid_generate($1)', scheme)

// There and back through a uuid, which has the id's time.
const throughUuid = async (id, scheme) => {
  const back = 'SELECT uid_from_uuid(uid_to_uuid($1::text, $2), $2)'
  assert.equal(await value(back, id, scheme), id)
}
const near = (at) => assert.ok(Math.abs(Date.now() - at) < 60_000, `${at} is not now`)

test('ulid', async () => {
  const at = 1792000000123
  const theirs = ulid(at)
  assert.equal((await time(theirs, 'ulid')).getTime(), at)
  assert.equal(await first(theirs), 'ulid')
  await throughUuid(theirs, 'ulid')
  const ours = await generate('ulid')
  assert.ok(isValid(ours))
  assert.equal(decodeTime(ours), (await time(ours, 'ulid')).getTime())
})

test('ksuid', async () => {
  const theirs = KSUID.randomSync(new Date('2026-05-06T07:08:09Z'))
  assert.deepEqual(await time(theirs.string, 'ksuid'), theirs.date)
  assert.equal((await fields(theirs.string, 'ksuid')).payload, theirs.payload.toString('hex'))
  assert.equal(await first(theirs.string), 'ksuid')
  const ours = KSUID.parse(await generate('ksuid'))
  near(ours.date)
})

test('bson', async () => {
  const theirs = new ObjectId()
  assert.deepEqual(await time(theirs.toHexString(), 'objectid'), theirs.getTimestamp())
  assert.equal(await first(theirs.toHexString()), 'objectid')
  await throughUuid(theirs.toHexString(), 'objectid')
  near(new ObjectId(await generate('objectid')).getTimestamp())
})

test('xid-ts', async () => {
  const theirs = new Xid()
  assert.equal((await time(theirs.toString(), 'xid')).getTime(), theirs.timestamp() * 1000)
  assert.equal((await fields(theirs.toString(), 'xid')).counter, theirs.counter())
  assert.equal(await first(theirs.toString()), 'xid')
  await throughUuid(theirs.toString(), 'xid')
  near(Xid.parse(await generate('xid')).timestamp() * 1000)
})

test('xid-js, whose digits are others', async () => {
  const theirs = xidjs.next()
  near(await time(theirs, 'xidjs'))
  assert.equal((await fields(theirs, 'xidjs')).pid, process.pid & 0xffff)
  await throughUuid(theirs, 'xidjs')
})

test('cuid', async () => {
  const theirs = cuid()
  assert.equal((await time(theirs, 'cuid')).getTime(), parseInt(theirs.slice(1, 9), 36))
  assert.equal((await fields(theirs, 'cuid')).fingerprint, cuid.fingerprint())
  assert.equal(await first(theirs), 'cuid')
  const ours = await generate('cuid')
  assert.ok(cuid.isCuid(ours) && ours.length === theirs.length)
})

test('pushid', async () => {
  const before = Date.now()
  const theirs = pushid()
  const at = await time(theirs, 'pushid')
  assert.ok(at >= before && at <= Date.now())
  assert.equal(await first(theirs), 'pushid')
  await throughUuid(theirs, 'pushid')
})

test('flake-idgen', async () => {
  const before = Date.now()
  const theirs = new FlakeId({ datacenter: 7, worker: 3 }).next()
  const id = theirs.readBigUInt64BE().toString()
  const at = await time(id, 'flakeid')
  assert.ok(at >= before && at <= Date.now())
  assert.deepEqual(await fields(id, 'flakeid'), { datacenter: 7, worker: 3, counter: 0 })
  assert.deepEqual(await time('0x' + theirs.toString('hex'), 'flakeid'), at)
  await throughUuid(id, 'flakeid')

  const epoch = 1300000000000
  const mine = new FlakeId({ id: 300, epoch }).next().readBigUInt64BE().toString()
  near(await time(mine, `flakeid:${epoch}`))
})

test('@sapphire/snowflake', async () => {
  const at = new Date('2026-05-06T07:08:09.123Z')
  const tweet = TwitterSnowflake.generate({ timestamp: at, workerId: 11n, processId: 5n, increment: 99n }).toString()
  assert.deepEqual(await time(tweet, 'snowflake'), at)
  assert.deepEqual(await fields(tweet, 'snowflake'), { node: 11 * 32 + 5, sequence: 99 })
  const message = DiscordSnowflake.generate({ timestamp: at, workerId: 11n, processId: 5n, increment: 99n }).toString()
  assert.deepEqual(await time(message, 'discord'), at)
  assert.deepEqual(await fields(message, 'discord'), { worker: 11, process: 5, increment: 99 })
  await throughUuid(message, 'discord')
  // the boundary of a time is theirs of that time with nothing else
  assert.equal(await value('SELECT uid_boundary($1, $2)', at, 'discord'),
    DiscordSnowflake.generate({ timestamp: at, workerId: 0n, processId: 0n, increment: 0n }).toString())
})

test('sonyflake, which counts milliseconds', async () => {
  const epoch = Date.UTC(2020, 4, 18)
  const scheme = `sonyflake:epoch=${epoch},tick=1,sequence=8,machine=16`
  const theirs = new Sonyflake({ machineId: 258, epoch }).generateCustomId({ timestamp: epoch + 123456789, sequence: 200 })
  assert.equal((await time(theirs, scheme)).getTime(), epoch + 123456789)
  await throughUuid(theirs, scheme)
})

test('tsid-ts', async () => {
  const theirs = getTsid()
  assert.equal((await time(theirs.toString(), 'tsid')).getTime(), theirs.timestamp)
  assert.equal((await time(theirs.toBigInt().toString(), 'tsid')).getTime(), theirs.timestamp)
  assert.equal(Number((await fields(theirs.toString(), 'tsid')).random), Number(theirs.random))
  await throughUuid(theirs.toString(), 'tsid')
  const boundary = BigInt(await value("SELECT uid_boundary('2026-05-06 07:08:09.123Z', 'tsid')"))
  assert.equal(new TSID(boundary).timestamp, Date.UTC(2026, 4, 6, 7, 8, 9, 123))
})

test('typeid-js', async () => {
  const theirs = typeid('user')
  const { rows: [read] } = await client.query('SELECT scheme, uuid, time, fields FROM uid_inspect($1) LIMIT 1', [theirs.toString()])
  assert.equal(read.uuid, theirs.toUUID())
  assert.equal(read.fields.prefix, 'user')
  near(read.time)
  const ours = TypeID.fromString(await value("SELECT uuid_to_typeid($1, 'user')", read.uuid))
  assert.equal(ours.toString(), theirs.toString())
})

test('uuid', async () => {
  for (const version of [1, 6, 7]) {
    const theirs = uuid[`v${version}`]()
    const { rows: [read] } = await client.query('SELECT scheme, time, fields FROM uid_inspect($1) LIMIT 1', [theirs])
    assert.equal(read.scheme, 'uuid')
    assert.equal(read.fields.version, version)
    near(read.time)
  }
  // what uid_to_uuid() makes is a version 7
  const made = await value("SELECT uid_to_uuid(175928847299117063, 'discord')")
  assert.ok(uuid.validate(made) && uuid.version(made) === 7)
})
