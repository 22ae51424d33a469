/** Renders a change as a diff within size limits. */
import type { Change, ChangedFile } from '../gates/change.ts'

export interface DiffLimits {
  readonly perFile: number
  readonly total: number
  /** How the reader can see the rest. */
  readonly rest?: string
}

const IN_FOLDER = '`git diff HEAD` in your folder shows them'

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
      parts.push(`[${left} more files not shown: ${limits.rest ?? IN_FOLDER}]`)
      break
    }
  }
  return parts.join('\n')
}

function bounded(text: string, most: number, path: string): string {
  if (text.length <= most) return text
  const kept = text.slice(0, Math.max(0, most))
  return `${kept.slice(0, kept.lastIndexOf('\n') + 1)}[the rest of the change to ${path} is not shown; read it in your folder]`
}

function fileDiff(file: ChangedFile): string {
  const from = file.kind === 'added' ? '/dev/null' : `a/${file.path}`
  const to = file.kind === 'deleted' ? '/dev/null' : `b/${file.path}`
  const head = `--- ${from}\n+++ ${to}`
  if (file.isBinary) return `${head}\n[binary, or too large to show]`
  const rows = rowsOf(file)
  return [head, ...hunksOf(rows)].join('\n')
}

interface Row {
  readonly mark: ' ' | '+' | '-'
  readonly text: string
  /** Its line number, or that of the line after it, in the old and the new file. */
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

/** Groups changed rows with a few unchanged ones around them. */
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
