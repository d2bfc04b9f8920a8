// What psql.js makes of a text, without a browser.

import assert from 'node:assert/strict'
import path from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'

const { Psql, isComplete } = await import(pathToFileURL(path.join(process.env.SITE, 'psql.js')))

const answerOf = (rows) => ({ results: [{ fields: [{ name: 'n', type: 23 }], rows, tag: `SELECT ${rows.length}` }], notices: [], error: null })

// What a session is asked and what it shows; answer() is the server.
function open(answer = () => answerOf([])) {
	const asked = [], shown = []
	const psql = new Psql({
		async query(sql) {
			asked.push(sql)
			await new Promise(setImmediate)
			return answer(sql)
		},
	})
	return { asked, shown, run: (text) => psql.run(text, (item) => shown.push(item)) }
}

test('one text waits for the other', async () => {
	const { asked, run } = open()
	assert.deepEqual(await Promise.all([run('BEGIN; SELECT 1; COMMIT;'), run('SELECT 2; SELECT 3;')]), [true, true])
	assert.deepEqual(asked, ['BEGIN', 'SELECT 1', 'COMMIT', 'SELECT 2', 'SELECT 3'])
})

test('where there is no server the text says so, and the next is asked again', async () => {
	let error = new Error('gone')
	const { asked, shown, run } = open(() => {
		if (error) throw error
		return answerOf([['1']])
	})
	assert.equal(await run('SELECT 1; SELECT 2;'), false)
	assert.deepEqual(shown, [{ error: 'gone' }])
	error = null
	assert.equal(await run('SELECT 3;'), true)
	assert.deepEqual(asked, ['SELECT 1', 'SELECT 3'])
})

test('of a large result the first rows are shown', async () => {
	const { shown, run } = open((sql) => answerOf(Array.from({ length: Number(/\d+/.exec(sql)) }, (_, n) => [String(n + 1)])))
	await run('SELECT 1; SELECT 1000; SELECT 200000;')
	assert.deepEqual(shown.map(({ footer }) => footer), ['(1 row)', '(1000 rows)', '(1,000 of 200,000 rows)'])
	assert.deepEqual(shown.map(({ table }) => table.rows.length), [1, 1000, 1000])
	assert.deepEqual(shown[2].table.rows.at(-1), ['1000'])
})

test('Enter runs what is complete', () => {
	const complete = [
		'SELECT 1;',
		'SELECT 1; ',
		'SELECT 1; -- ;',
		'SELECT 1; /* done */',
		'SELECT 1 \\gx',
		'\\d orders',
		'\\set a 1\nSELECT :a;',
		"SELECT '\\x00';",
		'SELECT 1);',
		'CREATE FUNCTION f() RETURNS int LANGUAGE sql BEGIN ATOMIC SELECT 1; END;',
	]
	const unfinished = [
		'',
		'SELECT 1',
		"SELECT uuid_encrypt(id, '\\x00',",
		"SELECT uuid_encrypt(id, '\\x00",
		"SELECT ';",
		'SELECT (1;',
		'DO $$ BEGIN;',
		'SELECT 1; /* ;',
		'SELECT 1; SELECT 2',
		'SELECT 1; -- ;\nSELECT',
		'-- ;',
		'CREATE FUNCTION f() RETURNS int LANGUAGE sql BEGIN ATOMIC SELECT 1;',
		'\\d orders\nSELECT',
	]
	assert.deepEqual(complete.filter((text) => !isComplete(text)), [])
	assert.deepEqual(unfinished.filter(isComplete), [])
})

test('commands read their arguments as psql does', async () => {
	const { shown, run } = open(() => answerOf([['1']]))
	const expanded = async (text) => {
		await run(`${text}\nSELECT 1;`)
		return shown.at(-1).expanded
	}
	const said = async (text) => {
		await run(text)
		return shown.at(-1).text
	}
	assert.deepEqual([await expanded('\\x;'), await expanded('\\x off;'), await expanded('\\x auto'), await expanded('\\x'), await expanded('\\x on;')],
		[true, false, true, false, true])
	assert.equal(await said('\\set a 1\n\\echo :a'), '1')
	assert.equal(await said("\\set b :a\n\\set a 2\n\\echo :b :'b' ':b' \":b\" :nothing;"), "1 '1' :b \":b\" :nothing;")
	assert.equal(await said("\\set c 'it''s\\n'\n\\echo :c"), "it's\n")
})
