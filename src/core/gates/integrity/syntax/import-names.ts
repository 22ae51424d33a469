/** Resolves imported names: `check` is `test` after `import { test as check } from 'vitest'`. */
import {
  childBy,
  childOfKind,
  childrenBy,
  descendants,
  type SyntaxNode,
  type SyntaxTree,
} from '../../../languages/syntax.ts'

/** Modules, and what rules call them. Names of test runners stand alone. */
const MODULES: readonly (readonly [names: RegExp, module: string])[] = [
  [/^(vitest|node:test|@jest\/globals|mocha|ava|bun:test|@playwright\/test)$/, 'test'],
  [/^(node:)?assert(\/strict)?$/, 'assert'],
  [/^(node:)?process$/, 'process'],
]
/** Python modules whose members rules know by their qualified name. */
const WHOLE = /^(os|sys|pytest)$/
const ALIASED = /^(os|sys|pytest|unittest)$/

type Names = readonly (readonly [local: string, stands: string])[]

export const importNames = ({ language, root }: SyntaxTree): ReadonlyMap<string, string> =>
  new Map(language.name === 'python' ? pythonNames(root) : scriptNames(root))

const fieldText = (node: SyntaxNode, field: string): string => childBy(node, field)?.text ?? ''
/** The local name of an import. */
const localName = (node: SyntaxNode): string => childBy(node, 'alias')?.text ?? fieldText(node, 'name')

function scriptNames({ children }: SyntaxNode): Names {
  const imports = children.filter(({ kind }) => kind === 'import_statement')
  return imports.flatMap((node): Names => {
    const source = fieldText(node, 'source').slice(1, -1)
    const [, module] = MODULES.find(([names]) => names.test(source)) ?? []
    const clause = childOfKind(node, 'import_clause')
    if (module === undefined || clause === null) return []
    const whole = clause.children
      .filter(({ kind }) => kind === 'identifier')
      .map(({ text }) => [text, module] as const)
    const named = descendants(clause, 'import_specifier').map((one) => {
      const name = fieldText(one, 'name')
      const isModule = name === 'strict' || name === 'default'
      return [localName(one), module === 'test' ? name : isModule ? module : `${module}.${name}`] as const
    })
    return [...whole, ...named]
  })
}

function pythonNames(root: SyntaxNode): Names {
  const aliased = descendants(root, 'aliased_import')
    .filter((node) => ALIASED.test(fieldText(node, 'name')))
    .map((node) => [localName(node), fieldText(node, 'name')] as const)
  const members = descendants(root, 'import_from_statement').flatMap((node): Names => {
    const module = fieldText(node, 'module_name')
    if (!ALIASED.test(module)) return []
    return childrenBy(node, 'name').map((one) => {
      const name = fieldText(one, 'name') || one.text
      return [
        childBy(one, 'alias')?.text ?? one.text,
        WHOLE.test(module) ? `${module}.${name}` : name,
      ] as const
    })
  })
  return [...aliased, ...members]
}
