/** What a plan leaves open, so that a person is asked before anybody works on it. */
import { z } from 'zod'

/** `undecided`: "TBD", "???". `alternatives`: "A or B?". */
export const QUESTION_KINDS = ['undecided', 'alternatives'] as const

export const planQuestionSchema = z.lazy(() =>
  z.strictObject({
    kind: z.enum(QUESTION_KINDS),
    /** As the plan's author wrote them, on one line. */
    words: z.string().min(1),
    /** In the plan's text, from 1. */
    line: z.int().min(0),
    /** What the author names to choose from; empty where they name nothing. */
    choices: z.array(z.string().min(1)),
  }),
)
export type PlanQuestion = Readonly<Omit<z.infer<typeof planQuestionSchema>, 'choices'>> & {
  readonly choices: readonly string[]
}

/** The same open point, also after the text around it was edited. */
export const isSameQuestion = (
  one: Pick<PlanQuestion, 'kind' | 'words'>,
  other: Pick<PlanQuestion, 'kind' | 'words'>,
): boolean => one.kind === other.kind && one.words === other.words

/** What a person decided about an open point. */
export interface PlanAnswer extends Pick<PlanQuestion, 'kind' | 'words'> {
  /** What holds, for the worker; null where the worker decides it. */
  readonly decision: string | null
  readonly by: string
  readonly at: number
}

const NONE: readonly never[] = []

/** Those without an answer: the task waits for them. */
export function openQuestions(task: {
  readonly spec: { readonly questions?: readonly PlanQuestion[] | undefined }
  readonly planAnswers: readonly PlanAnswer[]
}): readonly PlanQuestion[] {
  const { questions = NONE } = task.spec
  return questions.filter((one) => !task.planAnswers.some((answer) => isSameQuestion(answer, one)))
}

/** The answers to what the task's current text leaves open. */
export function answersInForce(task: Parameters<typeof openQuestions>[0]): readonly PlanAnswer[] {
  const { questions = NONE } = task.spec
  return task.planAnswers.filter((answer) => questions.some((one) => isSameQuestion(answer, one)))
}

/** For briefs and records, on one line. */
export const formatAnswer = ({ words, decision, by }: PlanAnswer): string =>
  decision === null ? `${by} leaves it to the worker: ${words}` : `${by} decided on "${words}": ${decision}`
