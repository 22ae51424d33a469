/** The daemon's own server on a filled store, in this process: everything is real but the world of the plans, which stands still. */
import { Host } from '../../../src/app/host/host.ts'
import { logCodec, type LogEvent } from '../../../src/core/log/log-events.ts'
import { systemClock } from '../../../src/lib/system/system-clock.ts'
import type { WorkDiffs } from '../../../src/ports/checkouts.ts'
import type { Transcripts } from '../../../src/ports/transcript.ts'
import { serve, type Serving } from '../../../src/server/serve.ts'
import { openStore, type Store } from '../../../src/store/open-store.ts'
import { aMachine } from '../../helpers/a-machine.ts'
import { stillWorld } from './still-world.ts'

export interface ServedParts {
  readonly root: string
  readonly transcripts: Transcripts
  readonly diffs: WorkDiffs
  readonly onError: (what: string, error: unknown) => void
}

export function serveStore({ root, transcripts, diffs, onError }: ServedParts): Promise<Serving> {
  return serve<Store<LogEvent>>({
    version: '0.0.0-test',
    build: 'test',
    port: null,
    onError,
    openStore: async () => {
      const opened = await openStore({ root, codec: logCodec })
      if (!opened.ok) throw new Error('the store is held')
      return opened.store
    },
    openHost: ({ log, repositories, notes }, { root: home, secret }) =>
      Host.open({
        root: home,
        secret,
        log,
        repositories,
        notes,
        clock: systemClock,
        onError,
        transcripts,
        worldFor: async () => stillWorld(),
        diffsOf: async () => diffs,
        caretakerOf: async () => null,
        stopOrphans: async () => undefined,
        detach: async () => undefined,
        machineIn: async () => aMachine(),
      }),
  })
}
