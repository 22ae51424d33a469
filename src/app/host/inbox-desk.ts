/**
 * The person, as the engine sees them: whatever is open stands in the inbox, since that is read from
 * the plan's state; answers come through the doors and go straight to the plan.
 */
import type { HumanReviewer } from '../../ports/human-reviewer.ts'
import type { Notifier } from '../../ports/notifier.ts'

export const inboxDesk: HumanReviewer = {
  present: () => Promise.resolve(),
  listen: () => () => undefined,
}

/** Progress is told by the activity log and by whoever is attached; nobody is called. */
export const quietNotifier: Notifier = { notify: () => Promise.resolve() }
