/**
 * Passes on the check-ins that a worker could leave in its outbox only, since its sandbox lets it write nowhere else, and
 * removes the messages that it has read. Who may say what is decided where all check-ins are taken in, by their token.
 */
import { lstatSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { atomicWriteSync } from '../../lib/files/atomic-write.ts'
import { readReportFile } from '../command/report-file.ts'
import type { WorkerJob } from '../worker-folder.ts'

/** Short, since a worker often ends soon after its last check-in. */
const LOOK_MS = 250
/** In one look: the rest waits for the next. */
const MOST = 50

/** Looks several times a second, and once more when it is closed. */
export function passOnCheckins({ worker, outbox, env }: Pick<WorkerJob, 'worker' | 'outbox' | 'env'>): {
  readonly close: () => void
} {
  const coordination = env['BOSUN_COORDINATION']
  if (!outbox || coordination === undefined) return { close: () => undefined }
  const look = (): void => {
    try {
      // An agent that cleans its clone (`git clean -fdx`) still has a place for its report.
      if (lstatSync(outbox, { throwIfNoEntry: false }) === undefined) mkdirSync(outbox, { mode: 0o700 })
      passOn({ worker, coordination, from: join(outbox, 'checkins') }, outbox)
    } catch {
      // The disk is full, or the clone is gone: what is left there is tried again.
    }
  }
  const timer = setInterval(look, LOOK_MS)
  return {
    close: () => {
      clearInterval(timer)
      look()
    },
  }
}

interface Relay {
  readonly worker: string
  readonly coordination: string
  readonly from: string
}

function passOn({ worker, coordination, from }: Relay, outbox: string): void {
  if (!isFolder(outbox) || !isFolder(from)) return
  const names = readdirSync(from)
  for (const name of names.filter((one) => /^\.read-\d{1,6}$/.test(one)).slice(0, MOST)) {
    rmSync(join(coordination, 'worker-messages', worker, `${name.slice('.read-'.length)}.txt`), {
      force: true,
    })
    rmSync(join(from, name), { force: true })
  }
  const isOwn = (name: string): boolean =>
    name.startsWith(`${worker}-`) && /^\d{8}T\d{6}Z-\d+\.json$/.test(name.slice(worker.length + 1))
  for (const name of names.filter(isOwn).sort().slice(0, MOST)) {
    const { text } = readReportFile(join(from, name))
    const to = join(coordination, 'worker-checkins')
    mkdirSync(to, { recursive: true, mode: 0o700 })
    // What is no readable file is not worth keeping either.
    if (text !== null) atomicWriteSync(join(to, name), text)
    rmSync(join(from, name), { recursive: true, force: true })
  }
}

/** Links are not followed. */
const isFolder = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true
