/** A machine opens; an interview starts in it, or a spec is uploaded. */
import { z } from 'zod'
import { cut, fact, aboutPlan } from '../../events/rendering.ts'
import {
  begunWith,
  bootstrapFacts,
  by,
  callKey,
  count,
  expertise,
  recoverable,
  specDraft,
  text,
} from './schemas.ts'
import type { InterviewSession, Machine, Recoverable } from '../machine.ts'
import { interviewEvent } from './define.ts'

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

/** What becomes of interviews that can be continued: that of this session goes on, the newest is dropped, or all stay for later. */
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
  render: ({ session, by, expertise, earlier, bootstrap }) =>
    aboutPlan(
      `interview ${earlier === 'restored' ? 'continued' : 'started'} by ${by}`,
      fact('interview_started', { session, by, expertise, earlier, bootstrap: bootstrap.needed }),
    ),
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
    const kept = begin(machine, { session: id, earlier })
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
  render: ({ session, by, draft: { sha256, spec_metadata: about }, earlier }) =>
    aboutPlan(
      `spec "${cut(about.title)}" uploaded by ${by}`,
      fact('spec_uploaded', { session, by, earlier, sha256, ...about }),
    ),
})

/** What the new interview goes on from; null where it is a new one. */
function begin(machine: Machine, asked: Beginning): Recoverable | null {
  const kept = restoredBy(machine, asked)
  const gone = asked.earlier === 'dropped' ? machine.recoverable[0] : kept
  machine.recoverable = machine.recoverable.filter((one) => one !== gone)
  if (asked.earlier !== 'restored') machine.interviews++
  machine.parked = null
  machine.lastAction = null
  return kept ?? null
}

type Beginning = { readonly session: string; readonly earlier: Earlier }

const restoredBy = ({ recoverable }: Machine, { session, earlier }: Beginning): Recoverable | undefined =>
  earlier === 'restored' ? recoverable.find((one) => one.session.id === session) : undefined

function nothingToRestore(machine: Machine, asked: Beginning): string | null {
  if (asked.earlier !== 'restored' || restoredBy(machine, asked) !== undefined) return null
  return `there is no interview ${asked.session} to continue`
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
