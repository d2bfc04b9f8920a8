// Markdown to HTML: documents with links between them, and sections to search.

import { posix as path } from 'node:path'
import GithubSlugger from 'github-slugger'
import MarkdownIt from 'markdown-it'

const plain = (inline) => (inline.children ?? []).filter(({ type }) => /^(text|code_inline|softbreak)$/.test(type)).map(({ type, content }) => (type === 'softbreak' ? ' ' : content)).join('')
const markdown = new MarkdownIt({ html: true })
export const escape = markdown.utils.escapeHtml

markdown.renderer.rules.heading_open = (tokens, n, options, env, self) => self.renderToken(tokens, n, options)
markdown.renderer.rules.heading_close = (tokens, n, options, env, self) => {
	const id = tokens[n - 2].attrGet('id')
	return `<a class="anchor" href="#${escape(id)}" aria-label="Link to this section">#</a>${self.renderToken(tokens, n, options)}`
}
// Lines of code break at the edge of the page.  Results in columns do not, since
// they would be unreadable: they scroll.
const fence = markdown.renderer.rules.fence
markdown.renderer.rules.fence = (tokens, n, ...others) => {
	const isResult = !tokens[n].info && /^-+[-+]*$/m.test(tokens[n].content)
	return fence(tokens, n, ...others).replace(/^<pre>/, isResult ? '<pre class="columns">' : '<pre>')
}
// wide ones scroll by themselves
markdown.renderer.rules.table_open = () => '<div class="table"><table>\n'
markdown.renderer.rules.table_close = () => '</table></div>\n'

function giveIds(tokens) {
	const slugger = new GithubSlugger()

	tokens.forEach((token, n) => {
		if (token.type === 'heading_open') token.attrSet('id', slugger.slug(plain(tokens[n + 1])))
	})
}

// A link to a document leads to its page, a picture comes along; what stands in
// the repository alone is no link.  Returns the files that are linked.
function resolveLinks(tokens, file, pages) {
	const linked = []

	for (const { children } of tokens) {
		let unlinked = false
		for (const token of children ?? []) {
			const name = token.type === 'image' ? 'src' : 'href'
			const target = token.attrGet(name)

			if (token.type === 'link_close' && unlinked) {
				Object.assign(token, { type: 'html_inline', content: '</span>' })
				unlinked = false
			}
			if (!target || /^[a-z]+:/.test(target)) continue
			const [link, fragment] = target.split('#')
			const wanted = link ? path.join(path.dirname(file), link) : file
			if (pages.has(wanted)) {
				token.attrSet(name, (link && link.replace(/\.md$/, '.html')) + (fragment === undefined ? '' : `#${fragment}`))
				linked.push({ file: wanted, fragment })
			} else if (token.type === 'image') {
				linked.push({ file: wanted, picture: true })
			} else {
				Object.assign(token, { type: 'html_inline', content: '<span title="a file of the source">' })
				linked.push({ file: wanted, source: true })
				unlinked = true
			}
		}
	}
	return linked
}

// { file, title, tokens, headings, linked }
export function readDocument(file, text, pages) {
	const tokens = markdown.parse(text, {})

	giveIds(tokens)
	const headings = tokens.flatMap((token, n) => (token.type === 'heading_open'
		? [{ level: Number(token.tag[1]), id: token.attrGet('id'), text: plain(tokens[n + 1]) }] : []))
	return { file, title: headings[0]?.text ?? file, tokens, headings, linked: resolveLinks(tokens, file, pages) }
}

export const htmlBlock = (content) => ({ type: 'html_block', content })

export const render = (tokens) => markdown.renderer.render(tokens, markdown.options, {})

export function contents({ headings }) {
	const items = headings.filter(({ level }) => level === 2 || level === 3)
		.map(({ level, id, text }) => `<li class="level${level}"><a href="#${escape(id)}">${escape(text)}</a></li>`)
	return items.length ? `<ul>${items.join('\n')}</ul>` : ''
}

// The lists of a document by its headings of the second level.  Each line begins
// with a link to a page: { title, pages: [{ file, text }] }.
export function readGroups({ file, tokens }) {
	const groups = []

	tokens.forEach((token, n) => {
		if (token.type === 'heading_open' && token.tag === 'h2') groups.push({ title: plain(tokens[n + 1]), pages: [] })
		if (token.type !== 'list_item_open') return
		const [link, text] = tokens[n + 2].children
		groups.at(-1).pages.push({ file: path.join(path.dirname(file), link.attrGet('href').replace(/\.html$/, '.md')), text: text.content })
	})
	return groups
}

// The documents that have no line in the list, or more than one.
export function unlisted(documents, list) {
	const listed = readGroups(list).flatMap(({ pages }) => pages.map(({ file }) => file))
	return documents.map(({ file }) => file).filter((file) => file !== list.file && listed.filter((one) => one === file).length !== 1)
}

// What stands between two headings.
export function sections({ file, title, tokens }) {
	const found = []
	let section

	tokens.forEach((token, n) => {
		if (token.type === 'heading_open') {
			section = { href: `${file.replace(/\.md$/, '.html')}#${token.attrGet('id')}`, page: title, heading: plain(tokens[n + 1]), text: '' }
			found.push(section)
		} else if (section && token.type === 'inline' && tokens[n - 1].type !== 'heading_open') {
			section.text += `${plain(token)} `
		} else if (section && token.type === 'fence') {
			section.text += `${token.content} `
		}
	})
	return found.map((one) => ({ ...one, text: one.text.replace(/\s+/g, ' ').trim() }))
}

// The tokens below a heading of the second level, up to the next.
export function chapter({ tokens, file }, title) {
	const start = tokens.findIndex((token, n) => token.type === 'heading_open' && token.tag === 'h2' && plain(tokens[n + 1]) === title)
	if (start < 0) throw new Error(`${file} has no chapter "${title}"`)
	const end = tokens.findIndex((token, n) => n > start && token.type === 'heading_open' && token.tag <= 'h2')
	return tokens.slice(start + 3, end < 0 ? undefined : end)
}

// Links that lead nowhere.
export function brokenLinks(documents, exists) {
	const ids = new Map(documents.map(({ file, headings }) => [file, new Set(headings.map(({ id }) => id))]))

	return documents.flatMap(({ file, linked }) => linked
		.filter((link) => (ids.has(link.file) ? link.fragment && !ids.get(link.file).has(link.fragment) : !exists(link.file)))
		.map((link) => `${file}: ${link.file}${link.fragment ? `#${link.fragment}` : ''}`))
}

