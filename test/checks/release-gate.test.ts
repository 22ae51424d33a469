import { describe, expect, test } from 'vitest'
import { aBench, aSpec, BASE, NODE_TEST, OLD_TEST, WORK } from './gate-bench.ts'

const quiet = new AbortController().signal

describe('tests that were there', () => {
  test('are held by name also where the plan asks for no unit gate', async () => {
    const skipped = {
      ...WORK,
      'test/old.test.mjs': OLD_TEST.replace("test('old two'", "test.skip('old two'"),
    }
    const { gate } = aBench({ base: BASE, tree: skipped })
    const spec = aSpec({
      gates: ['lint'],
      files: { create: ['src/slug.mjs'], modify: ['test/old.test.mjs'], delete: [] },
      testsToRun: [[...NODE_TEST, 'test/slug.test.mjs'].join(' ')],
    })
    const { outcome, summary } = await gate('tests_to_run', { spec })
    expect([outcome, summary]).toEqual([
      'failed',
      expect.stringContaining('that passed on the base no longer pass'),
    ])
  })
})

describe('the release gate', () => {
  test('finds what was left to a task and is still there', async () => {
    const late = {
      'src/late.mjs': '// TODO: task-2 does this\n',
      'docs/reviews/task-1-review.md': 'TODO: x\n',
    }
    const { runner, gate } = aBench({ base: BASE, tree: { ...WORK, ...late } })
    expect((await gate('no_orphan_todo')).outcome).toBe('failed')
    const { verdicts } = await runner.runRelease(
      {
        kind: 'run_release_gate',
        whole: { since: 'base', letThrough: [] },
        key: 'release gate 1',
        round: 1,
        baselineFailing: [],
      },
      quiet,
    )
    const left = verdicts.find((one) => one.gate === 'no_orphan_todo')
    expect(left).toMatchObject({ outcome: 'failed', summary: '1 TODO without a follow-up task' })
    expect(left?.evidence.findings).toMatchObject([{ file: 'src/late.mjs', line: 1 }])
  })

  test('runs everything on the tip', async () => {
    const { runner } = aBench(undefined, {
      environment: { lint: 'exit 0', build: 'exit 1', migrations: { up: 'exit 0', down: 'exit 2' } },
    })
    const request = {
      kind: 'run_release_gate',
      whole: { since: 'base', letThrough: [] },
      key: 'release gate 1',
      round: 1,
      baselineFailing: [],
    } as const
    const { tree, verdicts } = await runner.runRelease(request, quiet)
    expect(tree).toBe('tree')
    expect(verdicts.map(({ gate, outcome }) => `${gate}: ${outcome}`)).toEqual([
      'unit: passed',
      'lint: passed',
      'typecheck: not_applicable',
      'build: failed',
      'migrations: failed',
      'no_orphan_todo: passed',
    ])
  })
})
