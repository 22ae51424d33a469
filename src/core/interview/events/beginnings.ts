/** A machine opens; an interview starts in it, or a spec is uploaded. */
import { z } from 'zod'
import { cut } from '../../events/activity-lines.ts'
import { begunWith } from '../begun-with.ts'
import type { InterviewSession, Machine, Recoverable } from '../machine.ts'
import { interviewEvent, interviewLine, inTimeline } from './define.ts'
import { bootstrapFacts, by, callKey, count, expertise, recoverable, specDraft, text } from './schemas.ts'

/** The first event of every machine. */
export const interviewOpened = interviewEvent('interview.opened', {
  fields: () => ({
    repository: z.string().min(1),
    number: z.int().min(1),
    /** What earlier machines of this repository left, by an error or by an orderly stop, newest first. */
    recoverable: z.array(recoverable()),
    /** The last plan of the machine before. */
    plan: text().nullable(),
  }),
  rejectionReason: () => 'the machine is already open',
  change() {
    throw new Error('a machine opens only once')
  },
})

/** What becomes of the newest interview that can be continued: it goes on, is dropped, or stays for later. */
const earlier = () => z.enum(['restored', 'dropped', 'kept'])
type Earlier = z.infer<ReturnType<typeof earlier>>

export const interviewStarted = interviewEvent('interview.started', {
  fields: () => ({
    session: z.string().min(1),
    by: by(),
    expertise: expertise(),
    text: text().nullable(),
    /** What `start` understood and the user corrected; null where it began otherwise. */
    request: begunWith().nullable(),
    bootstrap: bootstrapFacts(),
    awaitUserMs: count().nullable(),
    earlier: earlier(),
    callKey: callKey(),
  }),
  trigger: ({ bootstrap }) => (bootstrap.needed ? 'start_with_bootstrap' : 'start'),
  rejectionReason: nothingToRestore,
  change(machine, event) {
    const { session: id, expertise, text: startText, request, bootstrap, awaitUserMs } = event
    const kept = begin(machine, event)
    const fresh = emptySession({ id, expertise, startText, request, bootstrap, awaitUserMs })
    machine.session = kept === null ? fresh : reopened({ ...kept.session, awaitUserMs }, kept.state)
  },
  activity: ({ session, by, expertise, earlier, bootstrap }) => [
    interviewLine('interview_started', { session, by, expertise, earlier, bootstrap: bootstrap.needed }),
  ],
  timeline: ({ by, earlier }) =>
    inTimeline(`interview ${earlier === 'restored' ? 'continued' : 'started'} by ${by}`),
})

/** A turn that was cut short is taken up again: the user's last message counts as unread. */
function reopened(session: InterviewSession, was: string): InterviewSession {
  const copy = structuredClone({ ...session, calls: [], review: null })
  if (was !== 'WORKING') return copy
  const last = copy.conversation.findLastIndex(({ from }) => from === 'user')
  if (last >= 0) copy.readUpTo = Math.min(copy.readUpTo, last)
  return copy
}

/** A spec without an interview; its author counts as an expert. */
export const specUploaded = interviewEvent('interview.spec_uploaded', {
  fields: () => ({
    session: z.string().min(1),
    by: by(),
    draft: specDraft(),
    /** As of `interview.started`. */
    request: begunWith().nullable(),
    earlier: earlier(),
    callKey: callKey(),
  }),
  trigger: () => 'upload_spec',
  rejectionReason: nothingToRestore,
  change(machine, { session: id, draft, request, earlier }) {
    const kept = begin(machine, { earlier })
    const bootstrap = { needed: false, missing: [], language: null }
    const fresh = emptySession({
      id,
      expertise: 'expert',
      startText: null,
      request,
      bootstrap,
      awaitUserMs: null,
    })
    const session = kept === null ? fresh : structuredClone({ ...kept.session, calls: [] })
    machine.session = { ...session, draft }
  },
  activity: ({ session, by, draft, earlier }) => [
    interviewLine('spec_uploaded', { session, by, earlier, sha256: draft.sha256, ...draft.spec_metadata }),
  ],
  timeline: ({ by, draft }) => inTimeline(`spec "${cut(draft.spec_metadata.title)}" uploaded by ${by}`),
})

/** What the new interview goes on from; null where it is a new one. */
function begin(machine: Machine, { earlier }: { readonly earlier: Earlier }): Recoverable | null {
  const [newest, ...older] = machine.recoverable
  if (earlier !== 'kept') machine.recoverable = older
  if (earlier !== 'restored') machine.interviews++
  machine.parked = null
  machine.lastAction = null
  return earlier === 'restored' ? (newest ?? null) : null
}

function nothingToRestore(
  { recoverable }: Machine,
  { earlier }: { readonly earlier: Earlier },
): string | null {
  return earlier === 'restored' && recoverable.length === 0 ? 'there is no interview to continue' : null
}

function emptySession(
  given: Pick<InterviewSession, 'id' | 'expertise' | 'startText' | 'request' | 'bootstrap' | 'awaitUserMs'>,
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
    draftedBy: null,
    review: null,
  }
}
