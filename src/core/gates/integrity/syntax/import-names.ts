/** Resolves imported names: `check` is `test` after `import { test as check } from 'vitest'`. */
import { childBy, descendants, type SyntaxNode, type SyntaxTree } from '../../../languages/syntax.ts'

const TESTS = /^(vitest|node:test|@jest\/globals|mocha|ava|bun:test|@playwright\/test)$/
const ASSERT = /^(node:)?assert(\/strict)?$/
const PROCESS = /^(node:)?process$/
/** Python modules whose members rules know by their qualified name. */
const WHOLE = /^(os|sys|pytest)$/
const ALIASED = /^(os|sys|pytest|unittest)$/

export function importNames(tree: SyntaxTree): ReadonlyMap<string, string> {
  const source = (node: SyntaxNode | null): string =>
    node === null ? '' : tree.text.slice(node.start, node.end)
  return new Map(tree.language.name === 'python' ? pythonNames(tree, source) : scriptNames(tree, source))
}

type Source = (node: SyntaxNode | null) => string
type Names = readonly (readonly [local: string, stands: string])[]

function scriptNames({ root }: SyntaxTree, source: Source): Names {
  const imports = root.children.filter(({ kind }) => kind === 'import_statement')
  return imports.flatMap((node): Names => {
    const module = source(childBy(node, 'source')).slice(1, -1)
    const own = TESTS.test(module)
      ? 'test'
      : ASSERT.test(module)
        ? 'assert'
        : PROCESS.test(module)
          ? 'process'
          : null
    const clause = node.children.find(({ kind }) => kind === 'import_clause')
    if (own === null || clause === undefined) return []
    const whole = clause.children
      .filter(({ kind }) => kind === 'identifier')
      .map((one) => [source(one), own] as const)
    const named = descendants(clause, 'import_specifier').map((one) => {
      const name = source(childBy(one, 'name'))
      const stands = own === 'test' ? name : name === 'strict' || name === 'default' ? own : `${own}.${name}`
      return [source(childBy(one, 'alias') ?? childBy(one, 'name')), stands] as const
    })
    return [...whole, ...named]
  })
}

function pythonNames({ root }: SyntaxTree, source: Source): Names {
  const aliased = descendants(root, 'aliased_import')
    .filter((node) => ALIASED.test(source(childBy(node, 'name'))))
    .map((node) => [source(childBy(node, 'alias')), source(childBy(node, 'name'))] as const)
  const members = descendants(root, 'import_from_statement').flatMap((node): Names => {
    const module = source(childBy(node, 'module_name'))
    if (!ALIASED.test(module)) return []
    return node.children
      .filter(({ field }) => field === 'name')
      .map((one) => {
        const name = source(childBy(one, 'name') ?? one)
        return [
          source(childBy(one, 'alias') ?? one),
          WHOLE.test(module) ? `${module}.${name}` : name,
        ] as const
      })
  })
  return [...aliased, ...members]
}
