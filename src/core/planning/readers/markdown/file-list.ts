/** The files a task names: `Create: \`a\``, `Modify: \`b:12-40\` (note)`, `\`a\`, \`b\``. */
import type { DraftFiles } from '../../draft.ts'
import { codeSpans, linkText, splitParens } from './inline.ts'
import { leavesRepository } from '../outside.ts'

export type FileAction = 'create' | 'modify' | 'delete' | 'test' | 'read'

export interface FileEntry {
  readonly action: FileAction
  readonly path: string
}

export interface FilesRead {
  readonly entries: readonly FileEntry[]
  /** Paths outside the repository, which no task may touch. */
  readonly outside: readonly FileEntry[]
  /** The action named, for the items nested below it. */
  readonly action: FileAction | null
}

const ACTIONS: Readonly<Record<string, FileAction | 'move'>> = {
  create: 'create',
  creates: 'create',
  add: 'create',
  new: 'create',
  write: 'create',
  modify: 'modify',
  modifies: 'modify',
  update: 'modify',
  updates: 'modify',
  edit: 'modify',
  change: 'modify',
  extend: 'modify',
  refactor: 'modify',
  delete: 'delete',
  deletes: 'delete',
  remove: 'delete',
  removes: 'delete',
  test: 'test',
  tests: 'test',
  read: 'read',
  reads: 'read',
  reference: 'read',
  references: 'read',
  keep: 'read',
  check: 'read',
  inspect: 'read',
  review: 'read',
  see: 'read',
  rename: 'move',
  move: 'move',
}
const NAMED_ACTION =
  /^\*{0,2}\[?([A-Za-z]{2,12})\]?(?:\s?(?:\/|or|and)\s?([A-Za-z]{2,12}))?\s?(?:\([^()]{0,80}\))?\*{0,2}\s?:\*{0,2}/
const LEADING_ACTION = /^\*{0,2}\[?([A-Za-z]{2,12})\]?\*{0,2}\s/
const ROOT_FILE =
  /^(readme|license|changelog|contributing|agents|claude|makefile|dockerfile|package|tsconfig|pyproject|cargo|go|bosun)\b|^\./i
const BARE_NAMES = /^(makefile|dockerfile|license|readme|codeowners|gemfile|rakefile|procfile|justfile)$/i
const LINES = /(?::\d[\d,:\s-]{0,60}|#L\d[\dL-]{0,30})$/
const NOTE = /\s(?:—|–|--|-)\s/

/** Reads one item of a file list. `inherited` applies where the item names no action. */
export function readFileItem(text: string, inherited: FileAction | null): FilesRead {
  const named = NAMED_ACTION.exec(text)
  const first = actionOf(named?.[1])
  const leading = first === null ? LEADING_ACTION.exec(text) : null
  const stated = first ?? (text.includes('`') ? actionOf(leading?.[1]) : null)
  const rest = first !== null && named !== null ? text.slice(named[0].length) : text
  const both = named?.[2] !== undefined && actionOf(named[2]) !== null
  const paths = pathsIn(rest)
  if (stated === 'move') return sorted(moved(paths), null)
  const action = both ? 'modify' : (stated ?? actionInNote(rest) ?? inherited ?? 'modify')
  const entries = paths.map((path) => ({ action, path }))
  return sorted(entries, both ? 'modify' : stated)
}

function actionOf(word: string | undefined): FileAction | 'move' | null {
  const key = word?.toLowerCase() ?? ''
  return Object.hasOwn(ACTIONS, key) ? (ACTIONS[key] ?? null) : null
}

/** `path (new)` and `path (deleted)` have the action in a remark. */
function actionInNote(text: string): FileAction | null {
  const note = splitParens(text).asides.join(' ').toLowerCase()
  if (/^(new|create)\b/.test(note)) return 'create'
  return /^(deleted?|removed?)\b/.test(note) ? 'delete' : null
}

function moved(paths: readonly string[]): FileEntry[] {
  const [from, to] = paths
  if (from === undefined || to === undefined) return paths.map((path) => ({ action: 'modify', path }))
  return [
    { action: 'delete', path: from },
    { action: 'create', path: to },
  ]
}

function sorted(all: readonly FileEntry[], action: FileAction | null): FilesRead {
  return {
    entries: all.filter(({ path }) => !leavesRepository(path)),
    outside: all.filter(({ path }) => leavesRepository(path)),
    action,
  }
}

/** The paths in a text, in order, without remarks and line ranges. */
export function pathsIn(text: string): string[] {
  const { outside, asides } = splitParens(text)
  const more = asides.filter((aside) => /^\s{0,4}(\+|and\b|plus\b|also\b)/i.test(aside))
  const listed = beforeNote(outside)
  const spans = [listed, ...more].flatMap(spansIn)
  if (spans.length === 0) return barePaths(listed)
  const beside = barePaths(withoutSpans(listed)).filter((path) => path.includes('/'))
  return [...beside, ...withSiblings(spans)]
}

/** Whether a text contains only file names, besides a remark after a dash or in brackets. */
export function isPathsAlone(text: string): boolean {
  const parts = beforeNote(splitParens(text).outside).split(/[,;]|\s\+\s|\sand\s/)
  return parts.every((part) => isPathLike(cleanPath(linkText(part.trim()).replaceAll('`', ''))))
}

function withoutSpans(text: string): string {
  let plain = ''
  let from = 0
  for (const span of codeSpans(text)) {
    plain += text.slice(from, span.start)
    from = span.end
  }
  return plain + text.slice(from)
}

/** The text before a remark after a dash. */
function beforeNote(text: string): string {
  const spans = codeSpans(text)
  const start = spans.at(0)?.end ?? 0
  const match = NOTE.exec(text.slice(start))
  return match === null ? text : text.slice(0, start + match.index)
}

interface PathSpan {
  readonly path: string
  /** The text between it and the path before. */
  readonly joint: string
}

function spansIn(text: string): PathSpan[] {
  let from = 0
  const found: PathSpan[] = []
  for (const span of codeSpans(text)) {
    const path = cleanPath(span.code)
    if (isPathLike(path)) found.push({ path, joint: text.slice(from, span.start) })
    from = span.end
  }
  return found
}

/** A bare name beside a longer path is in the same folder, unless it is a file in the root. */
function withSiblings(spans: readonly PathSpan[]): string[] {
  const paths: string[] = []
  for (const { path, joint } of spans) {
    const before = paths.at(-1)
    const folder = before?.slice(0, before.lastIndexOf('/') + 1) ?? ''
    const bare = !path.includes('/') && !ROOT_FILE.test(path) && folder !== ''
    const beside = joint.includes('+') || (before !== undefined && ending(before) === ending(path))
    paths.push(bare && beside ? folder + path : path)
  }
  return paths
}

function ending(path: string): string {
  const dot = path.lastIndexOf('.')
  return dot === -1 ? '' : path.slice(dot)
}

function barePaths(text: string): string[] {
  return text.split(/[,;]|\s\+\s|\sand\s|\s(?:→|->|to)\s/).flatMap((part) => {
    const word = linkText(part.trim()).trim().split(/\s/, 1)[0] ?? ''
    const path = cleanPath(word)
    return isPathLike(path) ? [path] : []
  })
}

function cleanPath(text: string): string {
  const plain = text.trim().replace(/^["'*]{1,3}|["'*.,;]{1,3}$/g, '')
  const path = plain.replace(LINES, '').replace(/^\.\//, '')
  return path.endsWith(':') ? path.slice(0, -1) : path
}

/** Whether a text can be a path; commands, function names and URLs cannot. */
export function isPathLike(text: string): boolean {
  if (
    text === '' ||
    text.length > 500 ||
    /[\s()"'`|;=,]/.test(text) ||
    text.startsWith('-') ||
    text.includes('://')
  )
    return false
  if (/^[/.]+$/.test(text)) return false
  return (
    text.includes('/') ||
    /\.[A-Za-z][A-Za-z0-9]{0,11}$/.test(text) ||
    /^\.[A-Za-z]/.test(text) ||
    BARE_NAMES.test(text)
  )
}

/** Entries by action, each path once. */
export function draftFiles(entries: readonly FileEntry[]): DraftFiles {
  const of = (action: FileAction) => [
    ...new Set(entries.filter((entry) => entry.action === action).map((entry) => entry.path)),
  ]
  return {
    create: of('create'),
    modify: of('modify'),
    delete: of('delete'),
    test: of('test'),
    read: of('read'),
  }
}
