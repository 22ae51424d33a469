/** YAML and JSON text as plain values, with the line of every path. Bad text is a list of errors, never a throw. */
import {
  Alias,
  isAlias,
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  visit,
  type Document,
} from 'yaml'

export interface ParsedText {
  /** Undefined where there are errors. */
  readonly value: unknown
  /** The line, from 1, of what stands at a path; of the nearest thing above it where nothing does. */
  readonly lineOf: (path: readonly (string | number)[]) => number
  readonly errors: readonly { readonly line: number; readonly message: string }[]
}

/** Plans and settings need none; a few are harmless, many are an attack. */
const MAX_ALIASES = 50
const MAX_ERRORS = 50

/** Duplicate keys, tags and heaps of aliases are errors. */
export function parseYamlText(text: string): ParsedText {
  return parsed(text, () => undefined)
}

/** JSON is read strictly; the places of its parts are found as in YAML, of which it is a kind. */
export function parseJsonText(text: string): ParsedText {
  return parsed(text, jsonError)
}

function parsed(text: string, more: (text: string, lines: LineCounter) => LineError | undefined): ParsedText {
  const lines = new LineCounter()
  try {
    const document = parseDocument(text, {
      lineCounter: lines,
      strict: true,
      uniqueKeys: true,
      logLevel: 'silent',
    })
    const errors = [...syntaxErrors(document, lines), ...forbidden(document, lines)]
    const strict = errors.length === 0 ? more(text, lines) : undefined
    if (strict !== undefined) errors.push(strict)
    if (errors.length > 0) return failed(errors)
    const value: unknown = document.toJS({ maxAliasCount: MAX_ALIASES })
    return { value, lineOf: lineFinder(document, lines), errors: [] }
  } catch (error) {
    const deep = error instanceof RangeError
    return failed([{ line: 1, message: deep ? 'it is nested too deeply' : firstLine(error) }])
  }
}

interface LineError {
  readonly line: number
  readonly message: string
}

function failed(errors: readonly LineError[]): ParsedText {
  return { value: undefined, lineOf: () => 1, errors: errors.slice(0, MAX_ERRORS) }
}

function firstLine(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  return message.split('\n', 1)[0] ?? message
}

function syntaxErrors(document: Document, lines: LineCounter): LineError[] {
  return [...document.errors, ...document.warnings].map((error) => ({
    line: lines.linePos(error.pos[0]).line,
    message: firstLine(error).replace(/ at line \d+, column \d+:?$/, ''),
  }))
}

function forbidden(document: Document, lines: LineCounter): LineError[] {
  const errors: LineError[] = []
  let aliases = 0
  const at = (offset: number | undefined) => lines.linePos(offset ?? 0).line
  visit(document, {
    Node: (_key, node) => {
      if (node instanceof Alias || isAlias(node)) {
        aliases++
        if (aliases === MAX_ALIASES + 1)
          errors.push({ line: at(node.range?.[0]), message: 'too many aliases' })
      } else if (node.tag !== undefined && node.srcToken !== undefined) {
        errors.push({ line: at(node.range?.[0]), message: `the tag ${node.tag} is not allowed` })
      } else if (hasExplicitTag(node)) {
        errors.push({ line: at(node.range?.[0]), message: 'tags are not allowed' })
      }
    },
  })
  return errors
}

/** The library keeps the tag of a node only where the text wrote one. */
function hasExplicitTag(node: { readonly tag?: string | undefined }): boolean {
  return typeof node.tag === 'string' && node.tag !== ''
}

/** V8 names the place of some mistakes only; the text's last line stands for the others. */
function jsonError(text: string, lines: LineCounter): LineError | undefined {
  try {
    JSON.parse(text)
    return undefined
  } catch (error) {
    const message = firstLine(error)
    const position = /position (\d+)/.exec(message)?.[1]
    const line = lines.linePos(position === undefined ? text.trimEnd().length : Number(position)).line
    return { line, message: message.replace(/ in JSON at position \d+.*$/, '') }
  }
}

function lineFinder(document: Document, lines: LineCounter): ParsedText['lineOf'] {
  const pairs = new WeakMap<object, Map<string, { key: unknown; value: unknown }>>()
  const indexOf = (map: { items: unknown[] }) => {
    const known = pairs.get(map)
    if (known !== undefined) return known
    const index = new Map<string, { key: unknown; value: unknown }>()
    for (const pair of map.items) {
      if (isPair(pair)) index.set(isScalar(pair.key) ? String(pair.key.value) : String(pair.key), pair)
    }
    pairs.set(map, index)
    return index
  }
  const offsetOf = (node: unknown): number | undefined => (isNode(node) ? node.range?.[0] : undefined)
  return (path) => {
    let node: unknown = document.contents
    let offset = offsetOf(node) ?? 0
    for (const part of path) {
      if (isAlias(node)) node = node.resolve(document)
      if (isMap(node)) {
        const pair = indexOf(node).get(String(part))
        if (pair === undefined) break
        offset = offsetOf(pair.key) ?? offset
        node = pair.value
      } else if (isSeq(node) && typeof part === 'number') {
        const item: unknown = node.items[part]
        if (item === undefined) break
        offset = offsetOf(item) ?? offset
        node = item
      } else {
        break
      }
    }
    return lines.linePos(offset).line
  }
}
