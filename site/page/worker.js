// The server: PGlite with the extension, in a thread of its own.

import { PGlite, protocol } from './pglite/index.js'
import { uidext } from './uidext/index.js'

let loaded = 0

async function download(name) {
	const response = await fetch(new URL(name, import.meta.url))
	if (!response.ok) throw new Error(`${name}: ${response.status} ${response.statusText}`)
	const counted = response.body.pipeThrough(new TransformStream({
		transform(chunk, controller) {
			loaded += chunk.length
			postMessage({ loaded })
			controller.enqueue(chunk)
		},
	}))
	return new Response(counted).blob()
}

async function downloadModule(name) {
	return WebAssembly.compile(await (await download(name)).arrayBuffer())
}

// The database is one in which the extension is installed already.
async function start() {
	const [pgliteWasmModule, initdbWasmModule, fsBundle, loadDataDir] = await Promise.all([
		downloadModule('pglite/pglite.wasm'), downloadModule('pglite/initdb.wasm'), download('pglite/pglite.data'), download('database.tar.gz')])
	return PGlite.create({ pgliteWasmModule, initdbWasmModule, fsBundle, loadDataDir, extensions: { uidext } })
}

// All values as text, as the server writes them.
function toResults(messages) {
	const answer = { results: [], notices: [], error: null }
	let fields = null, rows = []

	for (const message of messages) {
		switch (message.name) {
			case 'rowDescription':
				fields = message.fields.map(({ name, dataTypeID }) => ({ name, type: dataTypeID }))
				break
			case 'dataRow':
				rows.push(message.fields)
				break
			case 'commandComplete':
				answer.results.push({ fields, rows, tag: message.text })
				fields = null
				rows = []
				break
			case 'notice':
			case 'error': {
				const { severity, code, message: text, detail, hint, position } = message
				const said = { severity, code, text, detail, hint, position: position && Number(position) }
				if (message.name === 'error') answer.error = said
				else answer.notices.push(said)
			}
		}
	}
	return answer
}

const starting = start()
starting.then(() => postMessage({ ready: true }), (error) => postMessage({ failed: error.message }))

onmessage = async ({ data: { number, sql } }) => {
	let answer
	try {
		const server = await starting
		const { messages } = await server.execProtocol(protocol.serialize.query(sql), { throwOnError: false })
		answer = toResults(messages)
	} catch (error) {
		// of PGlite, not of the server; somebody waits all the same
		answer = { results: [], notices: [], error: { severity: 'ERROR', text: error.message } }
	}
	postMessage({ number, answer })
}
