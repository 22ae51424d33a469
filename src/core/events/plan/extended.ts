/** Tasks that are not in the plan's text: diagnosis and remediation. */
import { z } from 'zod'
import { addTasks } from '../../state/add-tasks.ts'
import { layerIn } from '../../fold/moves.ts'
import { taskSpecSchema } from '../../planning/task-schema.ts'
import { planLine } from '../activity-lines.ts'
import { eventShape, type EventDefinition } from '../define.ts'
import { text } from '../../event-schemas/schemas.ts'

const shape = eventShape('plan.extended', 1, () => ({
  because: z.enum(['integration', 'release']),
  about: text,
  tasks: z.array(taskSpecSchema).min(1),
}))

export const planExtended: EventDefinition<typeof shape> = {
  shape,
  rejectionReason(state, { because, about, tasks }) {
    const ids = new Set(tasks.map((task) => task.id))
    if (ids.size < tasks.length) return 'a task is added twice'
    if (tasks.some((task) => state.tasks.has(task.id))) return 'a task to add already exists'
    const needs = tasks.flatMap((task) => task.dependsOn)
    const unknown = needs.find((id) => !ids.has(id) && !state.tasks.has(id))
    if (unknown !== undefined) return `it depends on ${unknown}, which does not exist`
    const isForLayer = because !== 'integration' || state.layers.has(about)
    return isForLayer ? null : `no layer ${about} with integration tests`
  },
  apply(state, { because, about, tasks }, at) {
    addTasks(state, tasks, at)
    switch (because) {
      case 'integration': {
        const layer = layerIn(state, about)
        layer.status = 'open'
        layer.diagnoses++
        return
      }
      case 'release': {
        const { remediations, remediationTasks } = state.release
        state.release = {
          ...state.release,
          step: 'open',
          remediations: remediations + 1,
          remediationTasks: remediationTasks + tasks.length,
        }
      }
    }
  },
  activity: ({ because, tasks }) => [
    planLine('plan_extended', { because, tasks: tasks.map(({ id }) => id) }),
  ],
  timeline: ({ because, tasks }) => ({
    task: null,
    text: `added ${tasks.map(({ id }) => id).join(', ')} because of ${because}`,
  }),
}
