/** For commands that only read: from the daemon if one responds, else from the database, with a notice. */
import { localMoment } from '../lib/system/local-time.ts'
import type { Asked, Read, ReadPath } from '../client/daemon.ts'
import type { DaemonFacts } from '../protocol/answers.ts'
import type { Call } from './command.ts'
import { ago } from './text.ts'
import type { Offline, Reading } from './services.ts'
import type { Style } from './terminal/terminal.ts'

/** The source to read from. Prints the offline notice to stderr, unless that was done before. */
export async function openReading(call: Call, notice: 'printed' | 'known' = 'printed'): Promise<Reading> {
  const from = await call.services.reading()
  if (from.offline !== null && notice === 'printed')
    call.terminal.printMessage(`${offlineText(from.offline, call.terminal.messageStyle)}\n`)
  return from
}

/** One line: why the database was read, and how old its data is. */
export function offlineText(offline: Offline, style: Style, now = Date.now()): string {
  const since = offline.lastLoop === null ? '' : localMoment(offline.lastLoop, new Date(now))
  const shown =
    offline.asOf === null
      ? 'no data'
      : `as of ${localMoment(new Date(offline.asOf), new Date(now))} (${ago(offline.asOf, now)} ago)`
  const pid = offline.pid ?? ''
  switch (offline.kind) {
    case 'none':
      return style.yellow(`no daemon running; ${shown}`)
    case 'dead':
      return style.red(`PM offline since ${since}: the daemon (pid ${pid}) died; ${shown}`)
    case 'silent': {
      const [what, wayOut] = SILENCES[offline.silence ?? 'busy']
      const from = since === '' ? '' : ` since ${since}`
      return style.red(`PM offline${from}: the daemon (pid ${pid}) ${what}; ${shown}. ${wayOut(String(pid))}`)
    }
    case 'other_build':
      return style.yellow(
        `the daemon (pid ${pid}) is a different build, version ${offline.facts?.version ?? ''}; ${shown}, from the database`,
      )
  }
}

/** How a daemon that does not respond looks from outside, and what to do about it. */
const SILENCES: Readonly<
  Record<NonNullable<Offline['silence']>, readonly [string, (pid: string) => string]>
> = {
  frozen: [
    'is not responding (suspended by a signal)',
    (pid) => `Continue it: kill -CONT ${pid}; or stop it: bosun stop --force`,
  ],
  no_token: ['cannot be reached: its token is missing or unreadable', () => 'Stop it: bosun stop --force'],
  no_address: [
    'cannot be reached: it is starting, or its address file (daemon.json) is missing',
    () => 'Try again in a few seconds; or stop it: bosun stop --force',
  ],
  busy: ['is not responding', () => 'Stop it: bosun stop --force'],
}

/** The daemon in JSON documents, with all keys whether one runs or not. */
export function daemonDocument(facts: DaemonFacts | null, offline: Offline | null) {
  const none = { pid: null, port: null, url: null, version: null, build: null, started_at: null }
  const isRunning = facts !== null || offline?.kind === 'silent'
  return {
    ...(facts ?? { ...none, pid: isRunning ? (offline?.pid ?? null) : null }),
    running: isRunning,
    as_of: offline?.asOf ?? null,
  }
}

/** Reads one answer. Its document is the answer itself, with the daemon only when offline. */
export async function readAnswer<P extends ReadPath>(
  call: Call,
  path: P,
  asked?: Asked<P>,
): Promise<{ readonly answer: Read<P>; readonly document: object }> {
  await using from = await openReading(call)
  const answer = await from.get(path, asked)
  const { offline } = from
  const daemon = offline === null ? {} : { daemon: daemonDocument(offline.facts, offline) }
  return { answer, document: Object.assign({}, answer, daemon) }
}
