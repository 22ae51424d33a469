import { describe, expect, test } from 'vitest'
import { aBench, aSpec, BASE, WORK } from './gate-bench.ts'

const OLD = 'export function price(net: number, vat = 0.2) {\n  return net * (1 + vat)\n}\n'
const NEW = '/** In cents. */\nexport function price(net: number) {\n  return net\n}\n'
const judge = (after: string, spec: Parameters<typeof aSpec>[0] = {}) =>
  aBench({
    base: { ...BASE, 'src/price.ts': OLD },
    tree: { ...WORK, 'src/price.ts': after },
  }).gate('contract', { spec: aSpec(spec) })

describe('the public interface of the base is held', () => {
  test('a break fails where the plan does not allow it', async () => {
    expect(await judge(NEW)).toMatchObject({
      outcome: 'failed',
      evidence: {
        findings: [
          {
            weight: 'blocks',
            file: 'src/price.ts',
            line: 2,
            text: 'breaks: price no longer takes vat: function price(net: number, vat = 0.2) → function price(net: number)',
          },
          { text: 'new: slugify = (text)', file: 'src/slug.mjs' },
          { weight: 'note' },
        ],
      },
    })
  })

  test('a break passes where it does', async () => {
    expect(await judge(NEW, { breakingChange: true })).toMatchObject({ outcome: 'passed' })
  })

  test('another body is no break', async () => {
    expect(await judge(OLD.replace('1 + vat', 'vat + 1'))).toMatchObject({ outcome: 'passed' })
  })

  test('promised names are searched in the whole tree', async () => {
    const before = { base: { ...BASE, 'src/price.ts': OLD }, tree: { ...WORK, 'src/price.ts': OLD } }
    const gate = (interfaces: readonly string[]) =>
      aBench(before).gate('contract', { spec: aSpec({ interfaces }) })
    expect(await gate(['`price(net, vat)`', 'slugify(text)'])).toMatchObject({ outcome: 'passed' })
    expect(await gate(['`rebate(net)`'])).toMatchObject({ outcome: 'failed' })
  })
})
