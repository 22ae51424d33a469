/** What every integration runner must do: one test per sentence of the port. */
import { beforeEach, describe, expect, test } from 'vitest'
import { someIntegration } from '../helpers/requests.ts'
import type { IntegrationRunner } from '../../src/ports/gate-runner.ts'

export interface IntegrationUnderTest {
  readonly integration: IntegrationRunner
  /** Makes the command of this test impossible to run. */
  readonly break: (test: string) => void
  /** Lets the world go on while this is being done. */
  readonly during: <T>(work: Promise<T>) => Promise<T>
}

export function describeIntegrationRunner(name: string, make: () => IntegrationUnderTest): void {
  describe(name, () => {
    let made: IntegrationUnderTest
    beforeEach(() => {
      made = make()
    })
    const run = () => made.during(made.integration.run(someIntegration, new AbortController().signal))

    test('answers with exactly one result for each test, in that order', async () => {
      expect((await run()).results.map(({ id }) => id)).toEqual(['it-1', 'it-2', 'it-3'])
    })

    test('a command that could not run is inconclusive or failed, never passed, and the others go on', async () => {
      made.break('it-2')
      const outcomes = (await run()).results.map(({ outcome }) => outcome)
      expect(['failed', 'inconclusive']).toContain(outcomes[1])
      expect([outcomes[0], outcomes[2]]).toEqual(['passed', 'passed'])
    })

    test('answers with exactly one diagnosis for each test, in that order', async () => {
      made.break('it-1')
      made.break('it-3')
      const { tree, results } = await run()
      const { layer, round, tests } = someIntegration
      const bad = results.filter(({ outcome }) => outcome !== 'passed')
      const work = made.integration.diagnose(
        {
          kind: 'diagnose_layer',
          key: 'diagnose core 1',
          layer,
          round,
          tests: tests.filter(({ id }) => bad.some((result) => result.id === id)),
          results: bad,
          tree,
          commits: [],
        },
        new AbortController().signal,
      )
      expect((await made.during(work)).map(({ test: id }) => id)).toEqual(['it-1', 'it-3'])
    })
  })
}
