/** One start of a store in a process of its own: import, open, load what is open, fold. Prints its times as JSON. */
import { performance } from 'node:perf_hooks'

const began = performance.now()
const { openStore } = await import('../../src/store/open-store.ts')
const { benchCodec } = await import('./sample-codec.ts')
const imported = performance.now()

const opened = await openStore({ root: process.argv[2] ?? '', codec: benchCodec })
if (!opened.ok) throw new Error('the store is held')
const { store } = opened
let folded = 0
let tail = 0
for (const { stream, version } of await store.log.streams({ open: true })) {
  const snapshot = await store.log.loadSnapshot(stream)
  let count = (snapshot?.state as { count: number } | undefined)?.count ?? 0
  for (const entry of await store.log.read(stream, snapshot?.version ?? 0, 10_000)) {
    count += entry.version > 0 ? 1 : 0
    tail += 1
  }
  if (count !== version) throw new Error(`${stream} folded to ${count}, not ${version}`)
  folded += count
}
const done = performance.now()
await store.close()
console.log(
  JSON.stringify({ import_ms: imported - began, open_ms: done - imported, whole_ms: done, folded, tail }),
)
