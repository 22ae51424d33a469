/** The files a task names: `Create: \`a\``, `Modify: \`b:12-40\` (note)`, `\`a\`, \`b\``. */
import type { DraftFiles } from '../../draft.ts'
import { codeSpans, linkText, replaceCode, splitParens } from './inline.ts'
import { keyByWord } from './marks.ts'
import { leavesRepository } from '../commands/removal.ts'

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

const ACTIONS = keyByWord<FileAction | 'move'>({
  create: 'create|creates|add|new|write',
  modify: 'modify|modifies|update|updates|edit|change|extend|refactor',
  delete: 'delete|deletes|remove|removes',
  test: 'test|tests',
  read: 'read|reads|reference|references|keep|check|inspect|review|see',
  move: 'rename|move',
})
const NAMED_ACTION =
  /^\*{0,2}\[?([A-Za-z]{2,12})\]?(?:\s?(?:\/|or|and)\s?([A-Za-z]{2,12}))?\s?(?:\([^()]{0,80}\))?\*{0,2}\s?:\*{0,2}/
const LEADING_ACTION = /^\*{0,2}\[?([A-Za-z]{2,12})\]?\*{0,2}\s/
const ROOT_FILE =
  /^(readme|license|changelog|contributing|agents|claude|makefile|dockerfile|package|tsconfig|pyproject|cargo|go|bosun)\b|^\./i
const BARE_NAMES = /^(makefile|dockerfile|license|readme|codeowners|gemfile|rakefile|procfile|justfile)$/i
/** Nothing, options, dots, commands, function names and URLs. */
const NOT_A_PATH = /^$|^-|^[/.]+$|[\s()"'`|;=,]|:\/\//
const LINES = /(?::\d[\d,:\s-]{0,60}|#L\d[\dL-]{0,30})$/
const NOTE = /\s(?:—|–|--|-)\s/

/** Where another word with a colon begins: `Modify: a, Test: b`, `Modify: a. Create: b`. */
const NEXT_LABEL = /[,;.]\s{1,4}(?=\*{0,2}([A-Za-z]{2,12})\*{0,2}\s?:)/g

/** Reads one item of a file list. `inherited` applies where the item names no action. */
export function readFileItem(text: string, inherited: FileAction | null): FilesRead {
  const cuts = [...text.matchAll(NEXT_LABEL)].filter(([, word]) => actionOf(word) !== null)
  const starts = [0, ...cuts.map(({ index, 0: joint }) => index + joint.length)]
  const parts = starts.map((start, at) => readLabelled(text.slice(start, cuts[at]?.index), inherited))
  return {
    entries: parts.flatMap(({ entries }) => entries),
    outside: parts.flatMap(({ outside }) => outside),
    action: parts.at(-1)?.action ?? null,
  }
}

function readLabelled(text: string, inherited: FileAction | null): FilesRead {
  const named = NAMED_ACTION.exec(text)
  const first = actionOf(named?.[1])
  const leading = first === null ? LEADING_ACTION.exec(text) : null
  const stated = first ?? (text.includes('`') ? actionOf(leading?.[1]) : null)
  const rest = first !== null && named !== null ? text.slice(named[0].length) : text
  const both = named?.[2] !== undefined && actionOf(named[2]) !== null
  const paths = first === null ? pathsIn(rest) : pathsIn(rest, 'a list')
  if (stated === 'move') return sorted(moved(paths), null)
  const action = both ? 'modify' : (stated ?? actionInNote(rest) ?? inherited ?? 'modify')
  const entries = paths.map((path) => ({ action, path }))
  return sorted(entries, both ? 'modify' : stated)
}

function actionOf(word: string | undefined): FileAction | 'move' | null {
  return ACTIONS.get(word?.toLowerCase() ?? '') ?? null
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

/** The paths in a text, in order, without remarks and line ranges. In a list, names without an ending are files too. */
export function pathsIn(text: string, where: 'prose' | 'a list' = 'prose'): string[] {
  const { outside, asides } = splitParens(text)
  const more = asides.filter((aside) => /^\s{0,4}(\+|and\b|plus\b|also\b)/i.test(aside))
  const listed = beforeNote(outside)
  const spans = [listed, ...more].flatMap((part) => spansIn(part, where))
  if (spans.length === 0) return barePaths(listed)
  const beside = barePaths(replaceCode(listed, () => '')).filter((path) => path.includes('/'))
  return [...beside, ...withSiblings(spans)]
}

/** Whether a text contains only file names, besides a remark after a dash or in brackets. */
export function isPathsAlone(text: string): boolean {
  const parts = beforeNote(splitParens(text).outside).split(/[,;]|\s\+\s|\sand\s/)
  return parts.every((part) => isPathLike(cleanPath(linkText(part.trim()).replaceAll('`', ''))))
}

/** The text before a remark after a dash. */
function beforeNote(text: string): string {
  const start = codeSpans(text)[0]?.end ?? 0
  const match = NOTE.exec(text.slice(start))
  return match === null ? text : text.slice(0, start + match.index)
}

interface PathSpan {
  readonly path: string
  /** The text between it and the code before. */
  readonly joint: string
}

/** Between the files of a list. */
const LIST_JOINT = /^\s{0,4}(?:[,;+&]|and|[,;]\s{0,4}and)?\s{0,4}$/
const PLAIN_NAME = /^[A-Za-z][A-Za-z0-9_-]{0,60}$/

function spansIn(text: string, where: 'prose' | 'a list'): PathSpan[] {
  return codeSpans(text)
    .map(({ code, start }, index, spans) => ({
      path: cleanPath(code),
      joint: text.slice(spans[index - 1]?.end ?? 0, start),
    }))
    .filter(({ path, joint }) => {
      const isListed = where === 'a list' && LIST_JOINT.test(joint) && PLAIN_NAME.test(path)
      return isListed || isPathLike(path)
    })
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
  if (text.length > 500 || NOT_A_PATH.test(text)) return false
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
