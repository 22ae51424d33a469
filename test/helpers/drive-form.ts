/** Plays the part of the interview's engine for the form: performs its tool calls until it waits or submits a spec. */
import { MAX_CALLS_PER_MESSAGE, type Expertise } from '../../src/core/interview/transitions.ts'
import {
  toolCallSchema,
  type ChatMessage,
  type ToolCall,
  type TurnInput,
} from '../../src/core/interview/turn.ts'
import { continuedForm, takeTurn } from '../../src/core/interview/form/take-turn.ts'
import { readSpec } from '../../src/core/spec/read-spec.ts'
import type { Spec } from '../../src/core/spec/spec.ts'

const DAY = Date.UTC(2026, 10, 16)
const READY: TurnInput['bootstrap'] = { needed: false, missing: [], language: 'typescript' }
export const EMPTY_REPOSITORY: TurnInput['bootstrap'] = {
  needed: true,
  missing: ['manifest', 'test', 'lint', 'build', 'ignore_file'],
  language: null,
}

export interface Driven {
  expertise: Expertise
  request: TurnInput['request']
  bootstrap: TurnInput['bootstrap']
  conversation: ChatMessage[]
  feedback: string | null
  draft: string | null
  bootstrapDraft: string | null
  files: Readonly<Record<string, string>>
  /** The most calls that one message took. */
  mostCalls: number
  state: 'AWAIT_USER' | 'PREVIEW'
}

export const newInterview = (given: Partial<Driven> = {}): Driven => ({
  expertise: 'basic',
  request: null,
  bootstrap: READY,
  conversation: [],
  feedback: null,
  draft: null,
  bootstrapDraft: null,
  files: {},
  mostCalls: 0,
  state: 'AWAIT_USER',
  ...given,
})

/** The user writes or fills in; the form answers until it waits or submits. */
export function say(interview: Driven, text: string, answers: Readonly<Record<string, string>> = {}): Driven {
  interview.conversation.push({ from: 'user', text, questions: [], answers, at: DAY })
  return work(interview)
}

export const fill = (interview: Driven, answers: Readonly<Record<string, string>>): Driven =>
  say(interview, '', answers)

/** The user goes on from the preview. */
export function goOn(interview: Driven): Driven {
  const form = continuedForm(interview.draft ?? '')
  if (form === null) throw new Error('there is no valid draft')
  interview.conversation.push({ from: 'pm', ...form, answers: {}, at: DAY })
  interview.state = 'AWAIT_USER'
  return interview
}

/** The architect sends the spec back. */
export function sendBack(interview: Driven, feedback: string): Driven {
  const text =
    'The architect provided the following feedback on your spec. Address these issues and resubmit or ask the user for ' +
    `any needed clarifications. The user has not seen the raw feedback. ${feedback}`
  interview.feedback = text
  interview.conversation.push({ from: 'system', text, questions: [], answers: {}, at: DAY })
  return work(interview)
}

export function work(interview: Driven): Driven {
  const calls: TurnInput['calls'][number][] = []
  for (;;) {
    const call = takeTurn({ ...inputOf(interview), calls, callsLeft: MAX_CALLS_PER_MESSAGE - calls.length })
    toolCallSchema().parse(call)
    interview.mostCalls = Math.max(interview.mostCalls, calls.length + 1)
    if (call.tool === 'await_user' || calls.length >= MAX_CALLS_PER_MESSAGE) {
      interview.state = 'AWAIT_USER'
      return interview
    }
    const done = perform(interview, call)
    calls.push(done)
    if (done.ok && call.tool === 'spec_submit') {
      interview.state = 'PREVIEW'
      return interview
    }
  }
}

const inputOf = (interview: Driven): Omit<TurnInput, 'calls' | 'callsLeft'> => ({
  expertise: interview.expertise,
  conversation: [...interview.conversation],
  request: interview.request,
  readUpTo: interview.conversation.length,
  feedback: interview.feedback,
  bootstrap: interview.bootstrap,
  draft: interview.draft,
  bootstrapDraft: interview.bootstrapDraft,
})

function perform(interview: Driven, call: ToolCall): TurnInput['calls'][number] {
  switch (call.tool) {
    case 'chat_post':
      interview.conversation.push({
        from: 'pm',
        text: call.text,
        questions: call.questions ?? [],
        answers: {},
        at: DAY,
      })
      return { call, ok: true, result: 'posted' }
    case 'read_file': {
      const text = interview.files[call.path]
      return { call, ok: text !== undefined, result: text ?? 'no such file' }
    }
    case 'list_files':
    case 'await_user':
      return { call, ok: true, result: '' }
    case 'spec_submit': {
      const problems = [
        call.markdown,
        ...(call.bootstrap_markdown === null ? [] : [call.bootstrap_markdown]),
      ].flatMap((text) =>
        readSpec(text).spec === null
          ? readSpec(text).problems.map(({ line, message }) => `${line}: ${message}`)
          : [],
      )
      if (problems.length > 0) return { call, ok: false, result: problems.join('\n') }
      interview.draft = call.markdown
      interview.bootstrapDraft = call.bootstrap_markdown
      interview.feedback = null
      return { call, ok: true, result: 'preview_ready' }
    }
  }
}

export function specOf(interview: Driven): Spec {
  const { spec, problems } = readSpec(interview.draft ?? '')
  if (spec === null) throw new Error(`no valid spec: ${JSON.stringify(problems)}\n${interview.draft ?? ''}`)
  return spec
}

export const posts = (interview: Driven): readonly ChatMessage[] =>
  interview.conversation.filter(({ from }) => from === 'pm')

export const lastPost = (interview: Driven): ChatMessage => {
  const last = posts(interview).at(-1)
  if (last === undefined) throw new Error('nothing was posted')
  return last
}

/** As a person sees it, for a failure message. */
export const transcript = (interview: Driven): string =>
  interview.conversation
    .map(({ from, text, questions }) =>
      [
        `${from}: ${text}`,
        ...questions.map(
          (question, at) =>
            `  ${at + 1}. ${question.text} ${question.options.map(({ key, label }) => `${key}) ${label}`).join(' ')} [${question.default ?? '-'}]`,
        ),
      ].join('\n'),
    )
    .join('\n')
