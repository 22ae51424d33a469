import { describe, expect, test } from 'vitest'
import { aBranch, anAudit } from '../../../test/helpers/plan-builder.ts'
import { SAMPLE_EVENTS } from '../../../test/helpers/sample-events.ts'
import type { PlanEvent } from './plan-events.ts'
import { NO_EVIDENCE } from '../event-schemas/evidence.ts'
import { ActivityReader } from './activity.ts'
import { activityOf } from './rendering.ts'

const who = { worker: 'w-shop-7-1', task: '7', attempt: 1 }
const ended = (end: Extract<PlanEvent, { type: 'worker.ended' }>['end']): PlanEvent => ({
  type: 'worker.ended',
  v: 1,
  ...who,
  end,
  report: null,
})
const condemned: PlanEvent = { type: 'worker.condemned', v: 1, ...who, cause: 'stalled', why: 'silent' }

const namesOf = (...events: PlanEvent[]): string[] => {
  const reader = new ActivityReader()
  return events
    .flatMap((event, place) => reader.read({ version: place + 4, event }).facts)
    .map(({ event }) => event)
}

describe('the activity log', () => {
  test('has a line for each verdict of a gate run', () => {
    const verdicts = (['passed', 'failed', 'inconclusive'] as const).map((outcome) => ({
      gate: 'unit' as const,
      outcome,
      summary: 'so it is',
      evidence: NO_EVIDENCE,
    }))
    const gated: PlanEvent = {
      type: 'task.gated',
      v: 2,
      task: '7',
      attempt: 1,
      tree: 't',
      scope: 'all',
      verdicts,
    }
    expect(namesOf(gated)).toEqual(['gate_passed', 'gate_failed', 'gate_inconclusive'])
  })

  test.each([
    [{ kind: 'done' }, 'worker_completed'],
    [{ kind: 'failed', reason: 'exit code 1' }, 'worker_failed'],
    [{ kind: 'stopped', cause: 'stalled' }, 'worker_killed'],
    [{ kind: 'stopped', cause: 'finished' }, 'worker_completed'],
    [{ kind: 'stopped', cause: 'gave_up' }, 'worker_failed'],
    [{ kind: 'interrupted', reason: 'reboot' }, 'worker_interrupted'],
  ] as const)('a worker that ended with %j is %s', (end, name) => {
    expect(namesOf(ended(end))).toEqual([name])
  })

  test('reports a near miss for a worker that finished before it could be stopped', () => {
    expect(namesOf(condemned, ended({ kind: 'done' }))).toEqual([
      'restart_decided',
      'kill_near_miss',
      'worker_completed',
    ])
    expect(namesOf(condemned, ended({ kind: 'stopped', cause: 'stalled' }))).not.toContain('kill_near_miss')
  })

  test('reports no near miss for a worker that was stopped after its report', () => {
    const finished: PlanEvent = { ...condemned, cause: 'finished' }
    expect(namesOf(finished, ended({ kind: 'done' }))).toEqual(['worker_finished', 'worker_completed'])
  })

  test('distinguishes the first start of the PM from later ones', () => {
    const started = { type: 'pm.started', v: 1, boot: 'b', offsetMs: 0, again: false } as const
    const reader = new ActivityReader()
    expect(reader.read({ version: 9, event: started }).facts).toMatchObject([{ event: 'pm_started' }])
    const again = { ...started, again: true }
    expect(reader.read({ version: 9, event: again }).facts).toMatchObject([{ event: 'pm_restarted' }])
  })

  test('names an answer after the kind of its item', () => {
    const answered = (id: string): PlanEvent => ({
      type: 'inbox.answered',
      v: 1,
      id,
      choice: 'approve',
      feedback: '',
      by: 'ann',
    })
    expect(namesOf(answered('E-1'), answered('A-2'))).toEqual(['escalation_answered', 'approval_answered'])
  })

  test('lists the findings of the baseline, a line for each relevant task and branch', () => {
    const event: PlanEvent = {
      ...SAMPLE_EVENTS['plan.baselined'],
      audits: [
        anAudit('1'),
        anAudit('2', { status: 'PARTIAL', evidence: 'half of it' }),
        anAudit('3', { status: 'MISSING' }),
      ],
      branches: { noticed: [aBranch('log\u202ein', '2')], more: 4, trouble: 'git failed' },
    }
    expect(activityOf(new ActivityReader().read({ version: 4, event }))).toMatchObject([
      {
        event: 'baseline_taken',
        data: { files: 12, tests: 'failed', failing: 1, existing: ['1'], partial: ['2'], more_branches: 4 },
      },
      { event: 'task_exists', task: '1', data: { evidence: 'its files are there' } },
      { event: 'task_partly_there', task: '2', data: { evidence: 'half of it' } },
      {
        event: 'branch_noticed',
        data: {
          branch: 'login',
          ahead: 2,
          subject: 'Begin',
          touches: [{ task_id: '2', files: ['src/2.ts'] }],
        },
      },
      { event: 'branches_unread', data: { why: 'git failed' } },
    ])
  })

  test('bounds text from outside', () => {
    const reader = new ActivityReader()
    const failed: PlanEvent = { type: 'effect.failed', v: 1, effect: 'baseline', reason: 'x'.repeat(100_000) }
    expect(JSON.stringify(activityOf(reader.read({ version: 4, event: failed }))).length).toBeLessThan(5000)
  })
})
