/** Every event of a plan. */
import { inboxAnswered, riskSettled, inboxOpened, inboxWithdrawn, permissionRevoked } from './plan/inbox.ts'
import type { DefinitionFor, EventIn } from './define.ts'
import { planBaselined } from './plan/baselined.ts'
import {
  planEdited,
  planDocumented,
  planRegistered,
  planCancelled,
  planPaused,
  planResumed,
  planExtended,
} from './plan/registered.ts'
import {
  integrationDiagnosed,
  integrationRan,
  releaseGated,
  releasePrepared,
  releaseSigned,
} from './plan/release.ts'
import { workCollected } from './task/collected.ts'
import { reviewDispatched, taskDispatched } from './task/dispatched.ts'
import { taskFailureAssessed, taskReplanned, taskReviewed, taskTierRaised } from './task/judged.ts'
import { taskGated } from './task/gated.ts'
import { taskCommitRefused, taskCommitted, taskProofOutdated } from './task/landed.ts'
import {
  brainAnswered,
  effectFailed,
  progressReported,
  wordIgnored,
  clockJumped,
  pmStarted,
  providerFreed,
  providerLimited,
} from './plan/upkeep.ts'
import {
  workerCondemned,
  workerClockSet,
  workerPaused,
  workerResumed,
  timeGranted,
  contractChanged,
} from './worker/steered.ts'
import { workerEnded } from './worker/ended.ts'
import { repositoryChanged } from './worker/repository-changed.ts'
import { requestAnswered, requestReceived, specialistAnswered } from './worker/requests.ts'
import { testsReported, sessionOpened, workerStarted, workerUsed } from './worker/started.ts'
import {
  checkinMissed,
  messageRead,
  watchWould,
  workerExtended,
  workerHeard,
  workerJudged,
  workerTold,
} from './worker/watched.ts'

/** A new event needs its definition and a line here. */
export const EVENT_DEFINITIONS = [
  planRegistered,
  planDocumented,
  planBaselined,
  planEdited,
  planPaused,
  planResumed,
  planCancelled,
  planExtended,
  taskReplanned,
  taskFailureAssessed,
  brainAnswered,
  taskTierRaised,
  taskDispatched,
  workCollected,
  taskGated,
  taskReviewed,
  reviewDispatched,
  taskCommitted,
  taskCommitRefused,
  taskProofOutdated,
  workerStarted,
  sessionOpened,
  workerUsed,
  workerCondemned,
  workerEnded,
  repositoryChanged,
  workerJudged,
  workerTold,
  workerHeard,
  messageRead,
  workerExtended,
  timeGranted,
  workerPaused,
  workerResumed,
  workerClockSet,
  requestReceived,
  testsReported,
  contractChanged,
  requestAnswered,
  specialistAnswered,
  checkinMissed,
  watchWould,
  providerLimited,
  providerFreed,
  inboxOpened,
  inboxWithdrawn,
  inboxAnswered,
  permissionRevoked,
  riskSettled,
  integrationRan,
  integrationDiagnosed,
  releaseGated,
  releasePrepared,
  releaseSigned,
  progressReported,
  effectFailed,
  wordIgnored,
  pmStarted,
  clockJumped,
] as const

type Definition = (typeof EVENT_DEFINITIONS)[number]
type Events = { readonly [D in Definition as D['shape']['type']]: EventIn<D['shape']> }

export type EventType = keyof Events
export type EventOf<T extends EventType> = Events[T]
export type PlanEvent = Events[EventType]

const byType = new Map<string, unknown>(
  EVENT_DEFINITIONS.map((definition) => [definition.shape.type, definition]),
)

export const isEventType = (type: unknown): type is EventType => typeof type === 'string' && byType.has(type)

export const definitionOf = <T extends EventType>(type: T): DefinitionFor<EventOf<T>> =>
  byType.get(type) as DefinitionFor<EventOf<T>>
