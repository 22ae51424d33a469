import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { contextBlock } from './context-block.ts'
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
      languages: [{ name: 'typescript' }],
      patterns: [{ text: 'imports end in .ts' }],
      architecture: 'typescript, 3 source files: cart',
      keyPaths: [{ name: 'cart', path: 'src/cart/' }],
    })
    expect(block).toBe(
      [
        'Project:\n- @acme/shop',
        'Goal:\n- Sell things.',
        'Stack:\n- TypeScript, Node\n- typescript',
        'Principles:\n- Rules are pure.',
        'Constraints:\n- no new dependencies',
        'Conventions:\n- imports end in .ts',
        'Module boundaries:\n- typescript, 3 source files: cart',
        'Key paths:\n- src/cart/: cart',
      ].join('\n'),
    )
  })

  it('stays under 500 words whatever goes in', () => {
    const long = fc.string({ unit: fc.constantFrom('a', ' ', 'b'), maxLength: 5000 })
    fc.assert(
      fc.property(long, fc.array(long, { maxLength: 20 }), (text, texts) => {
        const header = { ...HEADER, goal: text, architecture: text, constraints: texts }
        const patterns = texts.map((one) => ({ text: one }))
        const keyPaths = texts.map((one) => ({ name: one, path: one }))
        const project = { name: text, languages: [], patterns, architecture: text, keyPaths }
        const block = contextBlock(header, project)
        expect(block.split(/\s+/).length).toBeLessThan(500)
      }),
    )
  })
})
