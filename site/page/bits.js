// The bits of an id by field, and a picture of them.  A UUID says by itself what
// its fields are; of other ids the server says it.

const gregorian = '48 time, 4 version, 12 time, 2 variant, 14 clock sequence, 48 node'
const hash = '48 hash, 4 version, 12 hash, 2 variant, 62 hash'
const unknown = '48 unknown, 4 version, 12 unknown, 2 variant, 62 unknown'

// by the layouts of uuid_inspect()
const layouts = {
	nil: '128 zero',
	max: '128 one',
	boundary: '48 time, 80 zero',
	iUID: '48 time, 4 version, 4 layout version, 8 country, 2 variant, 8 service entity, 54 random',
	'iUID, layout': '48 time, 4 version, 4 layout version, 8 unknown, 2 variant, 62 unknown',
	UUIDv1: '32 time, 16 time, 4 version, 12 time, 2 variant, 14 clock sequence, 48 node',
	UUIDv2: '32 local id, 16 time, 4 version, 12 time, 2 variant, 6 clock sequence, 8 domain, 48 node',
	UUIDv3: hash,
	'UUIDv4 or COMB': '48 random or time, 4 version, 12 random, 2 variant, 62 random',
	UUIDv5: hash,
	UUIDv6: gregorian,
	UUIDv7: '48 time, 4 version, 12 fraction or random, 2 variant, 62 random',
	UUIDv8: '48 custom, 4 version, 12 custom, 2 variant, 62 custom',
	'Lambert v13': gregorian,
}

// The five colours of the picture, by the name of a field or its beginning.
const kinds = [
	['time', /^(time|fraction|subsec|days|ticks)/],
	['fixed', /^(version|variant|zero|one|layout|unknown)/],
	['place', /^(country|service|node|worker|machine|datacenter|shard|process|pid|fingerprint|domain|local)/],
	['count', /^(sequence|counter|count|increment|clock)/],
]
const kindOf = (name) => (kinds.find(([, names]) => names.test(name)) ?? ['random'])[0]

const number = (bits) => BigInt(`0b${bits}`)

// As timestamptz in UTC is written, of microseconds since 1970.
function timestamp(us) {
	const ms = us / 1000n - (us % 1000n < 0n ? 1n : 0n)
	const [, year, rest] = /^\+?0*(\d{4,})(-.*)\....Z$/.exec(new Date(Number(ms)).toISOString())
	const fraction = String(((us % 1000000n) + 1000000n) % 1000000n).padStart(6, '0').replace(/0+$/, '')
	return `${year}${rest.replace('T', ' ')}${fraction && '.'}${fraction}+00`
}

// Of layouts to come no more than the time is known, and that it is before 2109.
function layoutOf8(bits) {
	const layout = number(bits.slice(52, 56))

	if (layout === 0n) return 'iUID'
	return bits.startsWith('000000') ? `iUID, layout ${layout}` : 'UUIDv8'
}

function layoutOf(bits) {
	const version = Number(number(bits.slice(48, 52)))

	if (!bits.includes('1')) return 'nil'
	if (!bits.includes('0')) return 'max'
	if (!bits.slice(48).includes('1')) return 'boundary'
	if (bits.slice(64, 66) !== '10') return 'unknown'
	if (version === 8) return layoutOf8(bits)
	if (version === 4) return 'UUIDv4 or COMB'
	if (version === 13) return 'Lambert v13'
	return version >= 1 && version <= 8 ? `UUIDv${version}` : 'unknown'
}

function timeOf(bits, layout) {
	const sinceGregory = (text) => timestamp((number(text) / 10n) - 12219292800000000n)

	if (layout.startsWith('iUID')) return timestamp(number(bits.slice(0, 48)) * 1000n)
	switch (layout) {
		case 'UUIDv7':
		case 'boundary':
			return timestamp(number(bits.slice(0, 48)) * 1000n)
		case 'UUIDv1':
			return sinceGregory(bits.slice(52, 64) + bits.slice(32, 48) + bits.slice(0, 32))
		case 'UUIDv6':
		case 'Lambert v13':
			return sinceGregory(bits.slice(0, 48) + bits.slice(52, 64))
	}
	return null
}

// As uid_inspect() writes it, but that hex is marked: its digits may all be decimal.
function value(bits, written) {
	if (/^(number|version[47])$/.test(written)) return String(number(bits))
	if (written === 'base36') return number(bits).toString(36).padStart(Math.floor(bits.length / 5), '0')
	if (bits.length < 4) return bits
	return `0x${number(bits).toString(16).padStart(Math.ceil(bits.length / 4), '0')}`
}

// fields: [name, bits as 0 and 1, kind as the server's schemes have it], first to last
export function describeFields(fields) {
	return fields.map(([name, bits, written]) => ({ name, bits, kind: kindOf(name), value: value(bits, written) }))
}

// The fields of UUIDs that are numbers.
const numbers = /^(country|service|version|layout|clock|local|domain)/

// What a UUID says of itself, before anybody is asked; null for any other text.
export function readUuid(text) {
	const digits = /^(?:\{((?:[0-9a-f]{4}-?){7}[0-9a-f]{4})\}|((?:[0-9a-f]{4}-?){7}[0-9a-f]{4}))$/i.exec(text)
	if (!digits) return null

	const bits = [...(digits[1] ?? digits[2]).replaceAll('-', '')].map((digit) => parseInt(digit, 16).toString(2).padStart(4, '0')).join('')
	const layout = layoutOf(bits)
	let at = 0
	const fields = (layouts[layout.replace(/ \d+$/, '')] ?? (bits.slice(64, 66) === '10' ? unknown : '128 unknown')).split(', ').map((field) => {
		const [, length, name] = /^(\d+) (.*)$/.exec(field)
		return [name, bits.slice(at, (at += Number(length))), numbers.test(name) ? 'number' : 'hex']
	})
	return { layout, time: timeOf(bits, layout), fields: describeFields(fields) }
}

const element = (name, className, text) => Object.assign(document.createElement(name), { className, textContent: text ?? '' })

// The bits for the eye, and a table that says the same in words.
export function drawBits(fields) {
	const grid = element('div', 'bits')
	const table = element('table', 'fields')
	const body = table.createTBody()
	let at = 0

	grid.setAttribute('aria-hidden', 'true')
	table.createTHead().insertRow().append(...['field', 'bits', 'from', 'value'].map((name) => Object.assign(element('th', '', name), { scope: 'col' })))
	for (const { name, bits, kind, value } of fields) {
		[...bits].forEach((bit, n) => {
			const cell = element('span', `bit ${kind}${n === 0 ? ' first' : ''}`, bit)
			cell.title = `${name}, bit ${at + n}`
			grid.append(cell)
		})
		const row = body.insertRow()
		const heading = Object.assign(element('th', ''), { scope: 'row' })
		heading.append(element('span', `swatch ${kind}`), name)
		row.append(heading, element('td', 'count', bits.length), element('td', 'count', at), element('td', 'value', value))
		at += bits.length
	}
	return [grid, table]
}
