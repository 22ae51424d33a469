import { expect, test } from 'vitest'
import { workerJudged } from './watched.ts'

test.each([
  ['healthy', 'w-a-1-1 is healthy: output 2s ago'],
  ['late', 'w-a-1-1 is late: output 2s ago'],
  ['stalled', 'w-a-1-1 is stalled: output 2s ago'],
  ['timeout_warning', 'w-a-1-1 is using up its time: output 2s ago'],
  ['zombie', 'w-a-1-1 gives no sign of life: output 2s ago'],
] as const)('that a worker is %s is a sentence, without the names of states', (health, text) => {
  const event = { task: '1', worker: 'w-a-1-1', attempt: 1, health, why: 'output 2s ago' } as const
  expect(workerJudged.render({ type: 'worker.judged', v: 1, ...event }, 1)).toMatchObject({ task: '1', text })
})

test.each([
  [undefined, 'missed_checkin'],
  ['no docs', 'issue_reported'],
])('a worker that is late with the issue %s is in the activity log as %s', (issue, name) => {
  const about = { task: '1', worker: 'w-a-1-1', attempt: 1, health: 'late', why: 'x' } as const
  const event = { type: 'worker.judged', v: 1, ...about, ...(issue === undefined ? {} : { issue }) } as const
  expect(workerJudged.render(event, 1).facts).toMatchObject([{ event: name }])
})
