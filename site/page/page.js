// The page: an id, the tour, a session.

import { describeFields, drawBits, readUuid } from './bits.js'
import { Psql, isComplete, quoteLiteral } from './psql.js'
import { Server } from './server.js'
import { total } from './sizes.js'

const find = (selector) => document.querySelector(selector)
const element = (name, properties = {}, ...children) => {
	const made = Object.assign(document.createElement(name), properties)
	made.append(...children)
	return made
}

const status = find('#status')
let server, psql

function showProgress(loaded) {
	const bar = find('#progress')

	bar.hidden = loaded === undefined
	if (bar.hidden) {
		status.textContent = 'PostgreSQL runs in this page.'
	} else if (loaded < 1) {
		bar.value = loaded
		status.textContent = `Loading PostgreSQL: ${Math.floor(loaded * total / 1e6)} of ${Math.ceil(total / 1e6)} MB`
	} else {
		bar.removeAttribute('value')
		status.textContent = 'Starting PostgreSQL …'
	}
	document.documentElement.dataset.server = bar.hidden ? 'ready' : 'starting'
}

function startServer() {
	server?.stop()
	const started = server = new Server(showProgress)
	psql = new Psql(server)
	document.documentElement.dataset.server = 'starting'
	started.ready.catch((error) => {
		if (started !== server) return
		find('#progress').hidden = true
		status.textContent = `PostgreSQL did not start: ${error.message}`
		document.documentElement.dataset.server = 'failed'
	})
}

// Results

function toTable({ fields, rows }, expanded) {
	const table = element('table', { className: expanded ? 'result expanded' : 'result' })
	const cell = (text) => (text === null ? element('td', { className: 'null' }) : element('td', { textContent: text }))

	if (expanded) {
		for (const row of rows) {
			const body = table.createTBody()
			fields.forEach(({ name }, n) => body.append(element('tr', {}, element('th', { scope: 'row', textContent: name }), cell(row[n]))))
		}
	} else {
		table.createTHead().append(element('tr', {}, ...fields.map(({ name }) => element('th', { scope: 'col', textContent: name }))))
		const body = table.createTBody()
		for (const row of rows) body.append(element('tr', {}, ...row.map(cell)))
	}
	return element('div', { className: 'scroll', tabIndex: 0 }, table)
}

function lineOfError({ sql, position }) {
	if (!position) return ''
	const before = [...sql].slice(0, position - 1).join('')
	const line = before.split('\n').length
	return `\nLINE ${line}: ${sql.split('\n')[line - 1].trim()}`
}

function printTo(output) {
	return (item) => {
		if (item.table) output.append(toTable(item.table, item.expanded), element('p', { className: 'footer', textContent: item.footer }))
		else if (item.error) output.append(element('pre', { className: 'error', textContent: item.error.replace(/$/m, () => lineOfError(item)) }))
		else output.append(element('pre', { textContent: item.text }))
	}
}

// An id

const toObjects = ({ fields, rows }) => rows.map((row) => Object.fromEntries(fields.map(({ name }, n) => [name, row[n]])))
// What else is around an id the server takes away: uidext_internal.uid_pasted().
const trim = (text) => text.trim()

async function ask(sql) {
	const { results, error } = await server.query(sql)
	// the session is the one below
	if (error?.code === '25P02') throw new Error('A transaction below has failed: ROLLBACK.')
	if (error) throw new Error([error.text, error.hint].filter(Boolean).join('. '))
	return results[0]
}

async function fieldsOf(text, { scheme, uuid }) {
	if (scheme === 'uuid') return readUuid(uuid).fields
	const { rows } = await ask(`SELECT coalesce(f.name, f.kind), substring(b.bits FROM f.at + 1 FOR f.bits), f.kind
		FROM uidext_internal.uid_scheme(${quoteLiteral(scheme)}) AS s,
			LATERAL (SELECT uidext_internal.uid_bits(uidext_internal.uid_pasted(${quoteLiteral(text)}), s) AS bits) AS b, unnest((s).fields) AS f
		ORDER BY f.at`)
	return describeFields(rows)
}

function drawPicture(caption, fields) {
	find('#picture').replaceChildren(element('figcaption', { textContent: caption }), ...drawBits(fields))
}

const caption = (layout, time) => (time ? `${layout}, made at ${time}` : layout)

// One row a reading, as uid_inspect() has them; each shows its bits.
function readingsTable(result, select) {
	const wrapper = toTable(result, false)

	wrapper.querySelectorAll('tbody tr').forEach((row, n) => {
		const button = element('button', { type: 'button', textContent: row.cells[0].textContent, title: 'show the bits of this reading' })
		button.setAttribute('aria-pressed', String(n === 0))
		button.onclick = () => {
			wrapper.querySelectorAll('button').forEach((other) => other.setAttribute('aria-pressed', String(other === button)))
			select(n)
		}
		row.cells[0].replaceChildren(button)
	})
	return wrapper
}

// Whether nothing else was asked meanwhile.
let asked = 0
function askOnce() {
	const mine = ++asked
	return () => mine === asked
}

async function readingsOf(text) {
	const readings = await ask(`SELECT scheme, "time", fields, uuid FROM public.uid_inspect(${quoteLiteral(text)})`)
	const objects = toObjects(readings)
	const uuid = objects.find(({ scheme }) => scheme === 'uuid')?.uuid
	const details = uuid && await ask(`SELECT * FROM public.uuid_inspect(${quoteLiteral(uuid)})`)
	const pictures = await Promise.all(objects.map(async (reading) => [
		caption(reading.scheme === 'uuid' ? readUuid(reading.uuid).layout : reading.scheme, reading.time), await fieldsOf(text, reading)]))
	return { readings, details, pictures }
}

function showReadings({ readings, details, pictures }) {
	const answer = find('#answer')
	const show = (n) => drawPicture(...pictures[n])

	answer.replaceChildren()
	if (!pictures.length) {
		find('#picture').replaceChildren()
		answer.append(element('p', { textContent: 'No reading: this is not a UUID in any spelling, not a TypeID, and not an id of the schemes that uid_schemes() lists.' }))
		return
	}
	show(0)
	answer.append(element('h3', { textContent: 'uid_inspect' }), readingsTable(readings, show))
	if (details) answer.append(element('h3', { textContent: 'uuid_inspect' }), toTable(details, true))
}

async function inspect(pasted) {
	const text = trim(pasted), answer = find('#answer'), isWanted = askOnce()
	const known = readUuid(text)

	answer.replaceChildren()
	find('#picture').replaceChildren()
	find('#inspector').dataset.answered = ''
	if (!text) return
	if (known) drawPicture(caption(known.layout, known.time), known.fields)
	if (document.documentElement.dataset.server === 'starting')
		answer.append(element('p', { textContent: 'All readings follow when PostgreSQL has started.' }))

	try {
		const found = await readingsOf(text)
		if (isWanted()) showReadings(found)
	} catch (error) {
		if (isWanted()) answer.replaceChildren(element('pre', { className: 'error', textContent: error.message }))
	}
	if (isWanted()) find('#inspector').dataset.answered = text
}

function setUpInspector() {
	const input = find('#id')
	let last = input.value

	find('#inspector').onsubmit = (event) => {
		event.preventDefault()
		last = input.value
		inspect(last)
	}
	// what is pasted is answered at once
	input.addEventListener('input', () => {
		if (trim(input.value) !== trim(last)) inspect(input.value)
		last = input.value
	})
	for (const example of document.querySelectorAll('#examples button')) {
		example.onclick = () => {
			input.value = last = example.value
			inspect(last)
			input.focus()
		}
	}
	if (input.value) inspect(input.value)
}

// The tour

const grow = (editor) => {
	editor.rows = Math.max(1, editor.value.split('\n').length)
}

const steps = []

// Earlier blocks that have not run yet are run first: later ones need what they make.
// What runs or waits already is not asked for again; psql takes one after the other.
function runTo(last) {
	for (const step of steps.slice(0, last)) if (!step.dataset.state) runStep(step)
	if (steps[last].dataset.state !== 'running') runStep(steps[last])
}

async function runStep(step) {
	const output = element('div', { className: 'output' })

	step.dataset.state = 'running'
	step.querySelector('.output')?.remove()
	step.append(output)
	output.setAttribute('role', 'status')
	const well = await psql.run(step.querySelector('textarea').value, printTo(output))
	// gone where somebody has started over meanwhile
	if (output.isConnected) step.dataset.state = well ? 'done' : 'failed'
}

function toStep(code, n) {
	const editor = element('textarea', { value: code.textContent.trimEnd(), spellcheck: false, autocapitalize: 'off' })
	const button = element('button', { type: 'button', textContent: 'Run' })
	const step = element('div', { className: 'step' }, editor, button)

	editor.setAttribute('aria-label', `SQL, block ${n + 1} of the tour`)
	grow(editor)
	editor.oninput = () => grow(editor)
	button.onclick = () => runTo(n)
	editor.onkeydown = (event) => {
		if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) button.click()
	}
	return step
}

function setUpTour() {
	document.querySelectorAll('#tour pre.run').forEach((block, n) => {
		const step = toStep(block, n)
		steps.push(step)
		block.replaceWith(step)
	})
	find('#run-all').onclick = () => runTo(steps.length - 1)
	find('#start-over').onclick = () => {
		startServer()
		for (const step of steps) {
			step.querySelector('.output')?.remove()
			delete step.dataset.state
		}
		find('#session').replaceChildren()
		inspect(find('#id').value)
	}
	find('#tour-controls').hidden = false
}

// A session

function setUpPsql() {
	const input = find('#sql'), session = find('#session')
	const history = []
	let place = 0

	const run = async () => {
		const text = input.value.trim()
		if (!text) return
		if (history.at(-1) !== text) history.push(text)
		place = history.length
		input.value = ''
		grow(input)

		const entry = element('div', { className: 'entry' }, element('pre', { className: 'typed', textContent: text }))
		session.append(entry)
		entry.dataset.state = 'running'
		entry.dataset.state = (await psql.run(text, printTo(entry))) ? 'done' : 'failed'
		input.scrollIntoView({ block: 'nearest' })
	}
	const recall = (by) => {
		place = Math.min(Math.max(place + by, 0), history.length)
		input.value = history[place] ?? ''
		grow(input)
	}

	input.oninput = () => grow(input)
	input.onkeydown = (event) => {
		const alone = input.selectionStart === input.selectionEnd

		if (event.key === 'Enter' && !event.shiftKey && (event.ctrlKey || event.metaKey || isComplete(input.value))) run()
		else if (event.key === 'ArrowUp' && alone && input.selectionStart === 0) recall(-1)
		else if (event.key === 'ArrowDown' && alone && input.selectionStart === input.value.length) recall(1)
		else return
		event.preventDefault()
	}
	find('#psql').onsubmit = (event) => {
		event.preventDefault()
		run()
	}
}

startServer()
setUpInspector()
setUpTour()
setUpPsql()
