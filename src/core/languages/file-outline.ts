/** Outlines a file by the names of its exports, headings and tests, found by patterns without parsing. */
import { languageOf, type LanguageName } from './languages.ts'
import { isTestPath } from './paths.ts'
import { plainLine } from '../../lib/text/quoted.ts'

export interface Outline {
  readonly holds: readonly string[]
  /** How many more names there are. */
  readonly more: number
}

export const NO_OUTLINE: Outline = { holds: [], more: 0 }

const MOST_NAMES = 12
const MOST_CHARACTERS = 128 * 1024
/** Longer lines are generated or minified. */
const LONGEST_LINE = 400
const LONGEST_NAME = 60

type Reader = (line: string) => readonly string[]

export function outlineOf(path: string, text: string): Outline {
  const read = readerFor(path)
  if (read === null) return NO_OUTLINE
  const found = new Set<string>()
  for (const line of text.slice(0, MOST_CHARACTERS).split('\n')) {
    if (line.length > LONGEST_LINE) continue
    for (const name of read(line)) {
      const plain = plainLine(name, LONGEST_NAME)
      if (plain !== '') found.add(plain)
    }
  }
  return { holds: [...found].slice(0, MOST_NAMES), more: Math.max(0, found.size - MOST_NAMES) }
}

/** Whether the file can have an outline. */
export const hasOutline = (path: string): boolean => readerFor(path) !== null

function readerFor(path: string): Reader | null {
  const name = languageOf(path)?.name
  const read = name === undefined ? undefined : READERS[name]
  if (read === undefined) return null
  return read === scriptNames && isTestPath(path) ? (line) => [...testTitle(line), ...read(line)] : read
}

const first =
  (pattern: RegExp): Reader =>
  (line) => {
    const name = pattern.exec(line)?.[1]
    return name === undefined ? [] : [name]
  }

const testTitle = first(/^\s{0,12}(?:test|it|describe)(?:\.\w{1,12})?\(\s{0,3}['"`]([^'"`]{1,120})/)

function scriptNames(line: string): readonly string[] {
  const list = /^(?:export(?: type)? |module\.exports ?= ?)\{([^{}]*)\}/.exec(line)?.[1]
  if (list !== undefined) return list.split(',').map((part) => part.split(/ as |:/).at(-1) ?? '')
  const declared =
    /^export (?:declare )?(?:default )?(?:abstract )?(?:async )?(?:function\*?|class|const|let|var|interface|type|enum|namespace) ([\w$]+)/.exec(
      line,
    )?.[1]
  if (declared !== undefined) return [declared]
  if (/^export default\b/.test(line)) return ['default']
  const assigned = /^(?:module\.)?exports\.([\w$]+) ?=/.exec(line)?.[1]
  return assigned === undefined ? [] : [assigned]
}

const typeName = first(
  /^\s{0,8}(?:\w{2,12} ){0,4}(?:class|interface|record|enum|object|struct|protocol) (\w+)/,
)
const cFunction = first(/^(?:[\w:*&<>]+ ){1,5}[*&]?([\w:~]+)\(/)

const READERS: Readonly<Partial<Record<LanguageName, Reader>>> = {
  typescript: scriptNames,
  javascript: scriptNames,
  markdown: first(/^#{1,3} (.+)$/),
  python: first(/^(?:async )?(?:def|class) (\w+)/),
  go: first(/^(?:func (?:\([^()]*\) )?|type |var |const )([A-Z]\w*)/),
  rust: first(
    /^\s{0,8}pub(?:\([^()]*\))? (?:async |unsafe |const )?(?:fn|struct|enum|trait|mod|type|static|const) (\w+)/,
  ),
  java: typeName,
  kotlin: typeName,
  csharp: typeName,
  swift: typeName,
  scala: typeName,
  ruby: first(/^\s{0,4}(?:class|module|def) ([\w.:?!]+)/),
  php: first(/^\s{0,4}(?:\w{2,12} ){0,3}(?:class|interface|trait|function) (\w+)/),
  c: cFunction,
  cpp: cFunction,
  shell: first(/^(?:function )?([\w-]+) ?\(\)/),
  sql: first(/^\s{0,4}create (?:or replace )?(?:table|view|index|function) (?:if not exists )?([\w."]+)/i),
  yaml: first(/^([\w.-]+):/),
  toml: first(/^\[{1,2}([\w.-]+)\]/),
  json: first(/^ {1,4}"([^"]+)":/),
}
