import { expect, test } from 'vitest'
import { critical } from '../../../test/helpers/plan-builder.ts'
import { PlayedPlan } from '../../../test/helpers/played-plan.ts'

const migrated = (): PlayedPlan =>
  PlayedPlan.begun([critical('1')])
    .work('1', { changed: ['db/migrations/001-users.sql'] })
    .gates('1', { inconclusive: ['migrations'] })

test('a critical task with a migration that cannot be tested asks a person at once, without more gate runs', () => {
  const plan = migrated()
  expect([plan.step('1'), plan.all('task.gated').length]).toEqual(['escalated', 1])
  expect(plan.item('1')).toMatchObject({
    kind: 'escalation',
    problem: expect.stringContaining('migrations could not be checked') as string,
    options: [{ key: 'pause' }, { key: 'recheck' }, { key: 'approve' }, { key: 'reject' }],
  })
})

test('untested critical work is never recommended to pass; the item recommends to set the commands', () => {
  const { recommended, options } = migrated().item('1')
  expect(recommended).toBe('pause')
  expect(options[0]?.label).toContain('environment.migrations')
})

test('once the commands are set its gates run again, without another worker', () => {
  const plan = migrated()
  const { attempt } = plan.task('1')
  plan.answer('recheck')
  expect([plan.step('1'), plan.task('1').attempt]).toEqual(['gating', attempt])
  expect(plan.effect('run_gates', '1').gates).toContain('migrations')
})

test('an override by a person is recorded, and the work is still reviewed', () => {
  const plan = migrated().answer('approve', { feedback: 'tried on a copy' })
  expect(plan.step('1')).toBe('reviewing')
  expect(plan.task('1').overrides).toMatchObject([
    { what: 'migrations', by: 'ada', reason: 'tried on a copy' },
  ])
})

test('other inconclusive gates still run again first', () => {
  const plan = PlayedPlan.begun([critical('1')])
    .work('1', { changed: ['db/migrations/001-users.sql'] })
    .gates('1', { inconclusive: ['migrations', 'unit'] })
  expect(plan.step('1')).toBe('gating')
})
