/** Lines of a source file that contain tests. */
import { ancestors } from './around.ts'
import type { FactReader, Lines } from './facts.ts'

/** `#[cfg(test)] mod …` of Rust, `if (import.meta.vitest) …`. */
export function testLines(code: FactReader): readonly Lines[] {
  if (!/\bcfg\s*\(\s*test\b|\bimport\.meta\??\.vitest\b/.test(code.tree.text)) return []
  return code.facts.flatMap((fact): readonly Lines[] => {
    const { kind, name, args, place, head } = fact
    if (kind === 'decorator' && name === 'cfg' && args?.[0]?.text === 'test') {
      const siblings = place.parent?.node.children ?? []
      const item = siblings
        .slice(siblings.indexOf(place.node) + 1)
        .find(
          (node) =>
            node.isNamed && !code.kinds.decorators.has(node.kind) && !code.kinds.comments.has(node.kind),
        )
      return item === undefined ? [head] : [{ from: head.from, to: code.linesOf(item, item.line).to }]
    }
    if (kind !== 'use' || !/^import\.meta\.vitest\b/.test(name)) return []
    const block = ancestors(place).find(({ node }) => node.kind === 'if_statement')?.node
    return block === undefined ? [] : [code.linesOf(block, block.line)]
  })
}
