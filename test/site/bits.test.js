// The picture's fields, without a browser.

import assert from 'node:assert/strict'
import path from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'

const { describeFields, readUuid } = await import(pathToFileURL(path.join(process.env.SITE, 'bits.js')))

const valuesOf = (fields) => fields.map(({ name, value }) => `${name} ${value}`)

test('numbers are decimal, base 36 is its digits, other hex is marked', () => {
	assert.deepEqual(valuesOf(describeFields([
		['node', '0000010000', 'number'],
		['counter', '000000000000000100100', 'base36'],
		['machine', '000000010000', 'hex'],
		['time', '00010000', 'time'],
		['version', '0100', 'version4'],
		['variant', '10', 'variant'],
	])), ['node 16', 'counter 0010', 'machine 0x010', 'time 0x10', 'version 4', 'variant 10'])
})

test('so they are in UUIDs', () => {
	assert.deepEqual(valuesOf(readUuid('c232ab00-9414-11ec-b3c8-9f6bdeced846').fields),
		['time 0xc232ab00', 'time 0x9414', 'version 1', 'time 0x1ec', 'variant 10', 'clock sequence 13256', 'node 0x9f6bdeced846'])
	assert.deepEqual(valuesOf(readUuid('018c22ac-d000-8037-a940-000000000000').fields).slice(2, 4), ['layout version 0', 'country 55'])
})
