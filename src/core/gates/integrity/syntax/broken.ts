/** Unparsable parts of a program that could hide a call that a tripwire looks for. */
import { hasError, type SyntaxNode } from '../../../languages/syntax.ts'
import type { FactReader } from './facts.ts'

export interface BrokenPart {
  readonly line: number | null
  readonly text: string
}

/** Names of calls that tripwires look for. */
const WATCHED =
  /\b(skip\w*|Skip\w*|only|xit|xtest|xdescribe|xcontext|fit|fdescribe|fails|failing|xfail|expectedFailure|_?exit|Exit|exitCode|assert\w*|expect|refute\w*)\b/
const LONGEST = 120

/** On added lines. An error beside or around a call does not affect the call itself. */
export function brokenParts(code: FactReader | null, come: ReadonlySet<number>): readonly BrokenPart[] {
  if (code === null || !hasError(code.tree.root)) return []
  const found: BrokenPart[] = []
  const open: SyntaxNode[] = [code.tree.root]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    const isBroken = node.isError || (node.kind in code.kinds.calls && isLost(code, node))
    const text = isBroken ? ownWords(code, node) : ''
    if (isBroken && WATCHED.test(text) && touches(code, node, come)) {
      found.push({ line: node.line, text: `has a call that could not be parsed: ${text.slice(0, LONGEST)}` })
    } else open.push(...node.children)
  }
  return found
}

/** Whether the call itself has an error, not only a function passed to it. */
function isLost(code: FactReader, call: SyntaxNode): boolean {
  const open = [...call.children]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.isError || node.isMissing) return true
    if (!code.kinds.functions.has(node.kind)) open.push(...node.children)
  }
  return false
}

/** The text of an error, without calls in it that were parsed. */
function ownWords(code: FactReader, node: SyntaxNode): string {
  if (!node.isError) return code.nameOf(node)
  return node.children
    .filter(
      ({ kind }) =>
        !(kind in code.kinds.calls) && !code.kinds.texts.has(kind) && !code.kinds.comments.has(kind),
    )
    .map((child) => (child.children.length > 0 && !isName(code, child) ? ' ' : code.source(child)))
    .join(' ')
}

const isName = (code: FactReader, { kind }: SyntaxNode): boolean => kind in code.kinds.members

function touches(code: FactReader, node: SyntaxNode, come: ReadonlySet<number>): boolean {
  const { from, to } = code.linesOf(node, node.line)
  for (let line = from; line <= to; line++) if (come.has(line)) return true
  return false
}
