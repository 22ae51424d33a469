/** Links a task to earlier tasks by files, by names that titles introduce, and by what its text mentions. */
import { folderOf, isFolderPath, normalPath } from '../../languages/paths.ts'
import type { Linkable } from './dependencies.ts'

export interface FileUse extends Pick<Linkable, 'writes' | 'reads' | 'creates'> {
  /** Paths its text mentions; they count where an earlier task creates them. */
  readonly mentions: readonly string[]
  /** False where the author states the dependencies; others may still follow this task. */
  readonly follows: boolean
}

/**
 * Per task, the places of the earlier tasks it follows. Of several earlier writers only the last is listed, since it
 * follows the others.
 */
export function fileLinks(tasks: readonly FileUse[]): readonly (readonly number[])[] {
  const folders = new Set(tasks.flatMap((task) => task.writes.filter(isFolderPath).map(normalPath)))
  const writers = new Map<string, Set<number>>()
  /** Writers of files inside a folder that some task writes as a whole. */
  const inside = new Map<string, Set<number>>()
  const creators = new Map<string, number>()
  return tasks.map((task, place) => {
    const links = new Set<number>()
    const follow = (from: Iterable<number> | undefined): void => {
      for (const writer of from ?? []) if (writer !== place) links.add(writer)
    }
    for (const path of new Set([...task.reads, ...task.writes].map(normalPath))) {
      follow(writers.get(path))
      follow(inside.get(path))
      for (const folder of parents(path, folders)) follow(writers.get(folder))
    }
    for (const path of new Set(task.mentions)) {
      const creator = creators.get(path)
      if (creator !== undefined && !task.writes.includes(path)) links.add(creator)
    }
    for (const path of task.creates.map(normalPath)) if (!creators.has(path)) creators.set(path, place)
    for (const path of new Set(task.writes.map(normalPath))) {
      if (task.follows) {
        writers.delete(path)
        inside.delete(path)
      }
      put(writers, path, place)
      for (const folder of parents(path, folders)) put(inside, folder, place)
    }
    return task.follows ? [...links].sort((a, b) => a - b) : []
  })
}

function put<K>(map: Map<K, Set<number>>, key: K, value: number): void {
  const values = map.get(key)
  if (values === undefined) map.set(key, new Set([value]))
  else values.add(value)
}

function parents(path: string, folders: ReadonlySet<string>): readonly string[] {
  const found: string[] = []
  if (folders.size === 0) return found
  for (let folder = folderOf(path); folder !== ''; folder = folderOf(folder)) {
    if (folders.has(folder)) found.push(folder)
  }
  return found
}

const QUOTED = /`([^`\n]+)`/g
const CODE_NAME = /^[A-Za-z_$][\w$]{3,}$/
/** Camel case or an inner underscore: not an ordinary word. */
const CODE_WORD = /\b(?:[a-z]+[A-Z]\w*|[A-Z][a-z0-9]+(?:[A-Z][a-z0-9]*)+|[A-Za-z]+_\w+)\b/g
const TEXT_LIMIT = 50_000

/** Per task, the places of the earlier tasks whose title introduces a name this task uses. */
export function nameLinks(
  tasks: readonly Pick<Linkable, 'title' | 'text'>[],
): readonly (readonly number[])[] {
  const introducedBy = new Map<string, number>()
  return tasks.map((task, place) => {
    const text = `${task.title}\n${task.text.slice(0, TEXT_LIMIT)}`
    const used = new Set([...codeWords(text), ...quotedNames(text)])
    const links = new Set([...used].flatMap((name) => introducedBy.get(name) ?? []))
    for (const name of [...codeWords(task.title), ...quotedNames(task.title)]) {
      if (!introducedBy.has(name)) introducedBy.set(name, place)
    }
    return [...links].sort((a, b) => a - b)
  })
}

/** An ordinary word in backquotes is a name for tasks that quote it too. */
function quotedNames(text: string): readonly string[] {
  return [...text.matchAll(QUOTED)].map((match) => match[1] ?? '').filter((name) => CODE_NAME.test(name))
}

function codeWords(text: string): readonly string[] {
  return (text.match(CODE_WORD) ?? []).filter((word) => word.length >= 5 && !COMMON.has(word))
}

/** Well-known product names that look like code. */
const COMMON: ReadonlySet<string> = new Set([
  'TypeScript',
  'JavaScript',
  'GitHub',
  'GitLab',
  'OpenAPI',
  'PostgreSQL',
  'SQLite',
  'MySQL',
  'MongoDB',
  'GraphQL',
  'FastAPI',
  'OpenAI',
  'OpenCode',
  'DevOps',
  'README_md',
])

const LIST =
  /\btasks?\s+#?([A-Za-z]{0,6}-?\d[\w.-]*(?:\s*(?:,|and|&|\+|or|-|–|—|to|through|,\s*and)\s*(?:task\s+)?#?[A-Za-z]{0,6}-?\d[\w.-]*)*)/gi
const BARE = /\b[A-Za-z]{1,6}-?\d[\w.-]*\b/g
const RANGE = /^(.+?)\s*(?:-|–|—|to|through)\s*(?:task\s+)?#?(.+)$/i
const DENIAL =
  /\b(independent(ly)? (of|from)|(not|n't) (depend|rely|touch|need|block)\w*( on)?|no dependency on|unlike|unrelated to|parallel (with|to)|before|instead of)\s*$/i
const LONGEST_RANGE = 50
const MOST_MENTIONS = 50

/** The places of tasks in a plan, by id. */
export type Places = ReadonlyMap<string, number>

/**
 * Finds the tasks a text mentions ("Task 3", "Tasks 2, 3 and 5", "tasks 1–4", "T-01"): their places, each once, in plan
 * order.
 */
export function mentionFinder(places: Places): (text: string) => readonly number[] {
  const bareIds = [...places.keys()].some((id) => /^[A-Za-z]{1,6}-?\d/.test(id))
  return (text) => {
    const read = text.slice(0, TEXT_LIMIT)
    const denied = (at: number): boolean => DENIAL.test(read.slice(Math.max(0, at - 40), at))
    const found = new Set<number>()
    for (const match of read.matchAll(LIST)) {
      if (denied(match.index)) continue
      for (const place of placesInList(match[1] ?? '', places)) found.add(place)
    }
    for (const match of bareIds ? read.matchAll(BARE) : []) {
      const place = places.get(withoutFullStop(match[0]))
      if (place !== undefined && !denied(match.index)) found.add(place)
    }
    return [...found].slice(0, MOST_MENTIONS).sort((a, b) => a - b)
  }
}

function placesInList(list: string, places: Places): readonly number[] {
  return list
    .split(/\s*(?:,|&|\+|\band\b|\bor\b)\s*/i)
    .map((item) =>
      item
        .replace(/^task\s+/i, '')
        .replace(/^#/, '')
        .trim(),
    )
    .flatMap((item) => placesOf(item, places))
}

function placesOf(item: string, places: Places): readonly number[] {
  const exact = places.get(withoutFullStop(item))
  if (exact !== undefined) return [exact]
  const range = RANGE.exec(item)
  const from = places.get(withoutFullStop(range?.[1] ?? ''))
  const to = places.get(withoutFullStop(range?.[2] ?? ''))
  if (from === undefined || to === undefined || to < from || to - from > LONGEST_RANGE) return []
  return Array.from({ length: to - from + 1 }, (_, step) => from + step)
}

function withoutFullStop(id: string): string {
  return id.replace(/[.-]+$/, '')
}

const PATH = /(?<![\w.@/-])[\w.@-]+(?:\/[\w.@[\]-]+)+/g

/** Paths in a text, each once. `cd a && test b/c` yields `b/c` and `a/b/c`. */
export function mentionedPaths(text: string): readonly string[] {
  const found = new Set<string>()
  for (const line of text.slice(0, TEXT_LIMIT).split('\n')) {
    const folder = /\bcd\s+([\w./@-]+?)\/?\s*(?:&&|;)/.exec(line)?.[1]
    for (const [path] of line.matchAll(PATH)) {
      const plain = path.replace(/^\.\//, '').replace(/[.:-]+$/, '')
      found.add(plain)
      if (folder !== undefined) found.add(`${folder.replace(/^\.\//, '')}/${plain}`)
    }
  }
  return [...found]
}
