import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { contextBlock, keyPathsOf, modulesOf } from './context-block.ts'
import type { PlanHeader } from '../task-schema.ts'

const HEADER: PlanHeader = {
  id: 'shop',
  title: 'Shop',
  source: 'shop.md',
  design: null,
  format: 'markdown',
  goal: 'Sell things.',
  architecture: 'Rules are pure.',
  techStack: 'TypeScript, Node',
  constraints: ['no new dependencies'],
  specFile: null,
}

describe('shared context', () => {
  it('contains name, stack, conventions, paths, modules, principles and constraints', () => {
    const block = contextBlock(HEADER, {
      name: '@acme/shop',
      stack: ['vitest 5'],
      conventions: ['imports end in .ts'],
      files: new Set([
        'src/cart/total.ts',
        'src/cart/tax.ts',
        'src/main.ts',
        'package.json',
        'test/a.test.ts',
      ]),
    })
    expect(block).toBe(
      [
        'Project:\n- @acme/shop',
        'Goal:\n- Sell things.',
        'Stack:\n- TypeScript, Node\n- vitest 5',
        'Principles:\n- Rules are pure.',
        'Constraints:\n- no new dependencies',
        'Conventions:\n- imports end in .ts',
        'Module boundaries:\n- src/cart/ (2 files)\n- src/ (1 file)',
        'Key paths:\n- package.json\n- src/main.ts',
      ].join('\n'),
    )
  })

  it('does not depend on the order files are listed in', () => {
    const files = ['b/main.ts', 'a/x.ts', 'a/y.ts']
    const of = (listed: string[]) =>
      contextBlock(HEADER, { name: null, stack: [], conventions: [], files: new Set(listed) })
    expect(of(files)).toBe(of(files.toReversed()))
  })

  it('stays under 500 words whatever goes in', () => {
    const long = fc.string({ unit: fc.constantFrom('a', ' ', 'b'), maxLength: 5000 })
    fc.assert(
      fc.property(long, fc.array(long, { maxLength: 20 }), (text, texts) => {
        const header = { ...HEADER, goal: text, architecture: text, constraints: texts }
        const block = contextBlock(header, { name: text, stack: texts, conventions: texts, files: null })
        expect(block.split(/\s+/).length).toBeLessThan(500)
      }),
    )
  })
})

describe('modules and key paths', () => {
  it('are those nearest to the root and with most sources', () => {
    expect(modulesOf(['src/a/x.ts', 'src/b/x.ts', 'src/b/y.ts', 'README.md'])).toEqual([
      'src/b/ (2 files)',
      'src/a/ (1 file)',
    ])
    expect(keyPathsOf(['src/deep/er/main.ts', 'src/cli.ts', 'AGENTS.md'])).toEqual([
      'AGENTS.md',
      'src/cli.ts',
    ])
  })
})
