// The page in a real browser: what it answers is what the server of script/test
// answers.  script/test has built it into SITE; CHROMIUM is the browser.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import http from 'node:http'
import os from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { chromium } from 'playwright-core'

const { SITE, CHROMIUM, SCREENSHOTS } = process.env
const root = path.join(import.meta.dirname, '../..')
// wherever somebody puts it
const base = '/some/where/'
const types = {
	'.html': 'text/html',
	'.js': 'text/javascript',
	'.css': 'text/css',
	'.svg': 'image/svg+xml',
	'.json': 'application/json',
	'.wasm': 'application/wasm',
}
const long = 600_000
// The regression tests ask both editions for every id. The page has to show what the server says of each kind.
const every = process.env.UIDEXT_LONG ? 1 : 4
// after which somebody who looks at a page that does nothing gives up; longer where all takes longer
let patience = 60_000

function within(ms, promise) {
	const late = new Error(`no answer within ${ms / 1000} s`)
	return Promise.race([promise, new Promise((resolve, reject) => setTimeout(reject, ms, late).unref())])
}

let host, browser, page
let moved = Date.now()
const requests = [], complaints = [], said = []
const move = () => { moved = Date.now() }

// a file that the host breaks off
let broken = null

function serve(request, response) {
	const name = decodeURIComponent(new URL(request.url, 'http://host').pathname)
	const file = path.join(SITE, name.slice(base.length) + (name.endsWith('/') ? 'index.html' : ''))

	if (path.basename(file) === broken) return response.destroy()
	if (!name.startsWith(base) || !fs.existsSync(file)) return response.writeHead(404).end()
	response.writeHead(200, { 'content-type': types[path.extname(file)] ?? 'application/octet-stream' })
	fs.createReadStream(file).pipe(response)
}

const url = (name = '') => `http://127.0.0.1:${host.address().port}${base}${name}`

// Whatever changes in a page of this context is a move.
async function noteMoves(own) {
	for (const event of ['request', 'response', 'requestfinished', 'requestfailed', 'console']) own.on(event, move)
	own.on('console', (message) => said.push(`${message.type()}: ${message.text()}`))
	await own.exposeFunction('noteMove', move)
	await own.addInitScript(() => {
		let last = 0
		new MutationObserver(() => {
			if (performance.now() - last > 500) window.noteMove()
			last = performance.now()
		}).observe(document, { subtree: true, childList: true, attributes: true, characterData: true })
	})
}

async function open(name, options = {}) {
	const own = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options })
	await noteMoves(own)
	const opened = await own.newPage()

	own.setDefaultTimeout(long)
	own.on('request', (request) => requests.push(request.url()))
	own.on('response', (response) => response.status() >= 400 && complaints.push(`${response.status()} ${response.url()}`))
	opened.on('pageerror', (error) => complaints.push(String(error)))
	opened.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
	await opened.goto(url(name))
	return opened
}

const ready = (on) => on.waitForSelector('html[data-server=ready]', { state: 'attached' })

async function begin() {
	host = http.createServer(serve)
	await new Promise((resolve) => host.listen(0, '127.0.0.1', resolve))
	const began = Date.now()
	browser = await chromium.launch({
		executablePath: CHROMIUM,
		args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
			'--disable-component-update', '--disable-sync'],
		timeout: long,
	})
	page = await open('')
	patience = Math.max(patience, 10 * (Date.now() - began))
}

before(async () => {
	try {
		await within(2 * patience, begin())
	} catch (error) {
		await describePages()
		throw error
	}
}, { timeout: long })

after(async () => {
	await browser?.close()
	host?.close()
})

// What the pages show, for whoever reads of a failure.
async function describePages() {
	if (!browser) return console.error('there is no browser yet')
	const dir = SCREENSHOTS ?? fs.mkdtempSync(path.join(os.tmpdir(), 'uidext-site.'))

	for (const [n, seen] of browser.contexts().flatMap((own) => own.pages()).entries()) {
		const picture = path.join(dir, `failed-${n + 1}.png`)
		const state = () => `server ${document.documentElement.dataset.server}, status: ${document.querySelector('#status')?.textContent}`
		const shown = await within(5000, seen.evaluate(state)).catch(String)
		const kept = await within(20_000, seen.screenshot({ path: picture })).then(() => picture, String)
		console.error(`page ${n + 1}, ${seen.url()}: ${shown}; screenshot: ${kept}`)
	}
	console.error(['console:', ...said.slice(-20)].join('\n  '))
}

// What the step that waits says when it is ended: with the contexts that a test has
// opened, or with the browser, since no other test would get further in this page.
async function stepOf(running) {
	const told = running.then(() => 'its end', (error) => error.message)

	for (const own of browser.contexts()) if (own !== page?.context()) own.close().catch(() => {})
	return within(5000, told).catch(() => {
		browser.close()
		return told
	})
}

// A test that ends when nothing has moved for a minute or longer, in any page.
function pageTest(name, run) {
	test(name, { timeout: long }, async () => {
		let timer
		const stalled = new Promise((resolve) => {
			move()
			timer = setInterval(() => Date.now() - moved > patience && resolve('stalled'), 1000)
		})
		const running = run()
		try {
			if (await Promise.race([running, stalled]) !== 'stalled') return
		} catch (error) {
			await describePages()
			throw error
		} finally {
			clearInterval(timer)
		}
		await describePages()
		throw new Error(`nothing has moved in any page for ${patience / 1000} s, at: ${await stepOf(running)}`)
	})
}

// Rows of JSON, from the server that script/test has started.
function askServer(sql) {
	const out = execFileSync('psql', ['-qXAt', '-d', 'postgres', '-c', `SET timezone = 'UTC'`, '-c', sql],
		{ encoding: 'utf8', maxBuffer: 1e8, timeout: 2 * patience })
	return out.trim().split('\n').filter(Boolean).map((line) => JSON.parse(line))
}

const literal = (text) => `'${text.replaceAll("'", "''")}'`
const texts = (selector) => page.$$eval(selector,
	(cells) => cells.map((cell) => (cell.classList.contains('null') ? null : cell.textContent)))

async function inspect(id) {
	await page.fill('#id', id)
	await page.press('#id', 'Enter')
	await page.waitForFunction((id) => document.querySelector('#inspector').dataset.answered === id, id)
	const rows = await page.$$eval('#answer .result:not(.expanded) tbody tr', (rows) =>
		rows.map((row) => [...row.cells].map((cell) => (cell.classList.contains('null') ? null : cell.textContent))))
	const names = await texts('#answer .result.expanded th'), values = await texts('#answer .result.expanded td')
	return { readings: rows, details: names.length ? Object.fromEntries(names.map((name, n) => [name, values[n]])) : null }
}

pageTest('a UUID is drawn before the server has come', async () => {
	const early = await open('')
	const blocked = await early.context().newPage()

	await early.close()
	await blocked.route('**/*.wasm', () => {})
	await blocked.goto(url())
	await blocked.fill('#id', '018a9b13-8277-716a-9e51-f0da4e4d494e')
	assert.equal(await blocked.textContent('#picture figcaption'), 'UUIDv7, made at 2023-09-15 23:01:01.687+00')
	assert.equal(await blocked.locator('.bit').count(), 128)
	assert.match(await blocked.textContent('#status'), /Loading PostgreSQL: \d+ of \d+ MB/)
	assert.ok(await blocked.isVisible('#progress'))
	await blocked.context().close()
})

// Ids of the tests' vectors, and of each scheme those that the server's tests know or that it makes.
function knownIds() {
	const vectors = fs.readFileSync(path.join(root, 'test/pgtap/vectors.sql'), 'utf8')
		.match(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g)
	const spellings = [
		'{018A9B13-8277-716A-9E51-F0DA4E4D494E}',
		' "018a9b138277716a9e51f0da4e4d494e" ',
		'user_01h455vb4pex5vsknk084sn02q',
		'175928847299117063',
		'no id',
		"'",
		'UUID("018A9B13-8277-716A-9E51-F0DA4E4D494E")',
		'\ufeff018a9b13-8277-716a\u200b-9e51-f0da4e4d494e\u00a0,',
		'ObjectId("507f1f77bcf86cd799439011")',
		'AYqbE4J3cWqeUfDaTk1JTg==',
	]
	const ofVariant9 = [...'0123456789abcdef'].map((version) => version + '9')
	const ofOthers = [...'478'].flatMap((version) => [...'07bcf'].map((variant) => version + variant))
	const versions = [...ofVariant9, ...ofOthers]
		.map(([version, variant]) => `018c22ac-d000-${version}037-${variant}940-0123456789ab`)
	return [...new Set(vectors)].filter((id, n) => n % every === 0).concat(versions, spellings)
}

// [scheme, id]: those of the schemes' own documents, which the regression test has, and some that the server makes.
function idsOfSchemes() {
	const regress = fs.readFileSync(path.join(root, 'test/sql/uid.sql'), 'utf8')
	const pairs = [...regress.matchAll(/\('([^']+)', '([^']+)'[,)]/g)].flatMap(([, one, other]) => [[one, other], [other, one]])
	const values = pairs.map((pair) => `(${pair.map(literal)})`)
	const known = askServer(`SELECT json_build_array(scheme, id)
		FROM uid_schemes() JOIN (VALUES ${values}) AS p (scheme, id) USING (scheme)
		WHERE uid_is_valid(id, scheme)`)
	const made = askServer(`SELECT json_build_array(scheme, id) FROM uid_schemes(), LATERAL (SELECT CASE
			WHEN generated THEN uid_generate(scheme)
			WHEN form LIKE '%decimal' THEN uid_boundary(timestamptz '2026-03-04 12:00+00', scheme)::text
			WHEN scheme = 'elasticflake' THEN 'AZU12T33ABEiM0RVqrvM'
			ELSE '018a9b13-8277-416a-9e51-f0da4e4d494e' END) AS made (id)
		WHERE uid_is_valid(id, scheme)`)
	const all = known.concat(made), isOf = ([scheme]) => ([other]) => other === scheme
	return all.filter((id, n) => every === 1 || all.findIndex(isOf(id)) === n || all.findLastIndex(isOf(id)) === n)
}

pageTest('the server starts', () => ready(page))

pageTest('every known id is answered as the server answers it', async () => {
	const ids = knownIds()
	const expected = askServer(`SELECT json_build_object(
			'readings', (
				SELECT coalesce(json_agg(json_build_array(scheme, "time"::text, fields::text, uuid)), '[]')
				FROM uid_inspect(id)),
			'uuid', (
				SELECT json_object_agg(key, value)
				FROM json_each_text((
					SELECT to_json(uuid_inspect(uuid)) FROM uid_inspect(id) WHERE scheme = 'uuid' LIMIT 1))),
			'time', (SELECT uuid_time(uuid)::text FROM uid_inspect(id) WHERE scheme = 'uuid' LIMIT 1))
		FROM unnest(ARRAY[${ids.map(literal)}]) WITH ORDINALITY AS t (id, n) ORDER BY n`)
	assert.ok(ids.length > 50)
	assert.equal(expected.length, ids.length)

	for (const [n, id] of ids.entries()) {
		const { readings, details } = await inspect(id.trim())
		assert.deepEqual(readings, expected[n].readings, id)
		if (!expected[n].uuid) {
			assert.equal(details, null, id)
			continue
		}
		for (const [name, value] of Object.entries(expected[n].uuid))
			if (name !== 'time' && !name.endsWith('_time')) assert.equal(details[name], value, `${name} of ${id}`)
		assert.equal(details.time, expected[n].time, `time of ${id}`)
		// what the picture says without the server
		if (readings[0][0] === 'uuid') {
			const { layout } = expected[n].uuid, { time } = expected[n]
			assert.equal(await page.textContent('#picture figcaption'), time ? `${layout}, made at ${time}` : layout, id)
		}
	}
})

pageTest('an id of each scheme is answered as the server answers it, bit by bit', async () => {
	const ids = idsOfSchemes()
	assert.deepEqual([...new Set(ids.map(([scheme]) => scheme))].sort(),
		askServer('SELECT to_json(scheme) FROM uid_schemes() ORDER BY scheme COLLATE "C"'))
	const expected = askServer(`SELECT (
			SELECT json_agg(json_build_array(scheme, "time"::text, fields::text, uuid)) FROM uid_inspect(id))
		FROM unnest(ARRAY[${ids.map(([, id]) => literal(id))}]) WITH ORDINALITY AS t (id, n) ORDER BY n`)
	for (const [n, [scheme, id]] of ids.entries()) {
		const { readings } = await inspect(id)
		assert.deepEqual(readings, expected[n], `${scheme} ${id}`)

		const place = readings.findIndex(([name]) => name === scheme)
		assert.ok(place >= 0, `${id} is read as ${scheme}`)
		await page.click(`#answer tbody tr:nth-child(${place + 1}) button`)
		await page.waitForFunction((scheme) => document.querySelector('#picture figcaption').textContent.startsWith(scheme), scheme)
		const names = await texts('#picture tbody th'), values = await texts('#picture td.value')
		// texts are hex, but those of cuid; numbers may be longer than JavaScript's
		const fields = JSON.parse(readings[place][2].replace(/: "/g, scheme === 'cuid' ? ': "' : ': "0x').replace(/: (\d+)/g, ': "$1"'))
		for (const [name, value] of Object.entries(fields)) assert.equal(values[names.indexOf(name)], value, `${name} of ${scheme} ${id}`)
		assert.ok(names.some((name) => /^(time|days)/.test(name)), `the picture of ${scheme} has its time`)
	}
})

pageTest('every block of the tour runs', async () => {
	const read = (name) => fs.readFileSync(path.join(root, name), 'utf8')
	const tour = /^## Tour\n([^]*?)^## /m.exec(read('README.md'))[1]
	const blocks = tour.match(/^(?!<!-- C edition -->).*\n```sql\n/gm).length

	assert.ok(blocks > 5)
	assert.equal(await page.locator('.step textarea').count(), blocks)
	// whoever is impatient clicks again
	await page.evaluate(() => {
		document.querySelector('#run-all').click()
		document.querySelector('#run-all').click()
	})
	await page.waitForSelector(`.step:is([data-state=done], [data-state=failed]) >> nth=${blocks - 1}`)
	assert.deepEqual(await texts('.step .error'), [])
	assert.equal(await page.locator('.step[data-state=done]').count(), blocks)
})

async function type(sql) {
	const entries = await page.locator('#session .entry').count()
	await page.fill('#sql', sql)
	await page.press('#sql', 'Enter')
	await page.waitForSelector(`#session .entry:is([data-state=done], [data-state=failed]) >> nth=${entries}`)
	return page.locator('#session .entry').nth(entries).innerText()
}

pageTest('the session takes what psql takes', async () => {
	assert.match(await type("SELECT 'a;b' AS x, $$;$$ AS y; -- ;\nSELECT 2 /* ; /* ; */ */ AS two;"), /a;b\t;\n+\(1 row\)\n+two\n2/)
	assert.match(await type("SELECT 40 + 2 AS answer, 'it''s' AS \"quoted Name\" \\gset p_"), /p_answer = 42/)
	assert.match(await type(`SELECT :p_answer + 1, :'p_quoted Name', 1::text;`), /syntax error/)
	assert.match(await type('\\set name \'it\'\'s\'\nSELECT :p_answer + 1 AS next, :\'name\' AS name;'), /43\tit's/)
	assert.match(await type('CREATE FUNCTION two() RETURNS int LANGUAGE sql BEGIN ATOMIC SELECT CASE WHEN true THEN 1 END; SELECT 2; END;'), /CREATE FUNCTION/)
	assert.match(await type('\\df two'), /two\s*\|\s*integer/)
	assert.match(await type('\\df two;'), /two\s*\|\s*integer/)
	assert.match(await type('\\d orders;'), /Partitioned table "public.orders"/)
	assert.match(await type("SELECT uuid_partition_create('nothing', now(), now(), '1 day');"), /ERROR: {2}relation "nothing" does not exist/)
	assert.match(await type('SELECT 1 AS a, NULL AS b \\gx'), /a\t1\nb/)
	assert.match(await type("DO $do$ BEGIN RAISE NOTICE 'heard'; END $do$;"), /NOTICE: {2}heard/)
	assert.match(await type('SELECT generate_series(1, 200000) AS many;'), /many\n+1\n+2\n[^]*\n1000\n+\(1,000 of 200,000 rows\)$/)
	await page.fill('#sql', "SELECT '\\x00',")
	await page.press('#sql', 'Enter')
	assert.equal(await page.inputValue('#sql'), "SELECT '\\x00',\n")
	assert.match(await type('\\copy x'), /\\copy: this page has/)
})

pageTest('a person without a mouse gets everywhere', async () => {
	await page.evaluate(() => { document.activeElement.blur(); window.scrollTo(0, 0) })
	const reached = []
	for (let n = 0; n < 200 && !reached.includes('sql'); n++) {
		await page.keyboard.press('Tab')
		reached.push(await page.evaluate(() => document.activeElement.id || document.activeElement.closest('.step')?.className || document.activeElement.tagName))
	}
	for (const name of ['id', 'run-all', 'step', 'sql']) assert.ok(reached.includes(name), `${name} is reached: ${reached}`)

	await page.focus('.step textarea')
	await page.keyboard.press('Control+a')
	await page.keyboard.type("SELECT 'typed' AS word")
	await page.keyboard.press('Control+Enter')
	await page.waitForSelector('.step:has(textarea)[data-state=done] td:text-is("typed")')
	await page.focus('#sql')
	await page.keyboard.press('ArrowUp')
	assert.equal(await page.inputValue('#sql'), '\\copy x')
})

pageTest('what the session sets leaves the answers as they are', async () => {
	const id = '018a9b13-8277-716a-9e51-f0da4e4d494e'
	const found = await inspect(id)

	assert.ok(found.readings.length && found.details)
	await type("SET search_path = '';")
	assert.deepEqual(await inspect(id), found)
	await type('RESET search_path;')
	await type('BEGIN; SELECT 1 / 0;')
	await inspect(id)
	assert.equal(await page.textContent('#answer'), 'A transaction below has failed: ROLLBACK.')
	await type('ROLLBACK;')
	assert.deepEqual(await inspect(id), found)
})

pageTest('starting over forgets', async () => {
	await page.click('#start-over')
	await ready(page)
	assert.equal(await page.locator('.step .output').count(), 0)
	assert.match(await type('SELECT count(*) FROM customers;'), /relation "customers" does not exist/)
})

pageTest('a server that does not start says so, and starting over asks again', async () => {
	const first = await open('doc/index.html')
	// whose complaints do not count
	const second = await first.context().newPage()
	const id = '01ARZ3NDEKTSV4RRFFQ69G5FAV'

	// by the host: what a browser's tool does to the requests of a thread that ends is not tested here
	broken = 'pglite.wasm'
	await second.goto(url())
	await second.fill('#id', id)
	await second.click('.step button')
	await second.fill('#sql', 'SELECT 1;')
	await second.press('#sql', 'Enter')
	for (const place of ['.step[data-state=failed] .error', '.entry[data-state=failed] .error', '#answer .error'])
		assert.match(await second.textContent(place), /fetch/, place)
	assert.match(await second.textContent('#status'), /PostgreSQL did not start: .*fetch/)

	broken = null
	await second.click('#start-over')
	await second.waitForFunction((id) => document.querySelector('#inspector').dataset.answered === id, id)
	assert.equal(await second.textContent('#answer tbody button'), 'ulid')
	// nothing is left of the server that was stopped
	await second.click('.step button')
	await second.click('#start-over')
	await ready(second)
	assert.equal(await second.locator('.step[data-state], .step .output').count(), 0)
	await first.context().close()
})

pageTest('text without JavaScript', async () => {
	const plain = await open('', { javaScriptEnabled: false })
	assert.match(await plain.innerText('body'), /needs JavaScript and WebAssembly/)
	assert.ok(await plain.locator('#tour pre').count() > 5)
	await plain.context().close()
})

pageTest('documents are found and read', async () => {
	const doc = await open('doc/inspecting.html')
	assert.equal(await doc.textContent('h1'), 'Looking at ids#')
	assert.ok(await doc.locator('nav.contents a').count() > 5)
	await doc.fill('#search input', 'uuid_safe_boundary')
	await doc.waitForSelector('#found a')
	await doc.press('#search input', 'Enter')
	await doc.waitForURL(/#/)
	assert.match(await doc.innerText('main'), /uuid_safe_boundary/)
	await doc.context().close()
})

pageTest('the sidebar has the groups of doc/index.md, and no line of code goes beyond the edge', async () => {
	const groups = fs.readFileSync(path.join(root, 'doc/index.md'), 'utf8').match(/^## .*/gm).map((line) => line.slice(3))
	const doc = await open('doc/partitions.html')

	assert.deepEqual(await doc.$$eval('nav.pages p', (titles) => titles.map((title) => title.textContent)), groups)
	assert.equal(await doc.getAttribute('nav.pages [aria-current]', 'href'), 'partitions.html')
	for (const width of [360, 1400]) {
		await doc.setViewportSize({ width, height: 1100 })
		const cut = await doc.$$eval('main pre:not(.columns)', (blocks) =>
			blocks.filter((block) => block.scrollWidth > block.clientWidth).map((block) => block.textContent))
		assert.deepEqual(cut, [])
	}
	await doc.context().close()
})

pageTest('a search that could not be loaded is loaded at the next letter', async () => {
	const first = await open('doc/index.html')
	const second = await first.context().newPage()

	await second.route('**/search.json', (route) => route.abort())
	await second.goto(url('doc/index.html'))
	await Promise.all([second.waitForEvent('requestfailed'), second.fill('#search input', 'uuid_safe_boundar')])
	await second.unroute('**/search.json')
	await second.fill('#search input', 'uuid_safe_boundary')
	assert.match(await second.textContent('#found a'), /\w/)
	await first.context().close()
})

pageTest('nothing is wider than the window, light and dark', async () => {
	const documents = await open('README.html')

	await page.click('#examples button >> nth=1')
	await page.click('.step button >> nth=2')
	await page.waitForSelector('.step:is([data-state=done], [data-state=failed]) >> nth=2')
	for (const [width, colorScheme] of [[360, 'light'], [800, 'dark'], [1400, 'light']]) {
		for (const [name, seen] of [['page', page], ['document', documents]]) {
			await seen.setViewportSize({ width, height: 1100 })
			await seen.emulateMedia({ colorScheme })
			assert.equal(await seen.evaluate(() => document.documentElement.scrollWidth), width, name)
			const ground = await seen.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
			assert.equal(ground !== 'rgb(255, 255, 255)', colorScheme === 'dark')
			for (const [n, place] of ['h1', '#tour', '#session, #reference'].entries()) {
				if (!SCREENSHOTS) continue
				await seen.locator(place).first().evaluate((element) => element.scrollIntoView())
				await seen.screenshot({ path: path.join(SCREENSHOTS, `${name}-${width}-${n + 1}.png`) })
			}
		}
	}
	await documents.context().close()
})

test('nobody else was asked, and nothing was missing', () => {
	const others = requests.filter((address) => !address.startsWith(url()) && !/^(data|blob):/.test(address))
	assert.ok(requests.length > 20)
	assert.deepEqual(others, [])
	assert.deepEqual(complaints, [])
})
