/**
 * Prints every message of `src`, one a line with its place, to be read through: `npm run messages [folder or file…]`.
 * A message is a string or template of more than one word, or any text under a key such as `message` or `remedy`.
 */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isNode, parseSource, walk, type SyntaxNode } from '../test/architecture/syntax.ts'

const root = join(import.meta.dirname, '..')
const NOT_SHIPPED = /\.(test|fixture|conformance)\.ts$/
/** Keys whose text people read, even a single word of it. */
const READ_BY_PEOPLE = /^(message|remedy|summary|help|what|why|problem|impact|text|title|label|note)$/
const TWO_WORDS = /[A-Za-z]{2,}[,;:.]? +\S*[A-Za-z]{2,}|[a-z] \0|\0 [a-z]{2,}/
/** Code in strings: SQL, shell, patterns, CSS and paths of git. */
const CODE =
  /^\s*(select|insert|update|delete|create|alter|drop|begin|pragma|with|#!|<)|[\\^]\w|\(\?|[)?]\||\|\w+\(|[{;]\n/
/** Types, imports and tagged templates (`String.raw`) hold no message. */
const PASSED_OVER = /^(TS(?!As|Satisfies|NonNull|Instantiation)|Import|TaggedTemplate|ExportAll)/

interface Message {
  readonly line: number
  readonly text: string
}

function messagesIn(file: string, source: string): readonly Message[] {
  const syntax = parseSource(file, source)
  const found: Message[] = []
  walk(syntax.program, (node, parent) => {
    if (PASSED_OVER.test(node.type)) return false
    const parts = textOf(node, source)
    if (parts === null) return undefined
    const isKeyed =
      parent?.type === 'Property' && READ_BY_PEOPLE.test(keyOf(parent)) && parent['key'] !== node
    const isRead = isKeyed
      ? /[A-Za-z]/.test(parts.bare)
      : TWO_WORDS.test(parts.bare) && !CODE.test(parts.bare)
    if (isRead) found.push({ line: syntax.lineAt(node.start), text: parts.shown.replaceAll('\n', '\\n') })
    // Holes of a template may hold messages of their own.
    return undefined
  })
  return found
}

interface Text {
  /** With each hole as NUL. */
  readonly bare: string
  /** With each hole as its source. */
  readonly shown: string
}

function textOf(node: SyntaxNode, source: string): Text | null {
  if (node.type === 'Literal' && typeof node['value'] === 'string')
    return { bare: node['value'], shown: node['value'] }
  if (node.type !== 'TemplateLiteral') return null
  const pieces = (node['quasis'] as readonly { value: { cooked: string } }[]).map(({ value }) => value.cooked)
  const holes = (node['expressions'] as readonly (SyntaxNode & { end: number })[]).map(
    ({ start, end }) => `\${${source.slice(start, end).replaceAll(/\s+/g, ' ')}}`,
  )
  const shown = pieces.map((piece, at) => `${piece}${holes[at] ?? ''}`).join('')
  return { bare: pieces.join('\0'), shown }
}

function keyOf(property: SyntaxNode): string {
  const { key } = property
  return isNode(key) ? String(key['name'] ?? key['value']) : ''
}

const wanted = process.argv.slice(2).map((path) => path.replace(/\/+$/, ''))
const files = globSync('src/**/*.ts', { cwd: root })
  .filter((file) => !NOT_SHIPPED.test(file))
  .filter(
    (file) => wanted.length === 0 || wanted.some((path) => file === path || file.startsWith(`${path}/`)),
  )
let count = 0
for (const file of files.sort()) {
  for (const { line, text } of messagesIn(file, readFileSync(join(root, file), 'utf8'))) {
    console.log(`${file}:${line}\t${text}`)
    count++
  }
}
console.error(`${count} messages in ${files.length} files`)
