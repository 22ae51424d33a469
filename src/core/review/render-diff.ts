/** A change as a diff that a reviewer reads: in full where it fits, and never longer than is said. */
import type { Change, ChangedFile } from '../gates/change.ts'

export interface DiffLimits {
  readonly perFile: number
  readonly total: number
  /** Where the reader finds what is not shown. */
  readonly rest?: string
}

const IN_FOLDER = 'read them in your folder, `git diff HEAD` shows them'

const CONTEXT = 3

export function renderDiff(change: Change, limits: DiffLimits): string {
  const parts: string[] = []
  let room = limits.total
  for (const [at, file] of change.files.entries()) {
    const text = bounded(fileDiff(file), Math.min(limits.perFile, room), file.path)
    parts.push(text)
    room -= text.length
    const left = change.files.length - at - 1
    if (room <= 0 && left > 0) {
      parts.push(`[${left} more files are not shown here: ${limits.rest ?? IN_FOLDER}]`)
      break
    }
  }
  return parts.join('\n')
}

function bounded(text: string, most: number, path: string): string {
  if (text.length <= most) return text
  const kept = text.slice(0, Math.max(0, most))
  return `${kept.slice(0, kept.lastIndexOf('\n') + 1)}[the rest of the change to ${path} is not shown here: read it in your folder]`
}

function fileDiff(file: ChangedFile): string {
  const from = file.kind === 'added' ? '/dev/null' : `a/${file.path}`
  const to = file.kind === 'deleted' ? '/dev/null' : `b/${file.path}`
  const head = `--- ${from}\n+++ ${to}`
  if (file.isBinary) return `${head}\n[no text, or too large to be shown]`
  const rows = rowsOf(file)
  return [head, ...hunksOf(rows)].join('\n')
}

interface Row {
  readonly mark: ' ' | '+' | '-'
  readonly text: string
  /** The line it is on, or stands before, in the old and in the new file. */
  readonly old: number
  readonly now: number
}

function rowsOf({ lines, added, removed }: ChangedFile): readonly Row[] {
  const fresh = new Set(added.map(({ line }) => line))
  const gone = Map.groupBy(removed, ({ at }) => at)
  const rows: Row[] = []
  let old = 1
  const whole = lines ?? []
  const last = Math.max(whole.length, ...removed.map(({ at }) => at - 1)) + 1
  for (let now = 1; now <= last; now++) {
    for (const { text } of gone.get(now) ?? []) rows.push({ mark: '-', text, old: old++, now })
    const text = whole[now - 1]
    if (text === undefined) continue
    if (fresh.has(now)) rows.push({ mark: '+', text, old, now })
    else rows.push({ mark: ' ', text, old: old++, now })
  }
  return rows
}

/** Each stretch of changed rows with a few unchanged ones around it. */
function hunksOf(rows: readonly Row[]): readonly string[] {
  const shown = new Set<number>()
  for (const [at, { mark }] of rows.entries()) {
    if (mark === ' ') continue
    for (let near = at - CONTEXT; near <= at + CONTEXT; near++) shown.add(near)
  }
  const hunks: string[] = []
  let hunk: Row[] = []
  for (const [at, row] of rows.entries()) {
    if (shown.has(at)) hunk.push(row)
    if ((!shown.has(at) || at === rows.length - 1) && hunk.length > 0) {
      hunks.push(hunkText(hunk))
      hunk = []
    }
  }
  return hunks
}

function hunkText(rows: readonly Row[]): string {
  const [first] = rows
  const count = (without: Row['mark']): number => rows.filter(({ mark }) => mark !== without).length
  const head = `@@ -${first?.old ?? 0},${count('+')} +${first?.now ?? 0},${count('-')} @@`
  return [head, ...rows.map(({ mark, text }) => `${mark}${text}`)].join('\n')
}
