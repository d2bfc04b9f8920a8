// Who serves the page hands on packages of others, whose licenses want to go along.

import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'

for (const [part, name, words] of [
	['pglite/index.js', '@electric-sql/pglite', /Apache License/],
	['vendor/minisearch.js', 'minisearch', /Permission is hereby granted, free of charge/],
	['vendor/psql-describe.js', 'psql-describe', /Permission to use, copy, modify/],
	['uidext/index.js', 'uidext', /Permission to use, copy, modify/],
])
	test(`${part} comes with the license of ${name}`, () => {
		const dir = path.join(process.env.SITE, 'licenses', name)

		assert.ok(fs.existsSync(path.join(process.env.SITE, part)), `${part} is there`)
		assert.match(fs.readdirSync(dir).map((file) => fs.readFileSync(path.join(dir, file), 'utf8')).join('\n'), words)
	})
