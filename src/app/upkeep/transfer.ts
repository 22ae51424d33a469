/**
 * The whole log as a file of JSON lines: a header, the entries in the order of the log, the repositories its plans belong to, the
 * streams that are closed, and an end with the number of entries and a digest of everything before it, so that a cut file is noticed.
 * An entry's place in the whole log is its place in the file.
 */
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { jsonIn } from '../../lib/text/json.ts'
import {
  BrokenEvent,
  type Entry,
  type EventCodec,
  type EventLog,
  type EventReader,
  type RecordedEvent,
} from '../../ports/event-log.ts'
import type { Repositories, Repository } from '../../ports/repositories.ts'
import { isDamage, tailPastDamage } from '../activity/past-damage.ts'
import { allStreams } from '../host/stream-name.ts'

const PAGE = 500
/** Not `bosun.export/v1`, which is what the command answers. */
const SCHEMA = 'bosun.exported-log/v1'

const headerLine = z.object({ schema: z.literal(SCHEMA) })
const entryLine = z.strictObject({
  stream: z.string().min(1),
  version: z.int().min(1),
  at: z.int(),
  event: z.looseObject({ type: z.string(), v: z.int() }),
})
const repositoryLine = z.strictObject({
  repository: z.strictObject({
    /** It becomes the name of a folder. */
    id: z.string().regex(/^[A-Za-z0-9_][\w.-]*-[0-9a-f]{8}$/, 'is not a repository id'),
    path: z.string().startsWith('/', 'is not absolute'),
    name: z.string().min(1),
    registered_at: z.int(),
  }),
})
const closedLine = z.strictObject({ closed: z.string().min(1) })
const endLine = z.strictObject({
  end: z.strictObject({
    events: z.int().min(0),
    sha256: z.string(),
    /** Why the export ended before the log did. */
    stopped: z.string().optional(),
  }),
})
const anyLine = z.union([entryLine, repositoryLine, closedLine, endLine])

/** An entry as in the file. */
type ExportedEntry<E extends RecordedEvent> = Omit<Entry<E>, 'seq'>

/** The same entry has the same line, always: lines are how entries are compared. */
const lineOf = <E extends RecordedEvent>({ stream, version, at, event }: ExportedEntry<E>): string =>
  JSON.stringify({ stream, version, at, event })

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

/**
 * Writes the log, a page at a time, waiting for `write` after each. Of a plan with an event that cannot be read everything
 * before it is written, and of the others everything; behind a page that the database cannot read any more, nothing.
 */
export async function exportLog<E extends RecordedEvent>(
  { log, repositories }: ExportedStore<E>,
  write: (text: string) => Promise<void> | void,
): Promise<Exported> {
  const hash = createHash('sha256')
  const put = async (lines: readonly string[]): Promise<void> => {
    const text = lines.map((line) => `${line}\n`).join('')
    hash.update(text)
    if (lines.length > 0) await write(text)
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
  const versions = new Map<string, number>()
  /** The rest of a stream behind a gap could not be imported again. */
  const follows = ({ stream, version, seq }: Entry<E>): boolean => {
    const expected = (versions.get(stream) ?? 0) + 1
    if (version === expected) versions.set(stream, version)
    else {
      const problem = `version ${expected} is missing`
      stopped ??= new BrokenEvent({ seq, stream, problem, remedy: 'Everything before it is in the file.' })
    }
    return version === expected
  }
  // Before the entries: whatever is closed by now has all its entries in the file.
  const closed = (await undamaged(() => log.streams({ open: false }))) ?? []
  await put([JSON.stringify({ schema: SCHEMA })])
  for (let seq = 0, limit = PAGE; ;) {
    const page = await undamaged(() => tailPastDamage(log, seq, limit, (error) => (stopped ??= error)))
    if (page === null) {
      // One at a time from here, up to the very event that cannot be read.
      if (limit === 1) break
      limit = 1
      continue
    }
    if (page.seq === seq) break
    const entries = page.entries.filter(follows)
    await put(entries.map(lineOf))
    events += entries.length
    seq = page.seq
  }
  // After the entries: whatever plan is in the file, its repository was known before it.
  const known = (await undamaged(() => repositories.list())) ?? []
  await put(
    known.map(({ id, path, name, registeredAt }) =>
      JSON.stringify({ repository: { id, path, name, registered_at: registeredAt } }),
    ),
  )
  const whole = closed.filter(({ stream }) => versions.has(stream))
  await put(whole.map(({ stream }) => JSON.stringify({ closed: stream })))
  const sha256 = hash.digest('hex')
  const why = (stopped as Error | null)?.message
  await write(
    `${JSON.stringify({ end: { events, sha256, ...(why === undefined ? {} : { stopped: why }) } })}\n`,
  )
  return { events, sha256, stopped }
}

/** What a file is put into. */
export interface ImportingStore<E extends RecordedEvent> {
  readonly log: EventLog<E>
  readonly repositories: Pick<Repositories, 'restore'>
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
    const streams = await allStreams(store.log)
    const stored: Versions = new Map(streams.map(({ stream, version }) => [stream, version]))
    const checked = await checkAgainstStore(store.log, steps(open(), codec), stored)
    return checked ?? (await writeSteps(store, steps(open(), codec), stored))
  } catch (error) {
    if (error instanceof BadLine)
      return { ok: false, why: error.why, line: error.line, problem: error.message }
    throw error
  }
}

type Versions = ReadonlyMap<string, number>

/** What a line of a file asks for. `line` counts from 1. */
type Step<E extends RecordedEvent> = { readonly line: number } & (
  | { readonly kind: 'append'; readonly entry: ExportedEntry<E> }
  | { readonly kind: 'repository'; readonly repository: Repository }
  | { readonly kind: 'close'; readonly stream: string }
  | { readonly kind: 'end'; readonly stopped: string | null }
)

/** A line that is not what it should be, or is not there. */
class BadLine extends Error {
  override readonly name = 'BadLine'
  readonly line: number
  readonly why: 'invalid' | 'cut'
  constructor(line: number, why: 'invalid' | 'cut', problem: string) {
    super(problem)
    this.line = line
    this.why = why
  }
}

/** Checks every line, every event and the whole; throws BadLine. The last step is the end. */
async function* steps<E extends RecordedEvent>(
  lines: AsyncIterable<string> | Iterable<string>,
  codec: EventCodec<E>,
): AsyncGenerator<Step<E>> {
  const hash = createHash('sha256')
  let line = 0
  let events = 0
  let hasEnded = false
  for await (const text of lines) {
    line += 1
    const refuse = (problem: string): BadLine => new BadLine(line, 'invalid', problem)
    if (hasEnded) throw refuse('there are lines after the end of the export')
    const json = jsonIn(text)
    if (json === undefined) throw refuse('not valid JSON')
    if (line === 1) {
      if (!headerLine.safeParse(json).success)
        throw refuse('this is not an export of Bosun: its first line is not the header')
      hash.update(`${text}\n`)
      continue
    }
    const { data, error } = anyLine.safeParse(json)
    if (data === undefined) throw refuse(`not a line of an export: ${z.prettifyError(error)}`)
    if ('event' in data) {
      events += 1
      yield { kind: 'append', line, entry: { ...data, event: checkedEvent(data.event, codec, refuse) } }
    } else if ('repository' in data) {
      const { registered_at: registeredAt, ...rest } = data.repository
      yield { kind: 'repository', line, repository: { ...rest, registeredAt } }
    } else if ('closed' in data) yield { kind: 'close', line, stream: data.closed }
    else {
      if (data.end.events !== events)
        throw new BadLine(line, 'cut', `the end counts ${data.end.events} events, the file has ${events}`)
      if (data.end.sha256 !== hash.copy().digest('hex'))
        throw refuse('the digest at the end does not match: the file was changed')
      yield { kind: 'end', line, stopped: data.end.stopped ?? null }
      hasEnded = true
    }
    hash.update(`${text}\n`)
  }
  if (!hasEnded) throw new BadLine(line, 'cut', `the file is cut off after line ${line}: its end is missing`)
}

function checkedEvent<E extends RecordedEvent>(
  event: RecordedEvent,
  codec: EventCodec<E>,
  refuse: (problem: string) => BadLine,
): E {
  try {
    return codec.check(event)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw refuse(`${event.type} v${event.v} is not a known event: ${why}`)
  }
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
    const { stream, version } = step.entry
    const expected = (versions.get(stream) ?? 0) + 1
    if (version !== expected) {
      const problem = `version ${version} of ${stream}, where version ${expected} should be`
      throw new BadLine(step.line, 'invalid', problem)
    }
    versions.set(stream, version)
    if (version > (stored.get(stream) ?? 0)) continue
    const [existing] = await log.read(stream, version - 1, 1)
    if (existing === undefined || lineOf(existing) !== lineOf(step.entry)) return conflict(step)
  }
  return null
}

async function writeSteps<E extends RecordedEvent>(
  { log, repositories }: ImportingStore<E>,
  file: AsyncIterable<Step<E>>,
  stored: Versions,
): Promise<Imported> {
  const versions = new Map<string, number>()
  let batch: AppendStep<E>[] = []
  let written = 0
  let skipped = 0
  for await (const step of file) {
    if (step.kind === 'append') {
      const { stream, version } = step.entry
      versions.set(stream, version)
      if (version <= (stored.get(stream) ?? 0)) {
        skipped += 1
        continue
      }
      written += 1
      batch.push(step)
      if (batch.length < PAGE) continue
    }
    const refused = await appendAll(log, batch)
    if (refused !== null) return conflict(refused)
    batch = []
    if (step.kind === 'repository') await repositories.restore(step.repository)
    // A stream that has gone on since the file was written is left as it is.
    if (step.kind === 'close' && (versions.get(step.stream) ?? -1) >= (stored.get(step.stream) ?? 0))
      await log.closeStream(step.stream)
    if (step.kind === 'end') return { ok: true, written, skipped, stopped: step.stopped }
  }
  throw new Error('a file without an end was not noticed')
}

type AppendStep<E extends RecordedEvent> = Step<E> & { readonly kind: 'append' }

/** Together, so that they share a transaction; returns the first that conflicted with another writer, or null. */
async function appendAll<E extends RecordedEvent>(
  log: EventLog<E>,
  batch: readonly AppendStep<E>[],
): Promise<AppendStep<E> | null> {
  const answers = batch.map(({ entry: { stream, version, at, event } }) =>
    log.append({ stream, expectedVersion: version - 1, at, events: [event] }),
  )
  const done = await Promise.all(answers)
  return batch.find((_, index) => done[index]?.ok !== true) ?? null
}

function conflict<E extends RecordedEvent>({ line, entry }: AppendStep<E>): Imported {
  const { stream, version } = entry
  const problem = `the store has a stream ${stream} that differs from the file at version ${version}`
  return { ok: false, why: 'conflict', line, stream, problem }
}
