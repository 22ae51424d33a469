/**
 * An exported log, as lines of JSON: a header, the entries in the order of the log, the repositories its plans belong to,
 * the streams that are closed, and an end with the number of entries and a digest of everything before it, so that a cut file is noticed.
 * An entry's place in the whole log is its place in the file.
 */
import { createHash, type Hash } from 'node:crypto'
import { z } from 'zod'
import { jsonIn } from '../../lib/text/json.ts'
import type { Entry, EventCodec, RecordedEvent } from '../../ports/event-log.ts'
import type { Repository } from '../../ports/repositories.ts'

/** Not `bosun.export/v1`, which is what the command answers. */
const SCHEMA = 'bosun.exported-log/v1'
export const HEADER = JSON.stringify({ schema: SCHEMA })

const headerLine = z.object({ schema: z.literal(SCHEMA) })
const entryLine = z.strictObject({
  stream: z.string().min(1),
  version: z.int().min(1),
  at: z.int(),
  keyed: z.strictObject({ key: z.string().min(1), events: z.int().min(1) }).optional(),
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

export type End = z.infer<typeof endLine>['end']

/** An entry as in the file: without its `seq`. */
export type ExportedEntry<E extends RecordedEvent> = Omit<Entry<E>, 'seq'>

/** What a file asks for, step by step. `line` counts from 1. */
export type Step<E extends RecordedEvent> =
  /** The entries of one append. */
  | { readonly kind: 'append'; readonly line: number; readonly entries: readonly ExportedEntry<E>[] }
  | { readonly kind: 'repository'; readonly line: number; readonly repository: Repository }
  | { readonly kind: 'close'; readonly line: number; readonly stream: string }
  | { readonly kind: 'end'; readonly line: number; readonly end: End }

/** A line that is not what it should be, or is not there. */
export class BadLine extends Error {
  override readonly name = 'BadLine'
  readonly line: number
  readonly why: 'invalid' | 'cut'
  constructor(line: number, why: 'invalid' | 'cut', problem: string) {
    super(problem)
    this.line = line
    this.why = why
  }
}

/** The same entry has the same line, always: lines are how entries are compared. */
export function lineOf<E extends RecordedEvent>(entry: ExportedEntry<E>): string {
  const { stream, version, at, keyed, event } = entry
  return JSON.stringify(
    keyed === undefined ? { stream, version, at, event } : { stream, version, at, keyed, event },
  )
}

export function repositoryLineOf({ id, path, name, registeredAt }: Repository): string {
  return JSON.stringify({ repository: { id, path, name, registered_at: registeredAt } })
}

export const closedLineOf = (stream: string): string => JSON.stringify({ closed: stream })
export const endLineOf = (end: End): string => JSON.stringify({ end })

/** A digest over lines, each with its newline. */
export class LineDigest {
  readonly #hash: Hash = createHash('sha256')
  add(line: string): void {
    this.#hash.update(line).update('\n')
  }
  hex(): string {
    return this.#hash.copy().digest('hex')
  }
}

/** Checks every line, every event and the whole; throws BadLine. The last step is the end. */
export async function* steps<E extends RecordedEvent>(
  lines: AsyncIterable<string> | Iterable<string>,
  codec: EventCodec<E>,
): AsyncGenerator<Step<E>> {
  const digest = new LineDigest()
  let line = 0
  let events = 0
  let group: ExportedEntry<E>[] = []
  let ended = false
  for await (const text of lines) {
    line += 1
    if (ended) throw new BadLine(line, 'invalid', 'there are lines after the end of the export')
    if (line === 1) {
      if (!headerLine.safeParse(parsed(text, line)).success) {
        throw new BadLine(line, 'invalid', 'this is not an export of Bosun: its first line is not the header')
      }
      digest.add(text)
      continue
    }
    const value = anyLine.safeParse(parsed(text, line))
    if (!value.success)
      throw new BadLine(line, 'invalid', `not a line of an export: ${z.prettifyError(value.error)}`)
    if ('event' in value.data) {
      events += 1
      group.push(exportedEntry(value.data, codec, line))
      checkGroup(group, line)
      if (group.length === (group[0]?.keyed?.events ?? 1)) {
        yield { kind: 'append', line, entries: group }
        group = []
      }
    } else {
      if (group.length > 0) throw new BadLine(line, 'invalid', 'the append before this line is not complete')
      if ('end' in value.data) {
        checkEnd(value.data.end, { events, sha256: digest.hex() }, line)
        yield { kind: 'end', line, end: value.data.end }
        ended = true
      } else if ('repository' in value.data) {
        const { registered_at: registeredAt, ...rest } = value.data.repository
        yield { kind: 'repository', line, repository: { ...rest, registeredAt } }
      } else {
        yield { kind: 'close', line, stream: value.data.closed }
      }
    }
    digest.add(text)
  }
  if (!ended) throw new BadLine(line, 'cut', `the file is cut off after line ${line}: its end is missing`)
}

function parsed(text: string, line: number): unknown {
  const value = jsonIn(text)
  if (value === undefined) throw new BadLine(line, 'invalid', 'not valid JSON')
  return value
}

function exportedEntry<E extends RecordedEvent>(
  value: z.infer<typeof entryLine>,
  codec: EventCodec<E>,
  line: number,
): ExportedEntry<E> {
  const { stream, version, at, keyed } = value
  try {
    const entry = { stream, version, at, event: codec.check(value.event) }
    return keyed === undefined ? entry : { ...entry, keyed }
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new BadLine(line, 'invalid', `${value.event.type} v${value.event.v} is not a known event: ${why}`)
  }
}

/** The entries of one append stand together: one stream, one instant, one key, on the first. */
function checkGroup<E extends RecordedEvent>(group: readonly ExportedEntry<E>[], line: number): void {
  const [first] = group
  const last = group.at(-1)
  if (first === undefined || last === undefined || first === last) return
  const follows = last.stream === first.stream && last.version === first.version + group.length - 1
  if (!follows || last.at !== first.at || last.keyed !== undefined) {
    throw new BadLine(line, 'invalid', `not the next event of the append with key ${first.keyed?.key}`)
  }
}

function checkEnd(end: End, found: { events: number; sha256: string }, line: number): void {
  if (end.events !== found.events) {
    throw new BadLine(line, 'cut', `the end counts ${end.events} events, the file has ${found.events}`)
  }
  if (end.sha256 !== found.sha256) {
    throw new BadLine(line, 'invalid', 'the digest at the end does not match: the file was changed')
  }
}
