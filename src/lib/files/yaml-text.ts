/** YAML and JSON text as plain values, with the line of every path. Bad text is a list of errors, never a throw. */
import {
  isAlias,
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  stringify,
  visit,
  type Document,
  type Pair,
  type YAMLMap,
} from 'yaml'

export interface ParsedText {
  /** Undefined where there are errors. */
  readonly value: unknown
  /** The line, from 1, of what stands at a path; of the nearest thing above it where nothing does. */
  readonly lineOf: (path: readonly (string | number)[]) => number
  /** A number at a path as its author wrote it: `1.10` is the number 1.1. Null where no number stands there. */
  readonly numberText: (path: readonly (string | number)[]) => string | null
  readonly errors: readonly LineError[]
}

interface LineError {
  readonly line: number
  readonly message: string
}

/** Plans and settings need none; a few are harmless, many are an attack. */
const MAX_ALIASES = 50
const MAX_ERRORS = 50

/** Duplicate keys, tags and heaps of aliases are errors. */
export function parseYamlText(text: string): ParsedText {
  const lines = new LineCounter()
  try {
    // The library's own check for duplicate keys compares each key with all before it.
    const document = parseDocument(text, { lineCounter: lines, uniqueKeys: false, logLevel: 'error' })
    const errors = [...syntaxErrors(document, lines), ...forbidden(document, lines)]
    if (errors.length > 0) return failed(errors)
    const value: unknown = document.toJS({ maxAliasCount: MAX_ALIASES })
    const walk = walker(document)
    const lineOf: ParsedText['lineOf'] = (path) => lines.linePos(walk(path).offset).line
    const numberText: ParsedText['numberText'] = (path) => writtenNumber(walk(path).found)
    return { value, lineOf, numberText, errors: [] }
  } catch (error) {
    return failed([{ line: 1, message: messageOf(error) }])
  }
}

/** A value as YAML that reads back to the same value. Lines are not folded. */
export const yamlOf = (value: unknown): string =>
  stringify(value, { lineWidth: 0, aliasDuplicateObjects: false })

/** JSON is checked strictly; the places of its parts are found as in YAML, of which it is a kind. */
export function parseJsonText(text: string): ParsedText {
  try {
    JSON.parse(text)
  } catch {
    const at = jsonMistakeAt(text)
    const line = text.slice(0, at).split('\n').length
    return failed([{ line, message: `unexpected ${unexpectedAt(text, at)}` }])
  }
  return parseYamlText(text)
}

function unexpectedAt(text: string, at: number): string {
  if (at >= text.trimEnd().length) return 'end of file'
  // A string is not closed.
  return text[at] === '\n' ? 'end of line' : JSON.stringify(text.slice(at, at + 20))
}

function failed(errors: readonly LineError[]): ParsedText {
  return { value: undefined, lineOf: () => 1, numberText: () => null, errors: errors.slice(0, MAX_ERRORS) }
}

function messageOf(error: unknown): string {
  const message = (error instanceof Error ? error.message : String(error)).split('\n', 1)[0] ?? ''
  if (message.startsWith('Maximum call stack')) return 'nested too deeply'
  return message.replace(/; please use .*$/, '').replace(/ at line \d+, column \d+:?$/, '')
}

/** What the library only warns of, like a tag it does not know, is an error here. */
function syntaxErrors(document: Document.Parsed, lines: LineCounter): LineError[] {
  const found = [...document.errors, ...document.warnings].slice(0, MAX_ERRORS)
  return found.map((error) => ({ line: lines.linePos(error.pos[0]).line, message: messageOf(error) }))
}

function forbidden(document: Document.Parsed, lines: LineCounter): LineError[] {
  const errors: LineError[] = []
  let aliases = 0
  const report = (node: unknown, message: string) => {
    if (errors.length < MAX_ERRORS) errors.push({ line: lines.linePos(offsetOf(node) ?? 0).line, message })
  }
  visit(document, {
    Alias: (_key, node) => {
      aliases++
      if (aliases === MAX_ALIASES + 1) report(node, 'too many aliases')
    },
    Value: (_key, node) => {
      if (node.tag !== undefined) report(node, `the tag ${node.tag} is not allowed`)
    },
    Map: (_key, node) => {
      for (const { pair, first } of repeatedKeys(node)) {
        const before = lines.linePos(offsetOf(first.key) ?? 0).line
        report(pair.key, `the key "${keyOf(pair)}" is repeated; first used in line ${before}`)
      }
      if (node.tag !== undefined) report(node, `the tag ${node.tag} is not allowed`)
    },
  })
  return errors
}

function repeatedKeys(map: YAMLMap): { readonly pair: Pair; readonly first: Pair }[] {
  const seen = new Map<string, Pair>()
  return map.items.flatMap((pair) => {
    const first = seen.get(keyOf(pair))
    if (first !== undefined) return [{ pair, first }]
    seen.set(keyOf(pair), pair)
    return []
  })
}

function keyOf(pair: Pair): string {
  return isScalar(pair.key) ? String(pair.key.value) : String(pair.key)
}

function offsetOf(node: unknown): number | undefined {
  return isNode(node) ? node.range?.[0] : undefined
}

function writtenNumber(node: unknown): string | null {
  return isScalar(node) && typeof node.value === 'number' ? (node.source ?? String(node.value)) : null
}

/** What stands at a path, undefined where nothing does, and where in the text that is or the nearest thing above it. */
type Walk = (path: readonly (string | number)[]) => { readonly found: unknown; readonly offset: number }

function walker(document: Document.Parsed): Walk {
  const indexes = new WeakMap<YAMLMap, ReadonlyMap<string, Pair>>()
  const pairsOf = (map: YAMLMap): ReadonlyMap<string, Pair> => {
    const known = indexes.get(map)
    if (known !== undefined) return known
    const index = new Map(map.items.filter(isPair).map((pair) => [keyOf(pair), pair] as const))
    indexes.set(map, index)
    return index
  }
  return (path) => {
    let node: unknown = document.contents
    let offset = offsetOf(node) ?? 0
    for (const part of path) {
      if (isAlias(node)) node = node.resolve(document)
      if (isMap(node)) {
        const pair = pairsOf(node).get(String(part))
        if (pair === undefined) return { found: undefined, offset }
        offset = offsetOf(pair.key) ?? offset
        node = pair.value
      } else if (isSeq(node) && typeof part === 'number' && part < node.items.length) {
        node = node.items[part]
        offset = offsetOf(node) ?? offset
      } else {
        return { found: undefined, offset }
      }
    }
    return { found: isAlias(node) ? node.resolve(document) : node, offset }
  }
}

/**
 * The offset of the first character that cannot stand where it stands; the text's length where its end is missing. The engine names
 * no place for many mistakes, but says when only the end is missing: so it is asked about beginnings of the text.
 */
export function jsonMistakeAt(text: string): number {
  let [fits, fails] = [0, text.length + 1]
  while (fails - fits > 1) {
    const middle = Math.floor((fits + fails) / 2)
    if (isBeginningOfJson(text.slice(0, middle))) fits = middle
    else fails = middle
  }
  return fits
}

function isBeginningOfJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch (error) {
    const message = String(error)
    const [, place] = / at position (\d+)/.exec(message) ?? []
    return message.includes('Unexpected end of JSON') || Number(place ?? -1) >= text.length
  }
}
