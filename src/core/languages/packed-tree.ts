/** A syntax tree in flat arrays, for messages between processes and for caches. Nodes are created on access. */
import type { Language } from './languages.ts'
import type { SyntaxNode, SyntaxTree } from './syntax.ts'

export interface PackedTree {
  readonly kinds: readonly string[]
  readonly fields: readonly string[]
  /** Nodes in pre-order, `NUMBERS` values each. */
  readonly nodes: Int32Array
}

/** The values of a node: kind and flags, field from 1, start, end, number of descendants. */
export const NUMBERS = 5
const [KIND, FIELD, START, END, BELOW] = [0, 1, 2, 3, 4]
const KIND_BITS = 16
export const NAMED = 1 << KIND_BITS
export const ERROR = 2 << KIND_BITS
export const MISSING = 4 << KIND_BITS
const KIND_MASK = NAMED - 1

export function unpackTree(packed: PackedTree, language: Language, text: string): SyntaxTree {
  const lineStarts = [0]
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lineStarts.push(at + 1)
  return { language, text, root: new PackedNode({ packed, text, lineStarts }, 0, null) }
}

interface Whole {
  readonly packed: PackedTree
  readonly text: string
  readonly lineStarts: readonly number[]
}

function lineAt({ lineStarts }: Whole, offset: number): number {
  let [low, high] = [0, lineStarts.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((lineStarts[middle] ?? 0) <= offset) low = middle + 1
    else high = middle
  }
  return low
}

class PackedNode implements SyntaxNode {
  readonly #whole: Whole
  readonly #at: number
  readonly parent: SyntaxNode | null
  #children: readonly SyntaxNode[] | null = null

  constructor(whole: Whole, at: number, parent: SyntaxNode | null) {
    this.#whole = whole
    this.#at = at
    this.parent = parent
  }

  get kind(): string {
    return this.#whole.packed.kinds[this.#number(KIND) & KIND_MASK] ?? ''
  }

  get field(): string | null {
    return this.#whole.packed.fields[this.#number(FIELD) - 1] ?? null
  }

  get start(): number {
    return this.#number(START)
  }

  get end(): number {
    return this.#number(END)
  }

  get text(): string {
    return this.#whole.text.slice(this.start, this.end)
  }

  get line(): number {
    return lineAt(this.#whole, this.start)
  }

  get lastLine(): number {
    return lineAt(this.#whole, this.end)
  }

  get isNamed(): boolean {
    return (this.#number(KIND) & NAMED) !== 0
  }

  get isError(): boolean {
    return (this.#number(KIND) & ERROR) !== 0
  }

  get isMissing(): boolean {
    return (this.#number(KIND) & MISSING) !== 0
  }

  get children(): readonly SyntaxNode[] {
    return (this.#children ??= this.#makeChildren())
  }

  #makeChildren(): readonly SyntaxNode[] {
    const { nodes } = this.#whole.packed
    const children: SyntaxNode[] = []
    const end = this.#at + this.#number(BELOW)
    for (let at = this.#at + 1; at <= end; at += 1 + (nodes[at * NUMBERS + BELOW] ?? 0)) {
      children.push(new PackedNode(this.#whole, at, this))
    }
    return children
  }

  #number(which: number): number {
    return this.#whole.packed.nodes[this.#at * NUMBERS + which] ?? 0
  }
}
