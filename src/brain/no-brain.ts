/** The brain that judges nothing: each question gets its safe default. */
import type { Question } from '../core/thinking/question.ts'
import type {
  Brain,
  BrainDescription,
  BrainServices,
  ServiceHealth,
  ThinkCall,
  Thought,
} from '../ports/brain.ts'

export class NoBrain implements Brain, BrainServices {
  async think<Input, Answer>(
    question: Question<Input, Answer>,
    input: Input,
    { signal }: ThinkCall,
  ): Promise<Thought<Answer>> {
    signal.throwIfAborted()
    return unjudged(question, input, null)
  }

  async describe(): Promise<BrainDescription> {
    return { who: null, why: 'brain.provider is none' }
  }

  async check(): Promise<readonly ServiceHealth[]> {
    return []
  }
}

/** `why` is null where no brain is configured. */
export const unjudged = <Input, Answer>(
  question: Question<Input, Answer>,
  input: Input,
  why: string | null,
): Thought<Answer> => ({
  answer: question.unjudged(input),
  by: 'nobody',
  usage: null,
  fallback: why,
  cached: false,
})
