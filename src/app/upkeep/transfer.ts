/** Exports the whole log to a file and imports such a file. */
import {
  BrokenEvent,
  type Entry,
  type EventCodec,
  type EventLog,
  type EventReader,
  type RecordedEvent,
} from '../../ports/event-log.ts'
import type { Repositories } from '../../ports/repositories.ts'
import { allStreams } from '../host/stream-name.ts'
import { isDamage, tailPastDamage } from '../activity/past-damage.ts'
import {
  BadLine,
  closedLineOf,
  endLineOf,
  HEADER,
  LineDigest,
  lineOf,
  repositoryLineOf,
  steps,
  type Step,
} from './export-format.ts'

const PAGE = 500

export interface Exported {
  readonly events: number
  readonly sha256: string
  /** Why the file does not hold the whole log; null if it does. Its end says so too. */
  readonly stopped: Error | null
}

/** What is written to a file. */
export interface ExportedStore<E extends RecordedEvent> {
  readonly log: Pick<EventReader<E>, 'tail' | 'streams'>
  readonly repositories: Pick<Repositories, 'list'>
}

/** What a file is put into. */
export interface ImportingStore<E extends RecordedEvent> {
  readonly log: EventLog<E>
  readonly repositories: Pick<Repositories, 'restore'>
}

/**
 * Writes the log, a page at a time, waiting for `write` after each. Of a plan with an event that cannot be read everything
 * before it is written, and of the others everything; behind a page that the database cannot read any more, nothing.
 */
export async function exportLog<E extends RecordedEvent>(
  { log, repositories }: ExportedStore<E>,
  write: (text: string) => Promise<void> | void,
): Promise<Exported> {
  const digest = new LineDigest()
  const put = async (lines: readonly string[]) => {
    for (const line of lines) digest.add(line)
    if (lines.length > 0) await write(lines.map((line) => `${line}\n`).join(''))
  }
  let events = 0
  let stopped: Error | null = null
  /** What is damaged is left out, and the first of it is why the file does not hold the whole log. */
  const undamaged = async <T>(read: () => Promise<T>): Promise<T | null> => {
    try {
      return await read()
    } catch (error) {
      if (!isDamage(error)) throw error
      stopped ??= error
      return null
    }
  }
  const whole = new WholeAppends<E>()
  // Before the entries: whatever is closed by now has all its entries in the file.
  const closed = (await undamaged(() => log.streams({ open: false }))) ?? []
  await put([HEADER])
  for (let seq = 0, limit = PAGE; ;) {
    const page = await undamaged(() => tailPastDamage(log, seq, limit, (error) => (stopped ??= error)))
    if (page === null) {
      // One at a time from here, up to the very event that cannot be read.
      if (limit === 1) break
      limit = 1
      continue
    }
    if (page.seq === seq) break
    const entries = whole.take(page.entries)
    await put(entries.map(lineOf))
    events += entries.length
    seq = page.seq
  }
  stopped ??= whole.gap
  // After the entries: whatever plan is in the file, its repository was known before it.
  await put(((await undamaged(() => repositories.list())) ?? []).map(repositoryLineOf))
  await put(closed.filter(({ stream }) => whole.has(stream)).map(({ stream }) => closedLineOf(stream)))
  const sha256 = digest.hex()
  await write(
    `${endLineOf(stopped === null ? { events, sha256 } : { events, sha256, stopped: stopped.message })}\n`,
  )
  return { events, sha256, stopped }
}

/** Holds back what could not be imported again: the rest of a stream behind a gap, and an append that is not complete. */
class WholeAppends<E extends RecordedEvent> {
  readonly #versions = new Map<string, number>()
  #open: Entry<E>[] = []
  /** The first event that is missing in its stream; null where none is. */
  gap: BrokenEvent | null = null

  has(stream: string): boolean {
    return this.#versions.has(stream)
  }

  take(entries: readonly Entry<E>[]): readonly Entry<E>[] {
    return entries.flatMap((entry) => this.#completed(entry))
  }

  #completed(entry: Entry<E>): readonly Entry<E>[] {
    const { stream, version, seq } = entry
    // An append stands together in the log: what is still open when another begins was cut by damage.
    if (this.#open[0]?.stream !== stream || this.#open.length + (this.#open[0]?.version ?? 0) !== version)
      this.#open = []
    const expected = (this.#versions.get(stream) ?? 0) + this.#open.length + 1
    if (version !== expected) {
      const problem = `version ${expected} is missing`
      this.gap ??= new BrokenEvent({ seq, stream, problem, remedy: 'Everything before it is in the file.' })
      return []
    }
    this.#open.push(entry)
    if (this.#open.length < (this.#open[0]?.keyed?.events ?? 1)) return []
    this.#versions.set(stream, version)
    return this.#open.splice(0)
  }
}

export type Imported =
  | {
      readonly ok: true
      readonly written: number
      /** Entries that were in the store already, exactly so. */
      readonly skipped: number
      /** Why the export ended before its log did; null if the file is the whole log. */
      readonly stopped: string | null
    }
  | { readonly ok: false; readonly why: 'invalid' | 'cut'; readonly line: number; readonly problem: string }
  /** The store has a stream of that name with other content. */
  | {
      readonly ok: false
      readonly why: 'conflict'
      readonly line: number
      readonly stream: string
      readonly problem: string
    }

/**
 * Reads the file twice: once to check every line against its schema, its end and the store, and only if all of it
 * fits once more to write. A crash in between leaves a beginning of the file behind; importing it again writes the
 * rest, since what is there already is skipped.
 */
export async function importLog<E extends RecordedEvent>(
  store: ImportingStore<E>,
  open: () => AsyncIterable<string> | Iterable<string>,
  codec: EventCodec<E>,
): Promise<Imported> {
  try {
    const stored = await storedVersions(store.log)
    const checked = await checkAgainstStore(store.log, steps(open(), codec), stored)
    return checked ?? (await writeSteps(store, steps(open(), codec), stored))
  } catch (error) {
    if (error instanceof BadLine)
      return { ok: false, why: error.why, line: error.line, problem: error.message }
    throw error
  }
}

type Versions = ReadonlyMap<string, number>

async function storedVersions(log: EventReader): Promise<Versions> {
  return new Map((await allStreams(log)).map(({ stream, version }) => [stream, version]))
}

/** Null if everything in the file is in the store already or can follow what is there. Throws BadLine. */
async function checkAgainstStore<E extends RecordedEvent>(
  log: EventLog<E>,
  file: AsyncIterable<Step<E>>,
  stored: Versions,
): Promise<Imported | null> {
  const versions = new Map<string, number>()
  for await (const step of file) {
    if (step.kind !== 'append') continue
    for (const entry of step.entries) {
      const { stream, version } = entry
      const expected = (versions.get(stream) ?? 0) + 1
      if (version !== expected) {
        const problem = `version ${version} of ${stream}, where version ${expected} should be`
        throw new BadLine(step.line, 'invalid', problem)
      }
      versions.set(stream, version)
      if (version > (stored.get(stream) ?? 0)) continue
      const [existing] = await log.read(stream, version - 1, 1)
      if (existing === undefined || lineOf(existing) !== lineOf(entry))
        return conflict(step.line, stream, version)
    }
  }
  return null
}

async function writeSteps<E extends RecordedEvent>(
  { log, repositories }: ImportingStore<E>,
  file: AsyncIterable<Step<E>>,
  stored: Versions,
): Promise<Imported> {
  const inFlight = new Map<Step<E> & { kind: 'append' }, ReturnType<EventLog<E>['append']>>()
  const versions = new Map<string, number>()
  let written = 0
  let skipped = 0
  for await (const step of file) {
    if (step.kind === 'append') {
      const first = step.entries[0]
      if (first === undefined) continue
      const { stream, version, at, keyed } = first
      versions.set(stream, version + step.entries.length - 1)
      if (version <= (stored.get(stream) ?? 0)) {
        skipped += step.entries.length
        continue
      }
      written += step.entries.length
      const events = step.entries.map(({ event }) => event)
      const answer = log.append({ stream, expectedVersion: version - 1, at, events, key: keyed?.key })
      // Handled where the results are awaited; until then it must not count as unhandled.
      answer.catch(() => undefined)
      inFlight.set(step, answer)
      if (inFlight.size < PAGE) continue
    }
    const refused = await settle(inFlight)
    if (refused !== null) return refused
    if (step.kind === 'repository') await repositories.restore(step.repository)
    // A stream that has gone on since the file was written is left as it is.
    if (step.kind === 'close' && versions.get(step.stream) !== undefined) {
      if ((versions.get(step.stream) ?? 0) >= (stored.get(step.stream) ?? 0))
        await log.closeStream(step.stream)
    }
    if (step.kind === 'end') return { ok: true, written, skipped, stopped: step.end.stopped ?? null }
  }
  throw new Error('a file without an end was not noticed')
}

/** Waits for every append; returns the first that conflicted with another writer, or null. */
async function settle<E extends RecordedEvent>(
  inFlight: Map<Step<E> & { kind: 'append' }, ReturnType<EventLog<E>['append']>>,
): Promise<Imported | null> {
  const answers = await Promise.all(inFlight.values())
  const asked = [...inFlight.keys()]
  inFlight.clear()
  for (const [index, answer] of answers.entries()) {
    const { line, entries } = asked[index] ?? { line: 0, entries: [] }
    const { stream = '', version = 0 } = entries[0] ?? {}
    if (!answer.ok || answer.repeated) return conflict(line, stream, version)
  }
  return null
}

function conflict(line: number, stream: string, version: number): Imported {
  const problem = `the store has a stream ${stream} that differs from the file at version ${version}`
  return { ok: false, why: 'conflict', line, stream, problem }
}
