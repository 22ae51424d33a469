/** A machine opens; an interview starts in it, or a spec is uploaded. */
import { z } from 'zod'
import { cut } from '../../events/activity-lines.ts'
import type { InterviewSession, Machine } from '../machine.ts'
import {
  accepts,
  interviewLine,
  interviewShape,
  inTimeline,
  staysInState,
  type InterviewDefinition,
} from './define.ts'
import { bootstrapFacts, by, callKey, count, expertise, recoverable, specDraft, text } from './schemas.ts'

const openedShape = interviewShape('interview.opened', () => ({
  repository: z.string().min(1),
  number: z.int().min(1),
  /** What an earlier machine of this repository left, by an error or by an orderly stop; null without. */
  recoverable: recoverable().nullable(),
  /** The last plan of the machine before. */
  plan: text().nullable(),
}))

/** The first event of every machine. */
export const interviewOpened: InterviewDefinition<typeof openedShape> = {
  shape: openedShape,
  trigger: staysInState,
  rejectionReason: () => 'the machine is already open',
  change() {
    throw new Error('a machine opens only once')
  },
  activity: () => [],
  timeline: () => null,
}

const startedShape = interviewShape('interview.started', () => ({
  session: z.string().min(1),
  by: by(),
  expertise: expertise(),
  text: text().nullable(),
  bootstrap: bootstrapFacts(),
  awaitUserMs: count().nullable(),
  /** Whether it continues the interview that can be recovered. */
  restored: z.boolean(),
  callKey: callKey(),
}))

export const interviewStarted: InterviewDefinition<typeof startedShape> = {
  shape: startedShape,
  trigger: ({ bootstrap }) => (bootstrap.needed ? 'start_with_bootstrap' : 'start'),
  rejectionReason: (machine, { restored }) =>
    restored && machine.recoverable === null ? 'there is no interview to continue' : null,
  change(machine, event) {
    const { session: id, expertise, text: startText, bootstrap, awaitUserMs, restored } = event
    const kept = restored ? machine.recoverable : null
    const fresh = emptySession({ id, expertise, startText, bootstrap, awaitUserMs })
    machine.session = kept === null ? fresh : reopened({ ...kept.session, awaitUserMs }, kept.state)
    begin(machine, kept === null)
  },
  activity: ({ session, by, expertise, restored, bootstrap }) => [
    interviewLine('interview_started', { session, by, expertise, restored, bootstrap: bootstrap.needed }),
  ],
  timeline: ({ by, restored }) => inTimeline(`interview ${restored ? 'continued' : 'started'} by ${by}`),
}

/** A turn that was cut short is taken up again: the user's last message counts as unread. */
function reopened(session: InterviewSession, was: string): InterviewSession {
  const copy = structuredClone({ ...session, calls: [], review: null })
  if (was !== 'WORKING') return copy
  const last = copy.conversation.findLastIndex(({ from }) => from === 'user')
  if (last >= 0) copy.readUpTo = Math.min(copy.readUpTo, last)
  return copy
}

const uploadedShape = interviewShape('interview.spec_uploaded', () => ({
  session: z.string().min(1),
  by: by(),
  draft: specDraft(),
  restored: z.boolean(),
  callKey: callKey(),
}))

/** A spec without an interview; its author counts as an expert. */
export const specUploaded: InterviewDefinition<typeof uploadedShape> = {
  shape: uploadedShape,
  trigger: () => 'upload_spec',
  rejectionReason: accepts,
  change(machine, { session: id, draft, restored }) {
    const kept = restored ? machine.recoverable : null
    const bootstrap = { needed: false, missing: [], language: null }
    const fresh = emptySession({ id, expertise: 'expert', startText: null, bootstrap, awaitUserMs: null })
    const session = kept === null ? fresh : structuredClone({ ...kept.session, calls: [] })
    machine.session = { ...session, draft }
    begin(machine, kept === null)
  },
  activity: ({ session, by, draft, restored }) => [
    interviewLine('spec_uploaded', { session, by, restored, sha256: draft.sha256, ...draft.spec_metadata }),
  ],
  timeline: ({ by, draft }) => inTimeline(`spec "${cut(draft.spec_metadata.title)}" uploaded by ${by}`),
}

function begin(machine: Machine, isNew: boolean): void {
  if (isNew) machine.interviews++
  machine.recoverable = null
  machine.parked = null
  machine.lastAction = null
}

function emptySession(
  given: Pick<InterviewSession, 'id' | 'expertise' | 'startText' | 'bootstrap' | 'awaitUserMs'>,
): InterviewSession {
  return {
    ...given,
    conversation: [],
    readUpTo: 0,
    calls: [],
    feedback: null,
    rounds: 0,
    spentUsd: 0,
    draft: null,
    review: null,
  }
}
