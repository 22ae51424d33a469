/** Lines of a source file that contain tests. */
import { ancestors } from './around.ts'
import { linesOf, type FactReader, type Lines } from './facts.ts'

/** `#[cfg(test)] mod …` of Rust, `if (import.meta.vitest) …`. */
export function testLines(code: FactReader): readonly Lines[] {
  if (!/\bcfg\s*\(\s*test\b|\bimport\.meta\??\.vitest\b/.test(code.tree.text)) return []
  const { decorators, comments } = code.kinds
  return code.facts.flatMap(({ kind, name, args, node, head }): readonly Lines[] => {
    if (kind === 'decorator' && name === 'cfg' && args?.[0]?.text === 'test') {
      const siblings = node.parent?.children ?? []
      const item = siblings
        .slice(siblings.indexOf(node) + 1)
        .find((one) => one.isNamed && !decorators.has(one.kind) && !comments.has(one.kind))
      return [{ from: head.from, to: item?.lastLine ?? head.to }]
    }
    if (kind !== 'use' || !/^import\.meta\.vitest\b/.test(name)) return []
    const block = ancestors(node).find((one) => one.kind === 'if_statement')
    return block === undefined ? [] : [linesOf(block)]
  })
}
