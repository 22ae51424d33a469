/** Tests whose names change from run to run, by commands that really run. */
import { expect, test } from 'vitest'
import { aBench, BASE } from './gate-bench.ts'

test('tests with random names are compared by their number, where another run of the base shows that they are', async () => {
  const suite = [
    "import { names } from './src/names.mjs'",
    "console.log('TAP version 13\\n1..' + names.length)",
    "names.forEach((name, at) => console.log('ok ' + (at + 1) + ' - ' + name))",
  ].join('\n')
  const any = "Array.from({ length: 12 }, () => 'bcdfghjk'[Math.floor(Math.random() * 8)]).join('')"
  const treeOf = (names: readonly string[]) => ({
    ...BASE,
    'suite.mjs': suite,
    'src/names.mjs': `const any = () => ${any}\nexport const names = [${names.join(', ')}]\n`,
  })
  const judged = async (names: readonly string[]) => {
    const bench = aBench(
      { base: treeOf(["'stores ' + any()", "'loads ' + any()", "'adds'"]), tree: treeOf(names) },
      { environment: { test: [process.execPath, 'suite.mjs'] } },
    )
    const { outcome, evidence } = await bench.gate('unit')
    return [outcome, evidence.findings.filter(({ text }) => text.includes('from run to run')).length]
  }
  expect(await judged(["'stores ' + any()", "'loads ' + any()", "'adds'"])).toEqual(['passed', 1])
  expect((await judged(["'stores ' + any()", "'adds'"]))[0]).toBe('failed')
  expect((await judged(["'stores ' + any()", "'loads ' + any()", "'sums'"]))[0]).toBe('failed')
})
