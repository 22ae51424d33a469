/** YAML with the place of every value in it. */
import { isNode, LineCounter, parseDocument } from 'yaml'
import type { Path } from './settings-issues.ts'

export interface YamlSource {
  readonly value: unknown
  readonly errors: readonly { readonly line: number; readonly message: string }[]
  /** Where a key stands, from 1; the nearest parent that is there otherwise. */
  lineOf(path: Path): number
}

export function readYaml(text: string): YamlSource {
  const lineCounter = new LineCounter()
  const document = parseDocument(text, { lineCounter, prettyErrors: false, uniqueKeys: true })
  const errors = document.errors.map((error) => ({
    line: lineCounter.linePos(error.pos[0]).line,
    message: error.message.split('\n', 1)[0] ?? '',
  }))
  const lineOf = (path: Path): number => {
    for (let length = path.length; length > 0; length--) {
      const node = document.getIn(path.slice(0, length), true)
      if (isNode(node) && node.range) return lineCounter.linePos(node.range[0]).line
    }
    return 1
  }
  if (errors.length > 0) return { value: undefined, errors, lineOf }
  try {
    return { value: document.toJS({ maxAliasCount: 50 }), errors, lineOf }
  } catch (error) {
    // A few aliases of aliases would become billions of values.
    const message = error instanceof Error ? error.message : String(error)
    return { value: undefined, errors: [{ line: 1, message }], lineOf }
  }
}
