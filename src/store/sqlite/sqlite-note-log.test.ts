import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describeNoteLog } from '../../../test/conformance/note-log.conformance.ts'
import { openStore } from '../open-store.ts'
import { sampleCodec } from '../../../test/helpers/store-events.ts'

async function openAt(root: string) {
  const opened = await openStore({ root, codec: sampleCodec })
  if (!opened.ok) throw new Error('held')
  return opened.store
}

describeNoteLog('notes in SQLite', async () => {
  const root = await mkdtemp(join(tmpdir(), 'bosun-checkins-'))
  let store = await openAt(root)
  return {
    log: store.notes,
    reopen: async () => {
      await store.close()
      store = await openAt(root)
      return store.notes
    },
    dispose: async () => {
      await store.close()
      await rm(root, { recursive: true })
    },
  }
})
