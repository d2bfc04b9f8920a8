// The thread that the server runs in, as its clients see it.

import { total } from './sizes.js'

export class Server {
	#worker = new Worker(new URL('worker.js', import.meta.url), { type: 'module' })
	#waiting = new Map()
	#asked = 0
	#stopped = null
	#notReady

	// onProgress gets how much of it has been loaded, of 1, and nothing when it has started.
	constructor(onProgress) {
		onProgress(0)
		this.ready = new Promise((resolve, reject) => {
			this.#notReady = reject
			this.#worker.onmessage = ({ data }) => {
				if (data.ready) {
					onProgress()
					resolve()
				} else if (data.failed) {
					this.stop(new Error(data.failed))
				} else if (data.loaded) {
					onProgress(data.loaded / total)
				} else {
					this.#waiting.get(data.number)?.resolve(data.answer)
					this.#waiting.delete(data.number)
				}
			}
			this.#worker.onerror = (event) => this.#fail(new Error(event.message || 'the worker could not be loaded'))
		})
	}

	// Nobody waits for what does not come.
	#fail(error) {
		this.#notReady(error)
		for (const { reject } of this.#waiting.values()) reject(error)
		this.#waiting.clear()
	}

	// One statement, or several without a transaction of their own.
	async query(sql) {
		await this.ready
		if (this.#stopped) throw this.#stopped
		const number = ++this.#asked
		return new Promise((resolve, reject) => {
			this.#waiting.set(number, { resolve, reject })
			this.#worker.postMessage({ number, sql })
		})
	}

	stop(error = new Error('PostgreSQL was stopped')) {
		this.#worker.terminate()
		this.#stopped = error
		this.#fail(error)
	}
}
