/** A person changed the contract that a running worker has to keep. */
import { z } from 'zod'
import { decided, taskIn } from '../../fold/moves.ts'
import { by, ofWorker } from '../../event-schemas/schemas.ts'
import { changedContract } from '../../planning/change-contract.ts'
import { workerLine } from '../activity-lines.ts'
import { eventShape, type EventDefinition, type EventIn } from '../define.ts'
import { rejectStopping, rejectUnlessLive } from '../rejections.ts'

const shape = eventShape('contract.changed', 1, () => ({
  ...ofWorker,
  way: z.enum(['expand', 'reduce']),
  files: z.array(z.string().min(1)),
  criteria: z.array(z.string().min(1)),
  by,
}))
type Changed = EventIn<typeof shape>

/** The gates read the contract as it is from here on; `worker.told` follows. */
export const contractChanged: EventDefinition<typeof shape> = {
  shape,
  rejectionReason: (state, event) =>
    rejectUnlessLive(state, event, (live) => {
      if (live.role === 'reviewer') return `${live.worker} reviews, and has no contract to change`
      const changed = changedContract(taskIn(state, event.task).spec, event)
      return changed.ok ? rejectStopping(live) : changed.why
    }),
  apply(state, event, at) {
    const task = taskIn(state, event.task)
    const changed = changedContract(task.spec, event)
    if (changed.ok) task.spec = changed.spec
    decided(task, at, changeText(event))
  },
  activity: (event) => [
    workerLine(event, 'contract_changed', {
      way: event.way,
      files: event.files,
      criteria: event.criteria,
      by: event.by,
    }),
  ],
  timeline: (event) => ({ task: event.task, text: changeText(event) }),
}

function changeText({ way, files, criteria, by: who }: Changed): string {
  const parts = [
    ...(files.length === 0 ? [] : [`files ${files.join(', ')}`]),
    ...(criteria.length === 0 ? [] : [`criteria ${criteria.map((text) => `"${text}"`).join(', ')}`]),
  ]
  return `${who} ${way === 'expand' ? 'expanded the contract by' : 'took out of the contract'} ${parts.join(' and ')}`
}
