// server.js and worker.js, each with the other one played.

import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'

const { SITE } = process.env
let worker

globalThis.Worker = class {
	sent = []
	constructor() {
		worker = this
	}
	postMessage(data) {
		this.sent.push(data)
	}
	terminate() {
		this.terminated = true
	}
}
const { Server } = await import(pathToFileURL(path.join(SITE, 'server.js')))

function start() {
	const server = new Server(() => {})
	// the page hears of it, too
	server.ready.catch(() => {})
	return server
}

async function startReady() {
	const server = start()
	worker.onmessage({ data: { ready: true } })
	await server.ready
	return server
}

const within = { timeout: 120_000 }

test('whoever waits for a server that does not start hears of it', within, async () => {
	const server = start(), early = server.query('SELECT 1')

	worker.onmessage({ data: { failed: 'no memory' } })
	await assert.rejects(early, /no memory/)
	await assert.rejects(server.query('SELECT 2'), /no memory/)
	// nor does it tell of progress any more
	assert.ok(worker.terminated)
})

test('whoever waits for a server that is stopped hears of it', within, async () => {
	const starting = start(), early = starting.query('SELECT 1')
	starting.stop()
	await assert.rejects(early, /stopped/)

	const server = await startReady()
	const answered = server.query('SELECT 1'), waiting = server.query('SELECT 2')
	await new Promise(setImmediate)
	worker.onmessage({ data: { number: 1, answer: 'first' } })
	server.stop()
	assert.equal(await answered, 'first')
	await assert.rejects(waiting, /stopped/)
	await assert.rejects(server.query('SELECT 3'), /stopped/)
	assert.equal(worker.sent.length, 2)
})

test('whoever waits for a worker that breaks hears of it', within, async () => {
	const server = await startReady(), waiting = server.query('SELECT 1')

	await new Promise(setImmediate)
	worker.onerror({ message: 'unreachable' })
	await assert.rejects(waiting, /unreachable/)
	// comes too late
	worker.onmessage({ data: { number: 1, answer: 'first' } })
})

test('what PGlite throws is an answer', within, async (t) => {
	const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'uidext-worker.'))
	t.after(() => fs.rmSync(dir, { recursive: true }))
	const write = (name, text) => {
		fs.mkdirSync(path.dirname(path.join(dir, name)), { recursive: true })
		fs.writeFileSync(path.join(dir, name), text)
	}
	fs.copyFileSync(path.join(SITE, 'worker.js'), path.join(dir, 'worker.js'))
	write('package.json', '{ "type": "module" }')
	write('uidext/index.js', 'export const uidext = {}')
	write('pglite/index.js', `export const protocol = { serialize: { query: (sql) => sql } }
		export const PGlite = { create: async () => ({ execProtocol: async () => { throw new Error('unreachable') } }) }`)
	// an empty module for WebAssembly, whatever is loaded
	t.mock.method(globalThis, 'fetch', async () => new Response(new Uint8Array([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0])))
	let hear
	const heard = new Promise((resolve) => { hear = resolve })
	globalThis.onmessage = null
	globalThis.postMessage = (data) => (data.number || data.failed) && hear(data)

	await import(pathToFileURL(path.join(dir, 'worker.js')))
	globalThis.onmessage({ data: { number: 7, sql: 'SELECT 1' } }).catch(hear)
	const { number, answer } = await heard
	assert.equal(number, 7)
	assert.deepEqual(answer, { results: [], notices: [], error: { severity: 'ERROR', text: 'unreachable' } })
})
