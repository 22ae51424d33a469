/** Tasks for tests. */
import type { PlanTask } from './columns.ts'

export const aTask = (given: Partial<PlanTask> & Pick<PlanTask, 'id'>): PlanTask => ({
  title: `Task ${given.id}`,
  status: 'ready',
  stage: given.status === 'in_progress' ? 'working' : (given.status ?? 'ready'),
  tier: 'normal',
  attempt: 0,
  since: '2026-11-16T10:00:00.000Z',
  depends_on: [],
  blocked_by: [],
  worker: null,
  item: null,
  commit_sha: null,
  note: null,
  ...given,
})
