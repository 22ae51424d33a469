/** Prints the syntax tree of a file, as the gates see it: `npm run tree FILE`. Keywords and punctuation are left out. */
import { readFileSync } from 'node:fs'
import { unpackTree } from '../src/core/languages/packed-tree.ts'
import type { SyntaxNode } from '../src/core/languages/syntax.ts'
import { requestFor } from '../src/parsing/parse-messages.ts'
import { TreeSitter } from '../src/parsing/tree-sitter.ts'

const LONGEST_TEXT = 60

const [path] = process.argv.slice(2)
if (path === undefined) throw new Error('name a file: npm run tree FILE')
const asked = requestFor({ path, text: readFileSync(path, 'utf8') })
if ('unread' in asked) throw new Error(`${path} has no tree: ${asked.unread}`)
const treeSitter = await TreeSitter.load({ cpuMs: 10_000, maxRssBytes: Number.MAX_SAFE_INTEGER })
await treeSitter.loadGrammar(asked.request.grammar)
const packed = treeSitter.parse(asked.request)
if ('unread' in packed) throw new Error(`${path} has no tree: ${packed.unread}`)
print(unpackTree(packed, asked.language, asked.request.text).root, 0)

function print(node: SyntaxNode, depth: number): void {
  const children = node.children.filter((child) => child.isNamed || child.isError || child.isMissing)
  const field = node.field === null ? '' : `${node.field}: `
  const mark = node.isMissing ? ' (missing)' : ''
  const text = children.length === 0 ? ` ${JSON.stringify(node.text.slice(0, LONGEST_TEXT))}` : ''
  console.log(`${'  '.repeat(depth)}${node.line} ${field}${node.kind}${mark}${text}`)
  for (const child of children) print(child, depth + 1)
}
