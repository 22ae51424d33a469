import { expect, test } from 'vitest'
import { critical } from '../../../test/helpers/plan-builder.ts'
import { PlayedPlan } from '../../../test/helpers/played-plan.ts'

const migrated = (): PlayedPlan =>
  PlayedPlan.begun([critical('1')])
    .work('1', { changed: ['db/migrations/001-users.sql'] })
    .gates('1', { inconclusive: ['migrations'] })

test('a critical task with a migration that nobody can try asks a person at once, and runs no gate again', () => {
  const plan = migrated()
  expect([plan.step('1'), plan.all('task.gated').length]).toEqual(['escalated', 1])
  expect(plan.item('1')).toMatchObject({
    kind: 'escalation',
    problem: expect.stringContaining('migrations could not be checked') as string,
    options: [{ key: 'pause' }, { key: 'recheck' }, { key: 'approve' }, { key: 'reject' }],
  })
})

test('critical work that was not tried is never recommended to pass: the commands that try it are to be set', () => {
  const { recommended, options } = migrated().item('1')
  expect(recommended).toBe('pause')
  expect(options[0]?.label).toContain('environment.migrations')
})

test('once the commands are there its gates run again, without another worker', () => {
  const plan = migrated()
  const { attempt } = plan.task('1')
  plan.answer('recheck')
  expect([plan.step('1'), plan.task('1').attempt]).toEqual(['gating', attempt])
  expect(plan.effect('run_gates', '1').gates).toContain('migrations')
})

test('a person who lets it go on is recorded, and it is reviewed as always', () => {
  const plan = migrated().answer('approve', { feedback: 'tried on a copy' })
  expect(plan.step('1')).toBe('reviewing')
  expect(plan.task('1').overrides).toMatchObject([
    { what: 'migrations', by: 'ada', reason: 'tried on a copy' },
  ])
})

test('what else could not be checked is still run again first', () => {
  const plan = PlayedPlan.begun([critical('1')])
    .work('1', { changed: ['db/migrations/001-users.sql'] })
    .gates('1', { inconclusive: ['migrations', 'unit'] })
  expect(plan.step('1')).toBe('gating')
})
