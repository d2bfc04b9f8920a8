// Make the pages: node build.js SOURCE VERSION DIR.  script/site calls it, and
// has put the package for PGlite into DIR/uidext.

import fs from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { brokenLinks, chapter, contents, escape, htmlBlock, readDocument, readGroups, render, sections, unlisted } from './documents.js'

const [source, version, dir] = process.argv.slice(2)
const here = import.meta.dirname
const packages = createRequire(import.meta.url)
const read = (file) => fs.readFileSync(file, 'utf8')
const write = (name, text) => {
	fs.mkdirSync(path.dirname(path.join(dir, name)), { recursive: true })
	fs.writeFileSync(path.join(dir, name), text)
}
const copy = (file, name) => {
	fs.mkdirSync(path.dirname(path.join(dir, name)), { recursive: true })
	fs.copyFileSync(file, path.join(dir, name))
}
const fill = (template, values) => template.replace(/<!-- (\w+) -->/g, (_, name) => values[name] ?? '')

// The page's own files, and the parts of packages that it loads

function copyPage() {
	for (const name of fs.readdirSync(path.join(here, 'page')).filter((name) => !name.endsWith('.html'))) copy(path.join(here, 'page', name), name)
	copy(packages.resolve('psql-describe'), 'vendor/psql-describe.js')
	write('vendor/minisearch.js', read(path.join(here, 'node_modules/minisearch/dist/es/index.js')).replace(/^\/\/# sourceMappingURL.*$/m, ''))

	const pglite = path.join(here, 'node_modules/@electric-sql/pglite/dist')
	for (const name of fs.readdirSync(pglite).filter((name) => /^(index\.js|chunk-.*\.js|pglite\.wasm|pglite\.data|initdb\.wasm|initdb\.js)$/.test(name)))
		copy(path.join(pglite, name), `pglite/${name}`)

	// of all that the page contains: package.json has what only makes it under devDependencies
	for (const name of Object.keys(JSON.parse(read(path.join(here, 'package.json'))).dependencies)) {
		const from = path.join(here, 'node_modules', name)
		for (const file of fs.readdirSync(from).filter((file) => /^(license|notice)/i.test(file))) copy(path.join(from, file), `licenses/${name}/${file}`)
		if (!fs.existsSync(path.join(dir, 'licenses', name))) throw new Error(`${name} has no license`)
	}
	copy(path.join(source, 'LICENSE'), 'licenses/uidext/LICENSE')
}

// A database with the extension, so that a browser need not make one.
async function makeDatabase() {
	const { PGlite } = await import('@electric-sql/pglite')
	const { uidext } = await import(pathToFileURL(path.resolve(dir, 'uidext/index.js')))
	const server = await PGlite.create({ extensions: { uidext } })

	await server.exec("CREATE EXTENSION uidext; ALTER DATABASE postgres SET timezone = 'UTC'")
	const { rows } = await server.query('SHOW server_version')
	write('database.tar.gz', Buffer.from(await (await server.dumpDataDir('gzip')).arrayBuffer()))
	await server.close()
	return rows[0].server_version
}

// For the progress of loading: a host may compress the files.
function writeSizes() {
	const sizes = ['pglite/pglite.wasm', 'pglite/initdb.wasm', 'pglite/pglite.data', 'database.tar.gz'].map((name) => fs.statSync(path.join(dir, name)).size)
	write('sizes.js', `// bytes that worker.js loads\nexport const total = ${sizes.reduce((sum, size) => sum + size)}\n`)
}

// Documents

const index = 'doc/index.md'

function readDocuments() {
	const files = ['README.md', 'SECURITY.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'bench/README.md',
		...fs.readdirSync(path.join(source, 'doc')).filter((name) => name.endsWith('.md')).sort().map((name) => `doc/${name}`)]
	const pages = new Set(files)
	return files.map((file) => readDocument(file, read(path.join(source, file)), pages))
}

const toPage = (file) => file.replace(/\.md$/, '.html')

// The sidebar: the groups of doc/index.md.
function listPages(groups, from) {
	const item = ({ file, text }) => {
		const href = path.posix.relative(path.posix.dirname(from), toPage(file))
		return `<li><a href="${escape(href)}"${file === from ? ' aria-current="page"' : ''}>${escape(text)}</a></li>`
	}
	return groups.map(({ title, pages }) => `<p>${escape(title)}</p>\n<ul>${pages.map(item).join('\n')}</ul>`).join('\n')
}

function writeDocuments(documents) {
	const template = read(path.join(here, 'page/document.html'))
	const groups = readGroups(documents.find(({ file }) => file === index))

	for (const document of documents) {
		write(toPage(document.file), fill(template, {
			top: '../'.repeat(document.file.split('/').length - 1), pages: listPages(groups, document.file),
			title: escape(document.title), text: render(document.tokens), contents: contents(document) }))
	}
	write('search.json', JSON.stringify(documents.flatMap(sections)))
	for (const picture of new Set(documents.flatMap(({ linked }) => linked.filter((link) => link.picture).map(({ file }) => file))))
		copy(path.join(source, picture), picture)
}

// The README's tour: blocks of plain SQL run, except those below the comment
// "C edition", which cannot run here.  Other blocks are only shown.
function tour(readme) {
	const tokens = chapter(readme, 'Tour')
	const isMark = (token) => token?.type === 'html_block' && token.content.trim() === '<!-- C edition -->'
	const isRun = (token, n) => token.type === 'fence' && token.info.trim() === 'sql' && !isMark(tokens[n - 1])

	if (!tokens.some(isRun)) throw new Error(`${readme.file} has no SQL in its tour`)
	return render(tokens.map((token, n) => {
		if (isRun(token, n)) return htmlBlock(`<pre class="run" tabindex="0">${escape(token.content)}</pre>\n`)
		if (isMark(token)) return htmlBlock('<p class="note">This needs the C edition.</p>\n')
		return token
	}))
}

fs.mkdirSync(dir, { recursive: true })
copyPage()
const server = await makeDatabase()
writeSizes()

const documents = readDocuments()
const broken = brokenLinks(documents, (file) => fs.existsSync(path.join(source, file)))
if (broken.length) {
	console.error(`error: links that lead nowhere:\n${broken.join('\n')}`)
	process.exit(1)
}
const missing = unlisted(documents, documents.find(({ file }) => file === index))
if (missing.length) {
	console.error(`error: ${index} has not exactly one line for each of\n${missing.join('\n')}`)
	process.exit(1)
}
writeDocuments(documents)
write('index.html', fill(read(path.join(here, 'page/index.html')), { tour: tour(documents[0]), server, version }))
