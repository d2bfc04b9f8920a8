// Search in the documents: by their sections, which are loaded when they are needed.

import MiniSearch from './vendor/minisearch.js'

const input = document.querySelector('#search input'), found = document.querySelector('#found')
const top = new URL('.', import.meta.url)
let index

async function load() {
	const sections = await (await fetch(new URL('search.json', top))).json()
	const search = new MiniSearch({
		fields: ['heading', 'page', 'text'],
		storeFields: ['href', 'heading', 'page', 'text'],
		searchOptions: { boost: { heading: 4, page: 2 }, combineWith: 'AND', prefix: true, fuzzy: (term) => (term.length > 5 ? 0.2 : false) },
	})
	search.addAll(sections.map((section, id) => ({ id, ...section })))
	return search
}

// The words around the first that was found.
function excerpt({ text, terms }) {
	const at = Math.max(0, text.toLowerCase().search(new RegExp(terms.map((term) => term.replace(/\W/g, '\\$&')).join('|'))) - 50)
	return (at ? '… ' : '') + text.slice(at, at + 130) + (text.length > at + 130 ? ' …' : '')
}

function toItem(hit) {
	const link = Object.assign(document.createElement('a'), { href: new URL(hit.href, top), textContent: hit.page === hit.heading ? hit.page : `${hit.page}: ${hit.heading}` })
	link.append(Object.assign(document.createElement('small'), { textContent: excerpt(hit) }))
	const item = document.createElement('li')
	item.append(link)
	return item
}

async function show() {
	// what could not be loaded is asked for again
	index ??= load().catch((error) => {
		index = undefined
		throw error
	})
	const search = await index
	const query = input.value.trim()
	// sections with the very words stand first: a name such as uuid_boundary is three words to the index
	const boostDocument = (id, term, { heading, text }) => `${heading} ${text}`.includes(query) ? 10 : 1
	const hits = query ? search.search(query, { boostDocument }).slice(0, 12) : []

	found.replaceChildren(...hits.map(toItem))
	if (query && !hits.length) found.append(Object.assign(document.createElement('li'), { textContent: 'Nothing found.' }))
}

input.addEventListener('input', show)
document.querySelector('#search').addEventListener('submit', (event) => {
	event.preventDefault()
	found.querySelector('a')?.click()
})
document.querySelector('#search').addEventListener('keydown', (event) => {
	const links = [...found.querySelectorAll('a')], at = links.indexOf(document.activeElement)

	if (event.key === 'ArrowDown') links[Math.min(at + 1, links.length - 1)]?.focus()
	else if (event.key === 'ArrowUp') (links[at - 1] ?? input).focus()
	else if (event.key === 'Escape') {
		found.replaceChildren()
		input.focus()
	} else return
	event.preventDefault()
})
document.querySelector('#search').hidden = false
