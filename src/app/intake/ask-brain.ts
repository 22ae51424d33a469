/** Asks the brain, where one is configured and can be reached; else nobody judges, and the answer says so. */
import { isWithoutBrain } from '../../core/settings/brain-settings.ts'
import { createHash } from 'node:crypto'
import type { Settings } from '../../core/settings/settings.ts'
import type { Question } from '../../core/thinking/question.ts'
import { ServiceUnavailable, type Brain, type ThinkSubject } from '../../ports/brain.ts'
import type { Host } from '../host/host.ts'

/** For one question: an agent reads the code before it answers. */
const LONGEST_MS = 300_000

export interface Asking {
  readonly settings: Settings
  /** The work tree of the repository; null outside of any. */
  readonly repository: string | null
  readonly variables: Readonly<Record<string, string | undefined>>
  /** The request that is asked about, as the user wrote it. */
  readonly text: string
  /** Aborted when nobody waits for the answer any more. */
  readonly signal?: AbortSignal | undefined
}

export interface Answered<Answer> {
  readonly answer: Answer
  /** `nobody`, or the provider and model. */
  readonly by: string
  /** Why nobody judged although a model is configured; null where there is no reason. */
  readonly fallback: string | null
}

export type Ask = <Input, Answer>(
  question: Question<Input, Answer>,
  input: Input,
) => Promise<Answered<Answer>>

/** Nothing of a brain is loaded where the settings name none. */
export async function askingFor(host: Pick<Host, 'parts'>, asking: Asking): Promise<Ask> {
  const { settings, repository, variables, text, signal = new AbortController().signal } = asking
  const { brainFor } = host.parts
  if (isWithoutBrain(settings) || repository === null || brainFor === undefined) return unjudged
  const about = { repository, request: text.trim() }
  return askBrain(await brainFor({ repository, settings, variables }), about, signal)
}

/** In an outage, and when the caller has gone, nobody judges. */
function askBrain(brain: Brain, about: ThinkSubject, gone: AbortSignal): Ask {
  return async (question, input) => {
    const signal = AbortSignal.any([gone, AbortSignal.timeout(LONGEST_MS)])
    try {
      return await brain.think(question, input, { about, signal, outage: 'throw' })
    } catch (error) {
      if (!signal.aborted && !(error instanceof ServiceUnavailable)) throw error
      const fallback = error instanceof ServiceUnavailable ? error.message : 'the brain took too long'
      return { answer: question.unjudged(input), by: 'nobody', fallback }
    }
  }
}

/** Answers of models to questions that are asked again, the oldest first. */
export type KeptAnswers = Map<string, { readonly at: number; readonly answered: Answered<unknown> }>

const MOST_KEPT = 10
/** The code may change meanwhile. */
const KEPT_MS = 10 * 60_000

/** Asks an identical question once in a while: a person who corrects a title asks nothing new. */
export function askOnce(
  ask: Ask,
  { kept, about = null, now }: { kept: KeptAnswers; about?: unknown; now: () => number },
): Ask {
  return async <Input, Answer>(question: Question<Input, Answer>, input: Input) => {
    const key = createHash('sha256')
      .update(JSON.stringify([question.name, about, input]))
      .digest('hex')
    const known = kept.get(key)
    // The key names the question, and with it the type of its answer.
    if (known !== undefined && now() - known.at <= KEPT_MS) return known.answered as Answered<Answer>
    const answered = await ask(question, input)
    if (answered.by === 'nobody') return answered
    kept.delete(key)
    const [oldest] = kept.keys()
    if (kept.size >= MOST_KEPT && oldest !== undefined) kept.delete(oldest)
    kept.set(key, { at: now(), answered })
    return answered
  }
}

export const unjudged: Ask = async (question, input) => ({
  answer: question.unjudged(input),
  by: 'nobody',
  fallback: null,
})
