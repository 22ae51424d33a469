/** The brain that needs no model: every question has a rule that answers it. */
import type { Question } from '../core/thinking/question.ts'
import type { Brain, BrainServices, ServiceHealth, ThinkCall, Thought } from '../ports/brain.ts'

export class NoBrain implements Brain, BrainServices {
  async think<Input, Answer>(
    question: Question<Input, Answer>,
    input: Input,
    { signal }: ThinkCall,
  ): Promise<Thought<Answer>> {
    signal.throwIfAborted()
    return { answer: question.unjudged(input), by: 'nobody', usage: null, fallback: null, cached: false }
  }

  async check(): Promise<readonly ServiceHealth[]> {
    return []
  }
}
