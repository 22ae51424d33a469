import { describe, expect, it } from 'vitest'
import { judge, wholeRuns, type Line, type Run } from './outcome.ts'

const SENT: Line = { event: 'task_dispatched', task_id: '1' }
const COMMITS = [{ task: '1', sha: 'c' }]
const WAITS = [
  { problem: 'task 1 failed its gates', blocking: true },
  { problem: 'the release waits for a signature', blocking: false },
]

const run = (exit: number | null, lines: readonly Line[]): Run => ({ exit, lines, stderr: '', tasks: 1 })

describe('what became of a replayed plan', () => {
  it('is landed after one worker a task, and landed later after more', () => {
    const done: Line = { outcome: 'released', commits: COMMITS, inbox: [] }
    expect(judge(run(0, [SENT, done]))).toMatchObject({ outcome: 'landed', attempts: 1, cause: null })
    const failed: Line = { event: 'gate_failed', data: { gate: 'lint', summary: '2 new findings' } }
    expect(judge(run(0, [SENT, failed, SENT, done]))).toMatchObject({
      outcome: 'landed later',
      attempts: 2,
      cause: 'lint: 2 new findings',
    })
  })

  it('is not landed where a task was taken as existing', () => {
    const done: Line = { outcome: 'released', commits: [], inbox: [] }
    expect(judge(run(0, [done])).outcome).toBe('taken as existing')
  })

  it('is asked where no worker had been sent, and waiting where one had', () => {
    const last: Line = { outcome: 'needs_person', commits: [], inbox: WAITS }
    expect(judge(run(10, [last]))).toMatchObject({
      outcome: 'asked',
      cause: 'task 1 failed its gates',
      waits: ['task 1 failed its gates'],
    })
    expect(judge(run(10, [SENT, last])).outcome).toBe('waiting')
  })

  it('names every gate of the first refusal and none of a later one', () => {
    const gate = (event: string, gate: string, summary: string): Line => ({ event, data: { gate, summary } })
    const lines = [
      SENT,
      gate('gate_passed', 'secrets', 'nothing found'),
      gate('gate_failed', 'unit', '3 of 4 tests passed'),
      gate('gate_inconclusive', 'contract', 'a.go cannot be parsed'),
      SENT,
      gate('gate_failed', 'lint', 'later'),
      { outcome: 'gate_failed', commits: [], inbox: WAITS },
    ]
    expect(judge(run(11, lines))).toMatchObject({
      outcome: 'refused',
      attempts: 2,
      cause: 'unit: 3 of 4 tests passed · contract inconclusive: a.go cannot be parsed',
    })
  })

  it('is not started where nothing was registered, with the last line of the refusal', () => {
    const stderr = 'plan.yaml:3: error: unknown field\nfix the plan\n'
    expect(judge({ exit: 1, lines: [], stderr, tasks: 1 })).toMatchObject({
      outcome: 'not started',
      cause: 'fix the plan',
    })
  })

  it('is out of time where it was ended at its limit', () => {
    expect(judge(run(null, [SENT])).outcome).toBe('out of time')
  })
})

describe('runs of a whole suite', () => {
  it('are calls of its command with any options, but none for single files', () => {
    const calls = [
      'go test -json ./...',
      'go test ./...',
      'go vet ./...',
      'go test ./sub/a_test.go ./...',
      'go test',
    ]
    expect(wholeRuns('go test ./...', calls, ['sub/a_test.go'])).toBe(2)
  })

  it('are counted by the last of several commands, without the variables set for it', () => {
    expect(wholeRuns('make && CI=1 npm test', ['make', 'npm test -- --reporter=x'], [])).toBe(1)
  })

  it('are none where there is no command', () => {
    expect(wholeRuns('', ['npm ci'], [])).toBe(0)
  })
})
