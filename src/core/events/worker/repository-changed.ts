/** The user's repository changed while a worker ran, and Bosun did not do that: the user may have, or the worker. */
import { z } from 'zod'
import { always, changesNothing, eventShape, type EventDefinition, type EventIn } from '../define.ts'
import { taskId, text, workerId } from '../../event-schemas/schemas.ts'
import { aboutWorker, fact } from '../rendering.ts'

const changeSchema = z.strictObject({
  /** `refs/heads/main`, `.git/hooks/pre-commit`. */
  name: text,
  /** What a ref named, or a digest of a file; null: it was not there. */
  from: text.nullable(),
  to: text.nullable(),
})
export type RepositoryChange = Readonly<z.infer<typeof changeSchema>>

const shape = eventShape('repository.changed', 1, () => ({
  worker: workerId,
  /** Null where the plan no longer waits for that worker. */
  task: taskId.nullable(),
  changes: z.array(changeSchema).min(1),
  /** Changes beyond those that are listed. */
  more: z.int().nonnegative(),
}))
type Changed = EventIn<typeof shape>

/** It stops nothing. */
export const repositoryChanged: EventDefinition<typeof shape> = {
  shape,
  rejectionReason: always,
  apply: changesNothing,
  render: (event) =>
    aboutWorker(
      event,
      changedText(event),
      fact('repository_changed', { changes: event.changes, more: event.more }),
    ),
}

const MOST_CHANGES = 50
const SHOWN = 5

/** Those that an event lists, and how many there are besides. */
export const listedChanges = (all: readonly RepositoryChange[]): Pick<Changed, 'changes' | 'more'> => ({
  changes: all.slice(0, MOST_CHANGES),
  more: Math.max(0, all.length - MOST_CHANGES),
})

function changedText({ worker, changes, more }: Changed): string {
  const unnamed = changes.length - SHOWN + more
  const named = changes.slice(0, SHOWN).map(changeWords).join(', ')
  const rest = unnamed > 0 ? ` and ${unnamed} more` : ''
  return `the repository changed while ${worker} ran: ${named}${rest}; Bosun did not do that`
}

const SHORT = 12

function changeWords({ name, from, to }: RepositoryChange): string {
  if (from === null) return `${name} was added`
  if (to === null) return `${name} was removed`
  return name.startsWith('refs/')
    ? `${name} moved from ${from.slice(0, SHORT)} to ${to.slice(0, SHORT)}`
    : `${name} was changed`
}
