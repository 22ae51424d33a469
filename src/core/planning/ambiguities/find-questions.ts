/**
 * Finds what a plan leaves open. A false alarm stops work for nothing, so the rules ask only where the words leave no
 * other reading; what they miss, the worker reports (`ambiguities`).
 */
import { plainLine } from '../../../lib/text/quoted.ts'
import type { Plan, TaskSpec } from '../plan.ts'
import { alternativesIn, listedOptions } from './alternatives.ts'
import { contradictionsIn } from './contradictions.ts'
import { isSameQuestion, type PlanQuestion } from './plan-question.ts'
import { sentencesOf, type Sentence } from './sentences.ts'
import { isHedged, undecidedIn } from './undecided.ts'
import { isUnmeasurable, isUnmeasurableTitle } from './unmeasurable.ts'

/** In a task. A task that leaves more open is not written yet. */
const MOST_IN_TASK = 12
const LONGEST_WORDS = 300
const LONGEST_TEXT = 60_000

type Asked = Pick<
  TaskSpec,
  'title' | 'description' | 'line' | 'acceptanceCriteria' | 'inferred' | 'nonGoals' | 'files'
>

/** In the order in which they are read, each once. */
export function questionsOf(task: Asked, constraints: readonly string[] = []): readonly PlanQuestion[] {
  const criteria = task.inferred.includes('acceptance_criteria') ? [] : task.acceptanceCriteria
  const texts = [task.title, ...criteria, task.description.slice(0, LONGEST_TEXT)]
  const sentences = texts.flatMap(sentencesOf)
  const options = listedOptions(sentences)
  const found = [
    ...sentences.flatMap(openPoint),
    ...criteria
      .flatMap(sentencesOf)
      .filter(isHedged)
      .map(({ text }) => question('undecided', text)),
    ...(options === null ? [] : [question('alternatives', options.join(' / '), options)]),
    ...criteria.filter(isVague).map((text) => question('unmeasurable', text)),
    ...(isOnlyTitle(task) && isUnmeasurableTitle(task.title) ? [question('unmeasurable', task.title)] : []),
    ...contradictionsIn([...criteria, ...constraints, ...task.nonGoals], task).map((pair) =>
      question('contradiction', pair.join(' / '), pair),
    ),
  ]
  return found
    .filter((one, at) => found.findIndex((other) => isSameQuestion(one, other)) === at)
    .slice(0, MOST_IN_TASK)
    .map((one) => ({ ...one, line: task.line }))
}

function openPoint(sentence: Sentence): readonly PlanQuestion[] {
  const undecided = undecidedIn(sentence)
  if (undecided !== null) return [question('undecided', sentence.text, undecided)]
  const choices = alternativesIn(sentence)
  return choices === null ? [] : [question('alternatives', sentence.text, choices)]
}

function question(kind: PlanQuestion['kind'], words: string, choices: readonly string[] = []): PlanQuestion {
  const named = choices.map((choice) => plainLine(choice, 160)).filter((choice) => choice !== '')
  return { kind, words: plainLine(words, LONGEST_WORDS), line: 0, choices: named }
}

const isVague = (criterion: string): boolean => {
  const sentences = sentencesOf(criterion)
  return sentences.length > 0 && sentences.every(({ masked }) => isUnmeasurable(masked))
}

/** Neither criteria nor a description: the title is all there is. */
const isOnlyTitle = ({ inferred, description, title }: Asked): boolean =>
  inferred.includes('acceptance_criteria') &&
  (description.trim() === '' || description.trim() === title.trim())

/** With the line of each question in the text, where its words are found from the task's own line on. */
export function withQuestionLines(plan: Plan, text: string): Plan {
  if (plan.tasks.every(({ questions }) => questions === undefined)) return plan
  const lines = text.split('\n').map(comparable)
  const starts = plan.tasks.map(({ line }) => line).toSorted((a, b) => a - b)
  return {
    ...plan,
    tasks: plan.tasks.map((task) => {
      if (task.questions === undefined) return task
      const end = starts.find((line) => line > task.line) ?? lines.length + 1
      const questions = task.questions.map((one) => {
        const words = comparable(one.kind === 'contradiction' ? (one.choices[0] ?? '') : one.words)
        const at = lines.slice(task.line - 1, end - 1).findIndex((line) => line.includes(words))
        return at === -1 || words === '' ? one : { ...one, line: task.line + at }
      })
      return { ...task, questions }
    }),
  }
}

/** Without emphasis and spaces, which a sentence loses; cut words are compared as far as they go. */
const comparable = (line: string): string => line.replace(/[*_\s\u2026\\"']+/g, '').toLowerCase()
