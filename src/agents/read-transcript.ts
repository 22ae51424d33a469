/** Reads the transcript of a worker, page by page, while it is written and afterwards. */
import { existsSync, readSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { openedFile } from '../lib/files/opened-file.ts'
import { isAlive } from '../lib/process/identity.ts'
import type { TranscriptEntry, TranscriptPage } from '../ports/transcript.ts'
import { jsonIn } from './worker-files/damaged-file.ts'
import { workerFolder, type WorkerFolder } from './worker-folder.ts'
import { orNull, readIdentity, readJob } from './worker-records.ts'

const PAGE_BYTES = 512 * 1024
const NEWLINE = 0x0a

/** Null for a worker that left nothing. */
export function readTranscript(
  root: string,
  { repository, worker }: { readonly repository: string; readonly worker: string },
  after: string | null,
): TranscriptPage | null {
  if (!/^[a-z0-9-]+$/.test(worker)) return null
  const folder = workerFolder(join(root, 'repos', repository, 'workers', worker))
  const protocol = orNull(() => readJob(folder.job))?.protocol ?? null
  if (protocol === null) return null
  // Asked first: its whole transcript is written before its end.
  const hasEnded = isOver(folder)
  const source = protocol === 'acp' && sizeOf(folder.transcript) > 0 ? 'transcript' : 'output'
  const read = readOn([`${folder[source]}.1`, folder[source]], {
    after: placeIn(after, source),
    isWhole: hasEnded,
  })
  const entries = source === 'transcript' ? read.text.split('\n').flatMap(entryIn) : printed(read.text)
  const next = read.place === null ? `${source}:` : `${source}:${read.place.file}:${read.place.offset}`
  return { protocol, entries, next, hasMore: read.hasMore, isOver: hasEnded && !read.hasMore }
}

/** A place in a file, which may be renamed while it is read. */
interface Place {
  /** Its inode. */
  readonly file: number
  readonly offset: number
}

function placeIn(after: string | null, source: string): Place | null {
  const [, of, file, offset] = /^(\w+):(\d{1,20}):(\d{1,15})$/.exec(after ?? '') ?? []
  return of === source ? { file: Number(file), offset: Number(offset) } : null
}

interface ReadOn {
  readonly text: string
  readonly place: Place | null
  readonly hasMore: boolean
}

/** At most a page of whole lines after a place in these files, the older first; the last line may still be written. */
function readOn(
  paths: readonly string[],
  { after, isWhole }: { readonly after: Place | null; readonly isWhole: boolean },
): ReadOn {
  const files = paths.flatMap((path) => {
    const stat = statSync(path, { throwIfNoEntry: false })
    return stat?.isFile() === true ? [{ path, file: stat.ino, size: stat.size }] : []
  })
  // A file that is gone was pushed out by newer ones.
  const from = Math.max(
    0,
    files.findIndex(({ file }) => file === after?.file),
  )
  let text = ''
  let place = after
  for (const [number, { path, file, size }] of files.slice(from).entries()) {
    const isLast = from + number === files.length - 1
    const offset = after?.file === file ? Math.min(after.offset, size) : 0
    const { bytes, isCut } = linesAt(path, { offset, isWhole: isWhole || !isLast })
    text += bytes.toString('utf8')
    place = { file, offset: offset + bytes.length }
    if (isCut) return { text, place, hasMore: true }
    if (!isLast && text.length >= PAGE_BYTES) return { text, place, hasMore: true }
  }
  return { text, place, hasMore: false }
}

function linesAt(
  path: string,
  { offset, isWhole }: { readonly offset: number; readonly isWhole: boolean },
): { readonly bytes: Buffer; readonly isCut: boolean } {
  const page = Buffer.alloc(PAGE_BYTES)
  using file = openedFile(path, 'r')
  const bytes = page.subarray(0, readSync(file.fd, page, 0, PAGE_BYTES, offset))
  const isCut = bytes.length === PAGE_BYTES
  const end = bytes.lastIndexOf(NEWLINE) + 1
  // A line longer than a page is given as it is.
  return { bytes: (isWhole && !isCut) || (isCut && end === 0) ? bytes : bytes.subarray(0, end), isCut }
}

const printed = (text: string): readonly TranscriptEntry[] =>
  text === '' ? [] : [{ at: null, kind: 'output', call: null, text, outcome: null, detail: null }]

const text = z.string()
const maybe = z.string().nullish()
const line = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('prompt'), text }),
  z.object({ kind: z.literal('text'), of: z.enum(['message', 'thought', 'replay']), text }),
  z.object({
    kind: z.enum(['tool_started', 'tool_updated']),
    id: text,
    tool: text,
    title: text,
    input: maybe,
  }),
  z.object({
    kind: z.literal('tool_ended'),
    id: text,
    outcome: text,
    tool: maybe,
    title: maybe,
    input: maybe,
    output: maybe,
  }),
  z.object({
    kind: z.literal('permission_asked'),
    id: text,
    tool: text,
    title: text,
    paths: z.array(text),
    command: text.nullable(),
    decision: text,
    why: text,
  }),
  z.object({ kind: z.literal('permission_answered'), id: text, outcome: text, by: text }),
  z.object({ kind: z.literal('plan'), entries: z.array(z.object({ content: text })) }),
  z.object({
    kind: z.literal('session'),
    session: text,
    isContinued: z.boolean().default(false),
    lost: z.object({ session: text, why: text }).nullish(),
    note: text.optional(),
  }),
  z.object({
    kind: z.literal('usage'),
    tokensIn: z.number().nullable(),
    tokensOut: z.number().nullable(),
    usd: z.number().nullable(),
  }),
  z.object({ kind: z.literal('error'), text }),
  z.object({
    kind: z.literal('turn_ended'),
    reason: text,
    outcome: z.object({ kind: text, why: maybe }).nullish(),
  }),
])
const time = z.object({ at: z.number() })

/** None for a line of another version, or one that is not whole. */
function entryIn(json: string): readonly TranscriptEntry[] {
  const value = jsonIn(json)
  const { data } = line.safeParse(value)
  if (data === undefined) return []
  return [{ at: time.safeParse(value).data?.at ?? null, ...NOTHING_MORE, ...fieldsOf(data) }]
}

const NOTHING_MORE = { call: null, outcome: null, detail: null }

type Fields = Pick<TranscriptEntry, 'kind' | 'text'> & Partial<TranscriptEntry>

function fieldsOf(entry: z.infer<typeof line>): Fields {
  switch (entry.kind) {
    case 'prompt':
    case 'error':
      return entry
    case 'text':
      return { kind: entry.of, text: entry.text }
    case 'tool_started':
    case 'tool_updated': {
      const what = `${entry.tool} ${entry.title}`.trim()
      return { kind: entry.kind, call: entry.id, text: what, detail: entry.input ?? null }
    }
    case 'tool_ended': {
      const what = `${entry.tool ?? ''} ${entry.title ?? ''}`.trim()
      const { id: call, outcome, input, output } = entry
      const detail = [input, output].filter((part) => part).join('\n')
      return { kind: entry.kind, call, text: what, outcome, detail: detail === '' ? null : detail }
    }
    case 'permission_asked': {
      const { tool, title, command, paths } = entry
      const what = command ?? `${tool} ${paths.join(', ') || title}`.trim()
      return { kind: entry.kind, call: entry.id, text: what, outcome: entry.decision, detail: entry.why }
    }
    case 'permission_answered':
      return { kind: entry.kind, call: entry.id, text: `by ${entry.by}`, outcome: entry.outcome }
    case 'plan':
      return { kind: entry.kind, text: entry.entries.map(({ content }) => content).join('\n') }
    case 'session': {
      const { session, isContinued, lost, note } = entry
      const outcome = isContinued ? 'continued' : 'opened'
      const loss = lost ? [`cannot continue ${lost.session}: ${lost.why}`] : []
      const details = [...loss, ...(note === undefined ? [] : [note])]
      const detail = details.length === 0 ? null : details.join('; ')
      return { kind: entry.kind, text: session, outcome, detail }
    }
    case 'usage': {
      const tokens = (entry.tokensIn ?? 0) + (entry.tokensOut ?? 0)
      return { kind: entry.kind, text: `${tokens} tokens${entry.usd === null ? '' : `, ${entry.usd} USD`}` }
    }
    case 'turn_ended':
      return {
        kind: entry.kind,
        text: entry.reason,
        outcome: entry.outcome?.kind ?? null,
        detail: entry.outcome?.why ?? null,
      }
  }
}

/** Whether it has ended, or nothing is there any more that could end it. */
function isOver(folder: WorkerFolder): boolean {
  if (existsSync(folder.result) || existsSync(folder.acknowledged)) return true
  const identity = orNull(() => readIdentity(folder.identity))
  if (identity === null) return false
  return identity.supervisor === null || !isAlive(identity.supervisor)
}

function sizeOf(path: string): number {
  const stat = statSync(path, { throwIfNoEntry: false })
  return stat?.isFile() === true ? stat.size : 0
}
