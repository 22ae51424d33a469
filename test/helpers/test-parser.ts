/** A parser in the test's own process, with the real grammars: quick, and without waiting once they are loaded. */
import { LANGUAGES } from '../../src/core/languages/languages.ts'
import { unpackTree } from '../../src/core/languages/packed-tree.ts'
import { isUnread, type Parsed, type SyntaxTree } from '../../src/core/languages/syntax.ts'
import { changeTrees, sidesToParse, type Change, type ChangeTrees } from '../../src/core/gates/change.ts'
import { requestFor } from '../../src/parsing/parse-messages.ts'
import { TreeSitter } from '../../src/parsing/tree-sitter.ts'
import type { FileToParse, Parser } from '../../src/ports/parser.ts'

export interface TestParser extends Parser {
  /** Throws where the file is Unread. */
  readonly tree: (path: string, text: string) => SyntaxTree
  readonly parsed: (file: FileToParse) => Parsed
  readonly ofChange: (change: Change) => ChangeTrees
}

/** With the grammars of these extensions; of all, where none is named. */
export async function loadTestParser(...extensions: readonly string[]): Promise<TestParser> {
  const treeSitter = await TreeSitter.load({ cpuMs: 10_000, maxRssBytes: Number.MAX_SAFE_INTEGER })
  const wanted = LANGUAGES.filter(
    (language) => extensions.length === 0 || language.extensions.some((one) => extensions.includes(one)),
  )
  for (const { grammar } of wanted) if (grammar !== null) await treeSitter.loadGrammar(grammar)
  const parsed = (file: FileToParse): Parsed => {
    const asked = requestFor(file)
    if ('unread' in asked) return asked
    const packed = treeSitter.parse(asked.request)
    return 'unread' in packed ? packed : unpackTree(packed, asked.language, asked.request.text)
  }
  const all = (files: readonly FileToParse[]) =>
    new Map(files.map((file) => [file.path, parsed(file)] as const))
  return {
    parsed,
    parse: async (files) => all(files),
    tree: (path, text) => {
      const tree = parsed({ path, text })
      if (isUnread(tree)) throw new Error(`${path} is unread: ${tree.unread}`)
      return tree
    },
    ofChange: (change) => {
      const files = sidesToParse(change)
      return changeTrees(all(files.before), all(files.after))
    },
  }
}
