/** The smaller ports, scripted: integration tests, the brain, notices. */
import type { DiagnoseLayer, RunIntegration } from '../core/decide/effects.ts'
import type { Diagnosis } from '../core/events/integration.ts'
import type { EventOf } from '../core/events/plan-events.ts'
import type { QuestionName } from '../core/thinking/question-names.ts'
import type { Question } from '../core/thinking/question.ts'
import { readAnswer } from '../core/thinking/read-answer.ts'
import type { Brain, ThinkCall, Thought, ThoughtUsage } from '../ports/brain.ts'
import type { Clock } from '../ports/clock.ts'
import type { IntegrationRun, IntegrationRunner } from '../ports/gate-runner.ts'
import { sleep } from './sleep.ts'

type Outcome = EventOf<'integration.ran'>['results'][number]['outcome']

/** The duration of a run, and its tree. */
export interface IntegrationPace {
  readonly runMs: number
  readonly tipTree: () => string | Promise<string>
}

export class ScriptedIntegration implements IntegrationRunner {
  readonly #clock: Clock
  readonly #outcome: (test: string, request: RunIntegration) => Outcome
  readonly #pace: IntegrationPace

  constructor(
    clock: Clock,
    outcome: (test: string, request: RunIntegration) => Outcome = () => 'passed',
    pace: IntegrationPace = { runMs: 60_000, tipTree: () => 'tip' },
  ) {
    this.#clock = clock
    this.#outcome = outcome
    this.#pace = pace
  }

  async run(request: RunIntegration): Promise<IntegrationRun> {
    await sleep(this.#clock, this.#pace.runMs)
    const results = request.tests.map(({ id }) => {
      const outcome = this.#outcome(id, request)
      return { id, outcome, output: `${id} ${outcome} (scripted)`, values: {}, run: null }
    })
    return { tree: await this.#pace.tipTree(), results }
  }

  /** Blames the last of the tasks that a test covers. */
  async diagnose({ tests }: DiagnoseLayer): Promise<readonly Diagnosis[]> {
    await sleep(this.#clock, this.#pace.runMs)
    return tests.map(({ id, tasksCovered }) => ({
      test: id,
      culprit: tasksCovered.at(-1) ?? null,
      words: 'scripted',
      probes: [],
    }))
  }
}

/** What the script answers; undefined where nothing is judged. */
export type ScriptedAnswers = (question: QuestionName, input: unknown) => unknown

/** Gives scripted answers, as far as they fit their questions; else nothing is judged. */
export class ScriptedBrain implements Brain {
  readonly #answers: ScriptedAnswers
  readonly #usage: ThoughtUsage | null

  /** `usage` is that of each scripted answer. */
  constructor(answers: ScriptedAnswers = () => undefined, usage: ThoughtUsage | null = null) {
    this.#answers = answers
    this.#usage = usage
  }

  async think<Input, Answer>(
    question: Question<Input, Answer>,
    input: Input,
    { signal }: ThinkCall,
  ): Promise<Thought<Answer>> {
    signal.throwIfAborted()
    const scripted = this.#answers(question.name, input)
    const unjudged = (fallback: string | null) =>
      ({ answer: question.unjudged(input), by: 'nobody', usage: null, fallback, cached: false }) as const
    if (scripted === undefined) return unjudged(null)
    const read = readAnswer(question, input, { text: JSON.stringify(scripted), isWrapped: false })
    return read.ok
      ? { answer: read.answer, by: 'the script', usage: this.#usage, fallback: null, cached: false }
      : unjudged(`the scripted answer to ${question.name} was refused: ${read.mistake}`)
  }
}
