/** Commands that only read: from the daemon where one answers, else from the database, and then they say so. */
import { localMoment } from '../lib/local-time.ts'
import type { DaemonFacts } from '../protocol/answers.ts'
import type { Call } from './command.ts'
import { ago } from './views/durations.ts'
import type { Offline, Reading } from './services.ts'
import type { Style } from './terminal/terminal.ts'

/** What is read is read before this resolves. Where no daemon was asked, that is said on stderr. */
export async function reading<T>(call: Call, read: (from: Reading) => Promise<T>): Promise<T> {
  return quietReading(call, async (from) => {
    if (from.offline !== null) call.terminal.say(`${offlineText(from.offline, call.terminal.talkStyle)}\n`)
    return read(from)
  })
}

/** The same for commands that show it themselves. */
export async function quietReading<T>(call: Call, read: (from: Reading) => Promise<T>): Promise<T> {
  const from = await call.parts.reading()
  try {
    return await read(from)
  } finally {
    await from.close()
  }
}

/** One line: why no daemon was asked, and of when it is what is shown instead. */
export function offlineText(offline: Offline, style: Style, now = Date.now()): string {
  const since = offline.lastLoop === null ? '' : localMoment(offline.lastLoop, new Date(now))
  const shown =
    offline.asOf === null
      ? 'nothing is recorded'
      : `as of ${localMoment(new Date(offline.asOf), new Date(now))} (${ago(offline.asOf, now)} ago)`
  const pid = offline.pid ?? ''
  switch (offline.kind) {
    case 'none':
      return style.yellow(`no daemon; ${shown}`)
    case 'dead':
      return style.red(`no daemon: PM offline since ${since}, its process ${pid} has died; ${shown}`)
    case 'silent':
      return style.red(`PM offline since ${since}: ${silenceOf(offline)}; ${shown}. ${wayOut(offline)}`)
    case 'other_build':
      return style.yellow(
        `the daemon (process ${pid}) is another build, version ${offline.facts?.version ?? ''}; ${shown}, from the database`,
      )
  }
}

function silenceOf({ silence, pid }: Offline): string {
  switch (silence) {
    case 'frozen':
      return `its process ${pid ?? ''} does not answer, because a signal stopped it`
    case 'no_token':
      return `its process ${pid ?? ''} cannot be asked, because its token is missing or cannot be read`
    case 'busy':
    case null:
      return `its process ${pid ?? ''} does not answer`
  }
}

const wayOut = ({ silence, pid }: Offline): string =>
  silence === 'frozen'
    ? `Let it go on: kill -CONT ${pid ?? ''}; or end it: bosun stop --force`
    : 'End it: bosun stop --force'

/** The daemon as documents show it: all keys are there whether one runs or not. */
export function daemonDocument(
  facts: DaemonFacts | null,
  offline: Offline | null,
): Readonly<Record<string, unknown>> {
  const none = { pid: null, port: null, url: null, version: null, build: null, started_at: null }
  const isRunning = facts !== null || offline?.kind === 'silent'
  return {
    ...(facts ?? { ...none, pid: isRunning ? (offline?.pid ?? null) : null }),
    running: isRunning,
    as_of: offline?.asOf ?? null,
  }
}

/** For documents that name the daemon only where it was not asked. */
export const offlineDocument = ({ offline }: Reading): Readonly<Record<string, unknown>> =>
  offline === null ? {} : { daemon: daemonDocument(offline.facts, offline) }
