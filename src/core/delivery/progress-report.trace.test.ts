import { describe, expect, test } from 'vitest'
import { low } from '../../../test/helpers/plan-builder.ts'
import { PlayedPlan } from '../../../test/helpers/played-plan.ts'
import { parseManifest } from './release/manifest-schema.ts'
import { releaseManifest } from './release/release-manifest.ts'
import { releaseSummary } from './release/release-summary.ts'
import { traceOf } from './progress-report.ts'

const TASKS = [
  low('S-001.1', { requirements: ['R-001'], story: 'S-001', testsToAdd: ['test/a.test.js'] }),
  low('T-1.1', { requirements: ['R-001', 'R-002'], story: 'T-1', dependsOn: ['S-001.1'] }),
  low('own'),
]

describe('the trace of a plan', () => {
  test('leads from each requirement to its story, tasks, tests and commits', () => {
    const plan = PlayedPlan.begun(TASKS, { settings: { reviewLow: 'checks' } })
    plan.work('S-001.1').gates('S-001.1').commit('S-001.1')
    const rows = traceOf(plan.state)
    expect(rows.map(({ requirement, story, task, status }) => [requirement, story, task, status])).toEqual([
      ['R-001', 'S-001', 'S-001.1', 'completed'],
      ['R-001', 'T-1', 'T-1.1', 'in_progress'],
      ['R-002', 'T-1', 'T-1.1', 'in_progress'],
    ])
    expect(rows[0]).toMatchObject({
      tests: ['test/a.test.js'],
      testsPass: true,
      commit: plan.state.tasks.get('S-001.1')?.commit?.sha,
    })
    expect(rows[1]).toMatchObject({ tests: [], testsPass: null, commit: null })
  })

  test('is a table in the manifest and a line in the summary of the release', () => {
    const plan = PlayedPlan.begun(TASKS, { settings: { reviewLow: 'checks' } })
    const manifest = releaseManifest(plan.state)
    expect(manifest.trace).toEqual([
      {
        requirement: 'R-001',
        story: 'S-001',
        task_id: 'S-001.1',
        tests: ['test/a.test.js'],
        commit_sha: null,
      },
      { requirement: 'R-001', story: 'T-1', task_id: 'T-1.1', tests: [], commit_sha: null },
      { requirement: 'R-002', story: 'T-1', task_id: 'T-1.1', tests: [], commit_sha: null },
    ])
    expect(parseManifest(manifest).ok).toBe(true)
    expect(releaseSummary(manifest, { title: 'Shop', manifest: 'm' })).toContain(
      '\nRequirements: R-001 (S-001.1, T-1.1); R-002 (T-1.1)\n',
    )
  })

  test('is absent from the manifest of a plan without requirements, as in earlier builds', () => {
    const manifest = releaseManifest(PlayedPlan.begun([low('a')]).state)
    expect(manifest).not.toHaveProperty('trace')
    expect(releaseSummary(manifest, { title: 'Shop', manifest: 'm' })).not.toContain('Requirements')
  })
})
