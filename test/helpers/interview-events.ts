/** One event of each type of an interview. */
import type { InterviewEvent } from '../../src/core/interview/events/interview-events.ts'
import type { InterviewSession, SpecDraft } from '../../src/core/interview/machine.ts'

export const DRAFT: SpecDraft = {
  user_spec_md: '# Feature: Search',
  bootstrap_spec_md: null,
  spec_metadata: { title: 'Search', version: '1.0', priority: 'must', requirements_count: 1 },
  sha256: 'ab'.repeat(32),
}

const SESSION: InterviewSession = {
  id: '1.1',
  expertise: 'basic',
  startText: 'a search page',
  request: null,
  bootstrap: { needed: false, missing: [], language: null },
  awaitUserMs: null,
  conversation: [{ from: 'user', text: 'a search page', questions: [], answers: {}, at: 1 }],
  readUpTo: 0,
  calls: [],
  feedback: null,
  rounds: 0,
  spentUsd: 0,
  draft: DRAFT,
  draftedBy: 'nobody',
  review: null,
}

const REQUEST = {
  approval_type: 'spec',
  content: DRAFT.user_spec_md,
  infrastructure_spec: null,
  reason: 'PM has completed spec interview and generated specification for review',
} as const

const thought = { by: 'nobody', fallback: null, usage: null }
const question = {
  id: 'q1',
  text: 'Which?',
  options: [{ key: 'a', label: 'A', consequence: 'fast' }],
  default: 'a',
}

export const SAMPLE_INTERVIEW_EVENTS: readonly InterviewEvent[] = [
  {
    type: 'interview.opened',
    v: 1,
    repository: 'shop-12345678',
    number: 2,
    recoverable: [
      { session: SESSION, state: 'WORKING', why: 'the daemon stopped', at: 5, cause: 'shutdown' },
    ],
    plan: null,
  },
  {
    type: 'interview.started',
    v: 1,
    session: '1.1',
    by: 'ada',
    expertise: 'expert',
    text: null,
    request: {
      type: 'feature_request',
      scope: 'medium',
      workflow: 'light',
      title: 'Add a search page',
      understood: null,
    },
    bootstrap: { needed: true, missing: ['git', 'test'], language: null },
    awaitUserMs: 60_000,
    earlier: 'kept',
  },
  {
    type: 'interview.spec_uploaded',
    v: 1,
    session: '1.1',
    by: 'ada',
    draft: DRAFT,
    request: null,
    earlier: 'kept',
  },
  {
    type: 'interview.message_received',
    v: 1,
    by: 'ada',
    text: 'a search page',
    answers: { goal: 'a search page' },
  },
  { type: 'interview.message_noticed', v: 1, upTo: 1 },
  {
    type: 'interview.tool_called',
    v: 1,
    call: { tool: 'chat_post', text: 'One question', questions: [question] },
    ok: true,
    result: 'posted',
    readUpTo: 1,
    thought: { by: 'openai/gpt', fallback: null, usage: { tokensIn: 3, tokensOut: 4, usd: null } },
  },
  { type: 'interview.user_awaited', v: 1, why: 'tool', readUpTo: 1, thought },
  { type: 'interview.spec_submitted', v: 1, result: 'preview_ready', draft: DRAFT, readUpTo: 1, thought },
  { type: 'interview.continued', v: 1, by: 'ada', sha256: DRAFT.sha256, post: null },
  { type: 'interview.review_requested', v: 1, by: 'ada', key: 'k', sha256: DRAFT.sha256, request: REQUEST },
  {
    type: 'interview.review_answered',
    v: 1,
    key: 'k',
    result: { status: 'needs_changes', feedback: 'R-001 cannot be measured', type: 'spec' },
    stories: [],
    planText: null,
    judgedBy: 'nobody',
    spentUsd: 0,
  },
  { type: 'interview.changes_requested', v: 1, message: 'The architect …' },
  { type: 'interview.approved', v: 1, plan: 'search' },
  { type: 'interview.failed', v: 1, cause: 'error', why: 'the disk failed' },
  { type: 'interview.reset', v: 1 },
  { type: 'interview.shut_down', v: 1 },
  { type: 'interview.suspended', v: 1, service: 'openai', why: 'timed out' },
  { type: 'interview.resumed', v: 1, services: ['openai'] },
  { type: 'interview.parked', v: 1, service: 'openai', until: 99 },
]
