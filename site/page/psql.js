// What psql does with a text: statements, variables and backslash commands.

export const quoteLiteral = (text) => `'${text.replaceAll("'", "''")}'`
const quoteIdentifier = (text) => `"${text.replaceAll('"', '""')}"`

// Rows of a result that are shown: more of them are too much for a page.
const most = 1000

const token = new RegExp([
	String.raw`(?<comment>--[^\n]*)`,
	String.raw`(?<string>[eE]'(?:[^'\\]|\\[^]|'')*'?|'(?:[^']|'')*'?|"(?:[^"]|"")*"?|\$(?<tag>[A-Za-z_]\w*|)\$[^]*?(?:\$\k<tag>\$|$))`,
	String.raw`(?<cast>::)`,
	String.raw`:(?<quoted>['"])(?<quotedName>\w+)\k<quoted>`,
	String.raw`:(?<plainName>[A-Za-z_]\w*)`,
	String.raw`\\(?<command>[A-Za-z!?][^\s;\\]*)(?<argument>[^\n]*)`,
	String.raw`(?<word>[A-Za-z_\u0080-\uffff][\w$\u0080-\uffff]*)`,
	String.raw`(?<other>[^])`,
].join('|'), 'uy')

// Comments may stand in comments; some never end.
function endOfComment(text, from) {
	const edge = /\/\*|\*\//g
	let depth = 0

	edge.lastIndex = from
	for (let match; (match = edge.exec(text));) {
		depth += match[0] === '/*' ? 1 : -1
		if (depth === 0) return edge.lastIndex
	}
	return Infinity
}

// Semicolons between BEGIN ATOMIC and END belong to the statement.
function blockDepth(depth, words) {
	const word = words.at(-1)

	if (!/^create (or replace )?(function|procedure)/.test(words.slice(0, 4).join(' '))) return 0
	if (word === 'begin' || (word === 'case' && depth > 0)) return depth + 1
	return word === 'end' && depth > 0 ? depth - 1 : depth
}

// Yields { sql, command, argument }: a statement and the command that ends it,
// or one of them.  Variables are read as they are when the text is reached.  What
// nothing ends comes last, and is unfinished unless it is a comment.
export function* statements(text, variables) {
	let sql = '', words = [], parentheses = 0, depth = 0, at = 0, unfinished = false
	const take = (more) => {
		const statement = { sql: sql.trim(), ...more }
		sql = '', words = [], parentheses = 0, depth = 0, unfinished = false
		return statement
	}
	const known = (name, verbatim, quote) => (variables.has(name) ? quote(variables.get(name)) : verbatim)

	while (at < text.length) {
		if (text.startsWith('/*', at)) {
			const end = endOfComment(text, at)
			sql += text.slice(at, end)
			unfinished ||= end > text.length
			at = end
			continue
		}
		token.lastIndex = at
		const { 0: found, groups } = token.exec(text)
		at = token.lastIndex
		unfinished ||= !groups.comment && /\S/.test(found)

		if (groups.command) {
			yield take({ command: groups.command, argument: groups.argument.trim() })
		} else if (found === ';' && parentheses === 0 && depth === 0) {
			const statement = take({})
			if (statement.sql) yield statement
		} else if (groups.quotedName) {
			sql += known(groups.quotedName, found, groups.quoted === "'" ? quoteLiteral : quoteIdentifier)
		} else if (groups.plainName) {
			sql += known(groups.plainName, found, String)
		} else if (groups.comment) {
			// nothing of it is needed, and a statement may be nothing but it
		} else {
			if (groups.word) {
				words.push(found.toLowerCase())
				depth = blockDepth(depth, words)
			}
			parentheses = Math.max(0, parentheses + (found === '(' ? 1 : found === ')' ? -1 : 0))
			sql += found
		}
	}
	if (sql.trim()) yield take({ unfinished })
}

// Whether something ends the text, so that Enter runs it.
export function isComplete(text) {
	const last = [...statements(text, new Map())].at(-1)
	return last !== undefined && !last.unfinished
}

const unquote = (text) => text.replace(/\\n/g, '\n').replace(/\\([^])/g, '$1').replaceAll("''", "'")
const quotes = { '': String, "'": quoteLiteral, '"': quoteIdentifier }

// An argument of a command without its quotes, and with the values of variables
// that stand in none.
const expand = (argument, variables) =>
	argument.replace(/'((?:[^'\\]|\\[^]|'')*)'|"[^"]*"|:(['"]?)(\w+)\2/g, (found, text, quote, name) => {
		if (text !== undefined) return unquote(text)
		return variables.has(name) ? quotes[quote](variables.get(name)) : found
	})

// A session.  print() gets what there is to show: { table, expanded, footer },
// { text } or { error }.
export class Psql {
	variables = new Map()
	#expanded = false
	#server
	#last = Promise.resolve()

	constructor(server) {
		this.#server = server
	}

	// Whether all of the text ran without an error.  One text waits for the other:
	// their statements share a session, and perhaps a transaction.
	run(text, print) {
		this.#last = this.#last.then(() => this.#run(text, print)).catch((error) => {
			print({ error: error.message })
			return false
		})
		return this.#last
	}

	async #run(text, print) {
		let well = true
		for (const statement of statements(text, this.variables))
			well = (await this.#execute(statement, print)) && well
		return well
	}

	async #execute({ sql, command, argument }, print) {
		if (!sql) return this.#command(command, argument, print)

		const { results, notices, error } = await this.#server.query(sql)
		for (const notice of notices) print({ text: said(notice) })
		for (const result of results) if (command !== 'gset') this.#print(result, command === 'gx', print)
		if (error) {
			print({ error: said(error), sql, position: error.position })
			return false
		}
		switch (command) {
			case undefined:
			case 'g':
			case 'gx':
				return true
			case 'gset':
				return this.#set(results.at(-1), argument, print)
			default:
				return this.#command(command, argument, print)
		}
	}

	#print({ fields, rows, tag }, expanded, print) {
		if (!fields) print({ text: tag })
		else print({ table: { fields, rows: rows.slice(0, most) }, expanded: expanded || this.#expanded, footer: footer(rows.length) })
	}

	#set({ fields, rows }, prefix, print) {
		if (rows.length !== 1) {
			print({ error: rows.length ? 'more than one row returned for \\gset' : 'no rows returned for \\gset' })
			return false
		}
		fields.forEach(({ name }, n) => {
			if (rows[0][n] === null) this.variables.delete(prefix + name)
			else this.variables.set(prefix + name, rows[0][n])
		})
		print({ text: fields.map(({ name }, n) => `${prefix}${name} = ${rows[0][n] ?? ''}`).join('\n') })
		return true
	}

	async #command(command, argument, print) {
		const [name, value] = /^(\S*)\s*([^]*)$/.exec(argument).slice(1)
		// some commands may end as statements do
		const ended = argument.replace(/[\s;]+$/, '')

		switch (command) {
			case 'x':
				this.#expanded = ended ? /^(on|auto)$/.test(ended) : !this.#expanded
				return true
			case 'echo':
				print({ text: expand(argument, this.variables) })
				return true
			case 'set':
				this.variables.set(name, expand(value, this.variables))
				return true
			case 'unset':
				this.variables.delete(name)
				return true
			case 'g':
				return true
		}
		if (/^(d\w*\+?|h|l|sf|sv)[S+x]*$/.test(command)) return this.#describe(`\\${command} ${ended}`.trim(), print)
		print({ error: `\\${command}: this page has \\d and its family, \\sf, \\l, \\x, \\g, \\gx, \\gset, \\set, \\unset and \\echo` })
		return false
	}

	async #describe(command, print) {
		const { describe, describeDataToString } = await import('./vendor/psql-describe.js')
		const query = async (sql) => {
			const { results, error } = await this.#server.query(sql)
			if (error) throw new Error(error.text)
			return { fields: results.at(-1).fields, rows: results.at(-1).rows, rowCount: results.at(-1).rows.length }
		}
		try {
			await describe(command, 'postgres', query, (item) => print({ text: describeDataToString(item) })).promise
			return true
		} catch (error) {
			print({ error: error.message })
			return false
		}
	}
}

function footer(rows) {
	if (rows > most) return `(${most.toLocaleString('en')} of ${rows.toLocaleString('en')} rows)`
	return `(${rows} ${rows === 1 ? 'row' : 'rows'})`
}

function said({ severity, text, detail, hint }) {
	return [`${severity}:  ${text}`, detail && `DETAIL:  ${detail}`, hint && `HINT:  ${hint}`].filter(Boolean).join('\n')
}
