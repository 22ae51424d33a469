/** Loads tree-sitter into this process, with grammars on demand and a limit on every parse. */
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import treeSitter from '@vscode/tree-sitter-wasm'
import type { Grammar } from '../core/languages/languages.ts'
import { ERROR, MISSING, NAMED, NUMBERS, type PackedTree } from '../core/languages/packed-tree.ts'
import type { Unread } from '../core/languages/syntax.ts'
import type { ParseRequest } from './parse-messages.ts'

export interface ParseLimits {
  /** Processor time, so that load on the machine does not matter. */
  readonly cpuMs: number
  /** Checked while it parses. */
  readonly maxRssBytes: number
}

export class TreeSitter {
  readonly #parser: treeSitter.Parser
  readonly #folder: string
  readonly #limits: ParseLimits
  readonly #languages = new Map<Grammar, treeSitter.Language>()

  private constructor(folder: string, limits: ParseLimits) {
    this.#parser = new treeSitter.Parser()
    this.#folder = folder
    this.#limits = limits
  }

  static async load(limits: ParseLimits): Promise<TreeSitter> {
    // Works from source and from the bundle: both are below the package folder.
    const { resolve } = createRequire(join(import.meta.dirname, 'here.js'))
    const folder = dirname(resolve('@vscode/tree-sitter-wasm'))
    await treeSitter.Parser.init({ locateFile: (file) => join(folder, file) })
    return new TreeSitter(folder, limits)
  }

  async loadGrammar(grammar: Grammar): Promise<void> {
    if (this.#languages.has(grammar)) return
    const bytes = await readFile(join(this.#folder, `tree-sitter-${grammar}.wasm`))
    this.#languages.set(grammar, await treeSitter.Language.load(bytes))
  }

  /** Requires `loadGrammar`. */
  parse({ grammar, text }: ParseRequest): PackedTree | Unread {
    const language = this.#languages.get(grammar)
    if (language === undefined) throw new Error(`the grammar ${grammar} is not loaded`)
    this.#parser.setLanguage(language)
    const { cpuMs, maxRssBytes } = this.#limits
    const before = process.cpuUsage()
    const isLate = (): boolean => {
      const { user, system } = process.cpuUsage(before)
      return user + system > cpuMs * 1000
    }
    const isOver = (): boolean => isLate() || process.memoryUsage.rss() > maxRssBytes
    const tree = this.#parser.parse(text, null, { progressCallback: isOver })
    if (tree === null) {
      this.#parser.reset()
      return { unread: isLate() ? 'timed_out' : 'too_large' }
    }
    try {
      return packed(tree)
    } finally {
      tree.delete()
    }
  }
}

/** The number of a name in order of first use, from 0. */
function numberOf(names: Map<string, number>, name: string): number {
  const known = names.get(name)
  if (known !== undefined) return known
  names.set(name, names.size)
  return names.size - 1
}

function packed(tree: treeSitter.Tree): PackedTree {
  const [kinds, fields] = [new Map<string, number>(), new Map<string, number>()]
  const nodes = new Int32Array(tree.rootNode.descendantCount * NUMBERS)
  const cursor = tree.walk()
  /** Indexes of the ancestors of the current node. */
  const open: number[] = []
  let count = 0
  const close = (): void => {
    const at = open.pop()
    if (at !== undefined) nodes[at * NUMBERS + NUMBERS - 1] = count - at - 1
  }
  for (let isAtNode = true; isAtNode;) {
    const { nodeType, currentFieldName } = cursor
    const flags =
      (cursor.nodeIsNamed ? NAMED : 0) |
      (nodeType === 'ERROR' ? ERROR : 0) |
      (cursor.nodeIsMissing ? MISSING : 0)
    const field = currentFieldName === null ? 0 : numberOf(fields, currentFieldName) + 1
    const at = count * NUMBERS
    nodes[at] = numberOf(kinds, nodeType) | flags
    nodes[at + 1] = field
    nodes[at + 2] = cursor.startIndex
    nodes[at + 3] = cursor.endIndex
    open.push(count)
    count++
    if (cursor.gotoFirstChild()) continue
    close()
    while (!cursor.gotoNextSibling()) {
      if (!cursor.gotoParent()) {
        isAtNode = false
        break
      }
      close()
    }
  }
  cursor.delete()
  return { kinds: [...kinds.keys()], fields: [...fields.keys()], nodes }
}
