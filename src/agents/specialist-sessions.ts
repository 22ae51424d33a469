/** Specialists as workers of their own: a short session in a copy of the asker's work, of which nothing is collected. */
import type { SupervisedAgent } from './supervised-agent.ts'
import { MOST_ANSWER, type SpecialistAnswer } from '../core/event-schemas/requests.ts'
import {
  AgentUnavailable,
  type Job,
  type WorkerEnded,
  type AskedSpecialist,
  type Specialist,
  type SpecialistQuestion,
} from '../ports/agent.ts'
import { NeedsPerson, WorkspaceNotReady } from '../ports/workspace.ts'

/** Tokens after which a specialist is stopped, where its agent reports them. */
const MOST_TOKENS = 500_000

export interface SpecialistParts {
  readonly agent: Pick<SupervisedAgent, 'start' | 'stop' | 'listen' | 'acknowledge' | 'endOf'>
  /** Takes its folder back. */
  readonly giveBack: (worker: string) => Promise<void>
}

export class SpecialistSessions implements Specialist {
  readonly #parts: SpecialistParts

  constructor(parts: SpecialistParts) {
    this.#parts = parts
  }

  async ask(question: SpecialistQuestion, signal: AbortSignal): Promise<AskedSpecialist> {
    const { agent, giveBack } = this.#parts
    const { specialist: worker, plan } = question
    const over = Promise.withResolvers<WorkerEnded>()
    const stop = (cause: 'time_limit' | 'budget' | 'cancelled'): void =>
      void agent.stop(worker, cause, plan).catch(over.reject)
    const unlisten = agent.listen((event) => {
      if (event.worker !== worker) return
      if (event.kind === 'ended') over.resolve(event)
      else if (event.kind === 'usage' && (event.tokensIn ?? 0) + (event.tokensOut ?? 0) > MOST_TOKENS)
        stop('budget')
    })
    const onAbort = (): void => stop('cancelled')
    signal.addEventListener('abort', onAbort, { once: true })
    let timer: NodeJS.Timeout | undefined
    try {
      await agent.start(jobOf(question), signal)
      timer = setTimeout(() => stop('time_limit'), question.timeLimitMs)
      // It may have ended before a restart of Bosun.
      const end = agent.endOf(worker) ?? (await over.promise)
      await agent.acknowledge(worker)
      await giveBack(worker)
      return { answer: answerIn(end), ...(end.usage === undefined ? {} : { usage: end.usage }) }
    } catch (error) {
      const isExpected = [AgentUnavailable, WorkspaceNotReady, NeedsPerson].some(
        (kind) => error instanceof kind,
      )
      if (!isExpected || !(error instanceof Error)) throw error
      return { answer: { outcome: 'none', text: bounded(`it could not be started: ${error.message}`) } }
    } finally {
      clearTimeout(timer)
      unlisten()
      signal.removeEventListener('abort', onAbort)
    }
  }
}

const jobOf = (asked: SpecialistQuestion): Job => {
  const { specialist: worker, question } = asked
  return {
    ...asked,
    kind: 'start_worker',
    worker,
    // A reviewer's report is read as a review.
    role: question.to === null || question.to === 'reviewer' ? 'architect' : question.to,
    budget: { tokens: MOST_TOKENS, usd: null },
    context: {
      block: '',
      feedback: null,
      cause: null,
      checkpoint: null,
      isLastTry: false,
      hasFailedFix: false,
      earlierWork: null,
      failed: [],
      draft: null,
      audit: null,
      branches: [],
      question,
      dependencies: [],
    },
  }
}

function answerIn({ end, report, agent }: WorkerEnded): SpecialistAnswer {
  const who = agent === undefined ? {} : { agent }
  const none = (why: string): SpecialistAnswer => ({ outcome: 'none', text: bounded(why), ...who })
  if (end.kind !== 'done')
    return none(
      'reason' in end ? end.reason : `it was stopped (${end.kind === 'stopped' ? end.cause : end.kind})`,
    )
  const text = (report?.explanation ?? '').trim()
  if (report === null || text === '') return none('it ended without an answer')
  if (report.selfAssessment === 'blocked') return none(text)
  return { outcome: 'answered', text: bounded(text), ...who }
}

const bounded = (text: string): string =>
  text.length <= MOST_ANSWER ? text : `${text.slice(0, MOST_ANSWER - 1).toWellFormed()}…`
