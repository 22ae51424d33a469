/** Asks the brain what the rules could answer alone: they do where no model is configured, or none can be reached. */
import type { Settings } from '../../core/settings/settings.ts'
import type { Question } from '../../core/thinking/question.ts'
import type { Host } from '../host/host.ts'

/** For one question; after it the rules answer. */
const LONGEST_MS = 120_000

export interface Asking {
  readonly settings: Settings
  /** The work tree of the repository; null outside of any. */
  readonly repository: string | null
  readonly variables: Readonly<Record<string, string | undefined>>
}

export interface Answered<Answer> {
  readonly answer: Answer
  /** `rules`, or the provider and model. */
  readonly by: string
  /** Why the rules answered although a model is configured; null where they did not. */
  readonly fallback: string | null
}

export type Ask = <Input, Answer>(
  question: Question<Input, Answer>,
  input: Input,
) => Promise<Answered<Answer>>

/** Nothing of a brain is loaded where the settings name none. */
export async function askingFor(host: Pick<Host, 'parts'>, asking: Asking): Promise<Ask> {
  const { settings, repository, variables } = asking
  const { brainFor } = host.parts
  if (settings.brain.provider === 'rules' || repository === null || brainFor === undefined) return byRules
  const brain = await brainFor({ repository, settings, variables })
  return async (question, input) => {
    const signal = AbortSignal.timeout(LONGEST_MS)
    try {
      return await brain.think(question, input, { about: { repository }, signal, outage: 'rules' })
    } catch (error) {
      if (!signal.aborted) throw error
      return { answer: question.rules(input), by: 'rules', fallback: 'the brain took too long' }
    }
  }
}

export const byRules: Ask = async (question, input) => ({
  answer: question.rules(input),
  by: 'rules',
  fallback: null,
})
