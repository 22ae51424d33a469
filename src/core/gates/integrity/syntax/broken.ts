/** Unparsable parts of a program that could hide a call that a tripwire looks for. */
import { hasError, walk, type SyntaxNode } from '../../../languages/syntax.ts'
import { firstIn, linesOf, type FactReader } from './facts.ts'

export interface BrokenPart {
  readonly line: number | null
  readonly text: string
}

/** Names of calls that tripwires look for. */
const WATCHED =
  /\b(skip\w*|Skip\w*|only|xit|xtest|xdescribe|xcontext|fit|fdescribe|fails|failing|xfail|expectedFailure|_?exit|Exit|exitCode|assert\w*|expect|refute\w*)\b/
const LONGEST = 120

/** On added lines. An error beside or around a call does not affect the call itself. */
export function brokenParts(code: FactReader | null, added: ReadonlySet<number>): readonly BrokenPart[] {
  if (code === null || !hasError(code.tree.root)) return []
  const found: BrokenPart[] = []
  const open: SyntaxNode[] = [code.tree.root]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    const isBroken = node.isError || (node.kind in code.kinds.calls && isLost(code, node))
    const text = isBroken ? ownWords(code, node) : ''
    if (isBroken && WATCHED.test(text) && firstIn(linesOf(node), added) !== null) {
      found.push({ line: node.line, text: `has a call that could not be parsed: ${text.slice(0, LONGEST)}` })
    } else for (const child of node.children) open.push(child)
  }
  return found
}

/** Whether the call itself has an error, not only a function passed to it. */
const isLost = (code: FactReader, call: SyntaxNode): boolean =>
  walk(call, ({ kind }) => !code.kinds.functions.has(kind)).some(
    ({ isError, isMissing }) => isError || isMissing,
  )

/** The text of an error, without calls in it that were parsed. */
function ownWords(code: FactReader, node: SyntaxNode): string {
  const { calls, members, texts, comments } = code.kinds
  if (!node.isError) return code.nameOf(node)
  return node.children
    .filter(({ kind }) => !(kind in calls) && !texts.has(kind) && !comments.has(kind))
    .map(({ kind, children, text }) => (children.length > 0 && !(kind in members) ? ' ' : text))
    .join(' ')
}
