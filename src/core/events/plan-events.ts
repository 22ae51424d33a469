/** Every event of a plan. */
import { inboxAnswered, riskSettled } from './inbox/answered.ts'
import { permissionRevoked } from './inbox/permission-revoked.ts'
import { inboxOpened, inboxWithdrawn } from './inbox/items.ts'
import type { DefinitionFor, EventIn } from './define.ts'
import { planBaselined } from './plan/baselined.ts'
import { planEdited } from './plan/edited.ts'
import { planExtended } from './plan/extended.ts'
import { planDocumented, planRegistered } from './plan/registered.ts'
import { planCancelled, planPaused, planResumed } from './plan/steered.ts'
import { integrationDiagnosed, integrationRan } from './release/integration.ts'
import { releaseGated, releasePrepared, releaseSigned } from './release/released.ts'
import { workCollected } from './task/collected.ts'
import { reviewDispatched, taskDispatched } from './task/dispatched.ts'
import { taskFailureAssessed } from './task/failure-assessed.ts'
import { taskGated } from './task/gated.ts'
import { taskCommitRefused, taskCommitted, taskProofOutdated } from './task/landed.ts'
import { taskReplanned } from './task/replanned.ts'
import { taskReviewed } from './task/reviewed.ts'
import { taskTierRaised } from './task/tier-raised.ts'
import { brainAnswered } from './upkeep/brain.ts'
import { clockJumped, pmStarted } from './upkeep/clock.ts'
import { effectFailed, progressReported, wordIgnored } from './upkeep/notes.ts'
import { providerFreed, providerLimited } from './upkeep/providers.ts'
import { workerCondemned } from './worker/condemned.ts'
import { workerEnded } from './worker/ended.ts'
import { workerClockSet, workerPaused, workerResumed } from './worker/paused.ts'
import { requestAnswered, requestReceived } from './worker/requests.ts'
import { contractChanged } from './worker/contract-changed.ts'
import { testsReported } from './worker/tests-reported.ts'
import { sessionOpened } from './worker/session.ts'
import { specialistAnswered } from './worker/specialist.ts'
import { workerStarted, workerUsed } from './worker/started.ts'
import { timeGranted } from './worker/time-granted.ts'
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
