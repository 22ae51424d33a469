/**
 * Passes on the check-ins that a worker could leave in its outbox only, since its sandbox lets it write nowhere else, and
 * removes the messages that it has read. Who may say what is decided where all check-ins are taken in, by their token.
 */
import { lstatSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { atomicWriteSync } from '../../lib/files/atomic-write.ts'
import { HeldFolder } from '../../lib/files/held-folder.ts'
import { isRecord, jsonIn } from '../../lib/text/json.ts'
import type { Redactor } from '../../lib/text/redactor.ts'
import { readReportIn } from '../command/report-file.ts'
import type { WorkerJob } from '../worker-folder.ts'

/** Short, since a worker often ends soon after its last check-in. */
const LOOK_MS = 250
/** In one look: the rest waits for the next. */
const MOST = 50

/** Looks several times a second, and once more when it is closed. */
export function passOnCheckins(
  { worker, outbox, env }: Pick<WorkerJob, 'worker' | 'outbox' | 'env'>,
  hide: Redactor,
): { readonly close: () => void } {
  const coordination = env['BOSUN_COORDINATION']
  if (!outbox || coordination === undefined) return { close: () => undefined }
  const look = (): void => {
    try {
      // An agent that cleans its clone (`git clean -fdx`) still has a place for its report.
      if (lstatSync(outbox, { throwIfNoEntry: false }) === undefined) mkdirSync(outbox, { mode: 0o700 })
      using folder = HeldFolder.open(outbox)
      if (!folder.names().includes('checkins')) return
      using from = folder.folder('checkins')
      passOn(worker, { from, coordination, hide })
    } catch {
      // The disk is full, the clone is gone, or there is a link in its place: what is left there is tried again.
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

/** Through folders that are held, since the worker may put a link in the place of each at any time. */
function passOn(
  worker: string,
  { from, coordination, hide }: { from: HeldFolder; coordination: string; hide: Redactor },
): void {
  const names = from.names()
  for (const name of names.filter((one) => /^\.read-\d{1,6}$/.test(one)).slice(0, MOST)) {
    rmSync(join(coordination, 'worker-messages', worker, `${name.slice('.read-'.length)}.txt`), {
      force: true,
    })
    from.remove(name)
  }
  const isOwn = (name: string): boolean =>
    name.startsWith(`${worker}-`) && /^\d{8}T\d{6}Z-\d+\.json$/.test(name.slice(worker.length + 1))
  for (const name of names.filter(isOwn).sort().slice(0, MOST)) {
    const { text } = readReportIn(from, name)
    const to = join(coordination, 'worker-checkins')
    mkdirSync(to, { recursive: true, mode: 0o700 })
    // What is no readable file is not worth keeping either.
    if (text !== null) atomicWriteSync(join(to, name), checkinText(text, hide))
    from.remove(name)
  }
}

/** Its token says whose it is; nothing else in it may hold one. */
function checkinText(text: string, hide: Redactor): string {
  const checkin = jsonIn(text)
  if (!isRecord(checkin)) return hide.text(text)
  const { token, ...said } = checkin
  return JSON.stringify({ ...hide.inAll(said), ...(token === undefined ? {} : { token }) })
}
