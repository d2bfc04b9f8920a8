// The thread that the server runs in, as its clients see it.

import { total } from './sizes.js'

export class Server {
	#worker = new Worker(new URL('worker.js', import.meta.url), { type: 'module' })
	#waiting = new Map()
	#asked = 0

	// onProgress gets how much of it has been loaded, of 1, and nothing when it has started.
	constructor(onProgress) {
		onProgress(0)
		this.ready = new Promise((resolve, reject) => {
			this.#worker.onmessage = ({ data }) => {
				if (data.ready) {
					onProgress()
					resolve()
				} else if (data.failed) {
					reject(new Error(data.failed))
				} else if (data.loaded) {
					onProgress(data.loaded / total)
				} else {
					this.#waiting.get(data.number)(data.answer)
					this.#waiting.delete(data.number)
				}
			}
			this.#worker.onerror = (event) => reject(new Error(event.message || 'the worker could not be loaded'))
		})
	}

	// One statement, or several without a transaction of their own.
	async query(sql) {
		await this.ready
		const number = ++this.#asked
		return new Promise((resolve) => {
			this.#waiting.set(number, resolve)
			this.#worker.postMessage({ number, sql })
		})
	}

	stop() {
		this.#worker.terminate()
	}
}
