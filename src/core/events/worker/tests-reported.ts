/** A worker reported the results of its own tests. */
import { decided, taskIn } from '../../fold/moves.ts'
import { ofWorker } from '../../event-schemas/schemas.ts'
import { reportedTestsSchema } from '../../event-schemas/reported-tests.ts'
import { testsText } from '../../state/report-claims.ts'
import { cut, workerLine } from '../activity-lines.ts'
import { eventShape, type EventDefinition, type EventIn } from '../define.ts'
import { rejectUnlessRunning } from '../rejections.ts'

const shape = eventShape('tests.reported', 1, () => ({ ...ofWorker, tests: reportedTestsSchema }))

/** Failing ones make it late, and stand in the brief of the next attempt; the gates run the tests themselves. */
export const testsReported: EventDefinition<typeof shape> = {
  shape,
  rejectionReason: rejectUnlessRunning,
  apply(state, event, at) {
    const task = taskIn(state, event.task)
    task.tests = { worker: event.worker, ...event.tests }
    decided(task, at, reportText(event))
  },
  activity: (event) => [
    workerLine(event, event.tests.outcome === 'passed' ? 'tests_passed' : 'tests_failed', {
      ...event.tests,
      text: cut(testsText(event.tests)),
    }),
  ],
  timeline: (event) => ({ task: event.task, text: reportText(event) }),
}

const reportText = ({ worker, tests }: EventIn<typeof shape>): string =>
  `${worker} reports tests: ${testsText(tests)}`
