import { expect, test } from 'vitest'
import { aBench, aRequest, aSpec, BASE, WORK } from './gate-bench.ts'

const quiet = new AbortController().signal
const IMPORTED = 'const { slugify } = await import(`file://${process.cwd()}/src/slug.mjs`);'
const check = (rule: string) =>
  `${process.execPath} --input-type=module -e '${IMPORTED} if (!(${rule})) process.exit(1)'`
const spec = aSpec({ heldOut: [check('slugify("One Two") === "one-two"')] })

test('work that knows only the answers of the visible tests fails', async () => {
  const hollow = { ...WORK, 'src/slug.mjs': "export const slugify = () => 'a-b'\n" }
  const bench = aBench({ base: BASE, tree: hollow })
  const verdicts = await bench.runner.run(aRequest({ gates: ['unit', 'held_out'], spec }), quiet)
  expect(verdicts.map(({ outcome }) => outcome)).toEqual(['passed', 'failed'])
  expect(bench.trees.open.size).toBe(0)
})

test('honest work passes, and the evidence does not tell the command', async () => {
  const found = await aBench().gate('held_out', { spec })
  expect(found).toMatchObject({
    outcome: 'passed',
    evidence: { runs: [{ command: 'held-out check 1', commandSha256: expect.any(String) }] },
  })
  expect(JSON.stringify(found)).not.toContain('one-two')
})

test('files that tests leave do not reach a held-out check', async () => {
  const leaving = `${WORK['test/slug.test.mjs'] ?? ''}
import { writeFileSync } from 'node:fs'
writeFileSync('left.txt', 'x')
`
  const bench = aBench({ base: BASE, tree: { ...WORK, 'test/slug.test.mjs': leaving } })
  const asked = aRequest({ gates: ['unit', 'held_out'], spec: aSpec({ heldOut: ['test ! -e left.txt'] }) })
  const verdicts = await bench.runner.run(asked, quiet)
  expect(verdicts.map(({ outcome }) => outcome)).toEqual(['passed', 'passed'])
})

test('a task without any says that there are none', async () => {
  expect(await aBench().gate('held_out')).toMatchObject({ outcome: 'not_applicable' })
})
