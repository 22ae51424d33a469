/** Reads the transcript of a worker, page by page, while it is written and afterwards. */
import { existsSync, readSync, statSync } from 'node:fs'
import { z } from 'zod'
import { openedFile } from '../lib/files/atomic-write.ts'
import { isAlive } from '../lib/process/processes.ts'
import { TRANSCRIPT_KINDS, type TranscriptEntry, type TranscriptPage } from '../ports/transcript.ts'
import { jsonIn } from '../lib/text/json.ts'
import { folderOf, type WorkerFolder } from './worker-folder.ts'
import { orNull, readIdentity, readJob } from './worker-records.ts'

const PAGE_BYTES = 512 * 1024
const NEWLINE = 0x0a

/** Null for a worker that left nothing. */
export function readTranscript(
  root: string,
  found: { readonly repository: string; readonly worker: string },
  after: string | null,
): TranscriptPage | null {
  if (!/^[a-z0-9-]+$/.test(found.worker)) return null
  const folder = folderOf(root, found)
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

const maybe = z.string().nullable().default(null)
const line = z.object({
  at: z.number().nullable().catch(null),
  kind: z.enum(TRANSCRIPT_KINDS),
  call: maybe,
  text: z.string(),
  outcome: maybe,
  detail: maybe,
})

/** None for a line of another version, or one that is not whole. */
function entryIn(json: string): readonly TranscriptEntry[] {
  const { data } = line.safeParse(jsonIn(json))
  return data === undefined ? [] : [data]
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
