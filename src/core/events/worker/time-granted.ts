/** A person gives a worker more time without being asked. */
import { z } from 'zod'
import { decided, taskIn } from '../../fold/moves.ts'
import { change, withMessage } from '../../fold/watch.ts'
import { isExtension, MOST_EXTENSION_MINUTES } from '../../watch/requests/extension.ts'
import { extensionMessage } from '../../watch/requests/written-messages.ts'
import { workerLine } from '../activity-lines.ts'
import { eventShape, type EventDefinition, type EventIn } from '../define.ts'
import { by, ofWorker } from '../../event-schemas/schemas.ts'
import { rejectStopping, rejectUnlessLive } from '../rejections.ts'

const grantedShape = eventShape('time.granted', 1, () => ({ ...ofWorker, minutes: z.int().min(1), by }))
type Granted = EventIn<typeof grantedShape>

/** `worker.extended` follows when its supervisor has applied it. */
export const timeGranted: EventDefinition<typeof grantedShape> = {
  shape: grantedShape,
  rejectionReason: (state, event) =>
    rejectUnlessLive(state, event, (live) =>
      isExtension(event.minutes)
        ? rejectStopping(live)
        : `${event.minutes} min is not between 1 and ${MOST_EXTENSION_MINUTES}`,
    ),
  apply(state, event, at) {
    change(state, event, (watch) => ({
      ...withMessage(watch, extensionMessage(event), at),
      extraMs: watch.extraMs + event.minutes * 60_000,
      // As with an extension that answers an alert.
      armedAt: at,
    }))
    decided(taskIn(state, event.task), at, grantedText(event))
  },
  activity: (event) => [workerLine(event, 'time_granted', { minutes: event.minutes, by: event.by })],
  timeline: (event) => ({ task: event.task, text: grantedText(event) }),
}

const grantedText = ({ worker, minutes, by }: Granted): string => `${by} gave ${worker} ${minutes} min more`
