// The SQL edition as an extension of PGlite.
export const uidext = {
	name: 'uidext',
	setup: async () => ({ bundlePath: new URL('./uidext.tar.gz', import.meta.url) }),
}
