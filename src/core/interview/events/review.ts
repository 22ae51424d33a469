/** What happens to a spec in PREVIEW, and with the architect. */
import { z } from 'zod'
import { counted } from '../../../lib/text/counted.ts'
import { sessionOf } from '../machine.ts'
import { interviewEvent } from './define.ts'
import { architectRequestSchema } from '../../spec/architect-messages.ts'
import { architectResult, by, formPost, sha256, text } from './schemas.ts'
import { addPost, judgedBy } from './talk.ts'
import { cut, fact, aboutPlan } from '../../events/rendering.ts'

export const interviewContinued = interviewEvent('interview.continued', {
  fields: () => ({
    by: by(),
    sha256: sha256(),
    /** The form with what the draft says, where nobody judged it; null where the user says in words what should change. */
    post: formPost().nullable(),
  }),
  trigger: () => 'continue_interview',
  change(machine, { sha256, post }, at) {
    const session = sessionOf(machine)
    session.review = null
    if (post !== null) addPost(session, { from: 'pm', ...post, answers: {}, at })
    machine.lastAction = { action: 'continue_interview', sha256 }
  },
  render: ({ by }) => aboutPlan(`${by} continues the interview`, fact('interview_continued', { by })),
})

export const reviewRequested = interviewEvent('interview.review_requested', {
  fields: () => ({
    by: by(),
    key: z.string().min(1),
    sha256: sha256(),
    request: architectRequestSchema,
  }),
  trigger: () => 'submit_to_architect',
  rejectionReason: ({ session }, { sha256 }) => {
    const draft = session?.draft ?? null
    if (draft === null) return 'there is no spec to submit'
    return draft.sha256 === sha256 ? null : 'the spec has changed'
  },
  change(machine, { key, request, sha256 }) {
    const session = sessionOf(machine)
    // Submitted again under the same key after a restart: what the architect has answered still counts.
    if (session.review?.key !== key) session.review = { key, request, result: null, planText: null }
    machine.lastAction = { action: 'submit_to_architect', sha256 }
  },
  render: ({ by, key, sha256 }) =>
    aboutPlan(`${by} submitted the spec for development`, fact('spec_review_requested', { by, key, sha256 })),
})

/** The architect's RESULT is durable; what it leads to follows. */
export const reviewAnswered = interviewEvent('interview.review_answered', {
  fields: () => ({
    key: z.string().min(1),
    result: architectResult(),
    /** The stories of an approved spec. */
    stories: z.array(z.record(z.string(), z.json())),
    /** The plan made of them; null where changes are needed. */
    planText: text().nullable(),
    /** The model that judged, or `nobody`. */
    judgedBy: z.string().min(1),
    /** What it cost. */
    spentUsd: z.number().nonnegative(),
  }),
  rejectionReason({ state, session }, { key, result }) {
    const review = session?.review ?? null
    if (state !== 'AWAIT_ARCHITECT' || review?.key !== key) return 'nothing was asked under this key'
    if (review.result !== null) return 'the architect has already answered'
    const asked = review.request.approval_type
    return result.type === asked ? null : `a result of type ${result.type} for a request of type ${asked}`
  },
  change(machine, { result, planText, spentUsd }) {
    const session = sessionOf(machine)
    session.spentUsd += spentUsd
    if (session.review !== null) Object.assign(session.review, { result, planText })
  },
  render({ result: { status, feedback }, stories, judgedBy: by, spentUsd }) {
    const text =
      status === 'approved'
        ? `the architect approved the spec, ${counted(stories.length, 'story', 'stories')}${judgedBy(by)}`
        : `the architect sent the spec back: ${cut(feedback)}`
    const cost = spentUsd === 0 ? {} : { usd: spentUsd }
    const data = { status, feedback: cut(feedback), stories: stories.length, by, ...cost }
    return aboutPlan(text, fact('spec_review_answered', data))
  },
})

export const changesRequested = interviewEvent('interview.changes_requested', {
  fields: () => ({
    /** The feedback, in the words that introduce it to the PM. */
    message: text(),
  }),
  trigger: () => 'needs_changes',
  rejectionReason: ({ session }) =>
    session?.review?.result?.status === 'needs_changes' ? null : 'the architect requested no changes',
  change(machine, { message }, at) {
    const session = sessionOf(machine)
    session.feedback = message
    session.conversation.push({ from: 'system', text: message, questions: [], answers: {}, at })
    session.calls = []
    session.rounds++
    session.review = null
  },
})

/** The stories are a registered plan; the draft goes, and the next interview may start. */
export const specApproved = interviewEvent('interview.approved', {
  fields: () => ({ plan: text() }),
  trigger: () => 'approved',
  rejectionReason: ({ session }) =>
    session?.review?.result?.status === 'approved' ? null : 'the architect did not approve the spec',
  change(machine, { plan }) {
    machine.session = null
    machine.plan = plan
  },
  render: ({ plan }) => aboutPlan(`the approved spec is plan ${plan}`, fact('spec_approved', { plan })),
})
