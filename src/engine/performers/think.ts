/** Asks the brain for an effect, and records what that cost or why nobody judged. */
import type { PlanEvent } from '../../core/events/plan-events.ts'
import type { ModelSize, Question } from '../../core/thinking/question.ts'
import type { Thought } from '../../ports/brain.ts'
import type { Performance } from './performer.ts'

export interface Asked<Answer> {
  readonly answer: Answer
  readonly by: string
  /** To be recorded before what comes of the answer; empty where no brain is configured. */
  readonly events: readonly PlanEvent[]
}

export interface ThinkingAbout extends Performance {
  readonly task: string
  /** By the scope of the task. */
  readonly size?: ModelSize
  /** What the plan has spent on thinking. */
  readonly spentUsd?: number
}

export async function think<Input, Answer>(
  question: Question<Input, Answer>,
  input: Input,
  { world, plan, signal, task, size = question.size, spentUsd = 0 }: ThinkingAbout,
): Promise<Asked<Answer>> {
  const about = { plan: plan.id, task }
  const call = { about, size, spentUsd, signal, outage: 'unjudged' } as const
  const thought = await world.brain.think(question, input, call)
  const { answer, by } = thought
  return { answer, by, events: recorded(question.name, task, thought) }
}

function recorded(question: string, task: string, thought: Thought<unknown>): readonly PlanEvent[] {
  const { by, usage, fallback, cached } = thought
  if (usage === null && fallback === null && !cached) return []
  const { requests, ...used } = usage ?? { requests: 0 }
  return [
    {
      type: 'brain.answered',
      v: 1,
      question,
      task,
      by,
      usage: usage === null ? null : { ...NO_TOKENS, ...used },
      requests,
      fallback,
      cached,
    },
  ]
}

const NO_TOKENS = { tokensIn: 0, tokensOut: 0, tokensCached: 0, usd: null }
