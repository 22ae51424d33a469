/**
 * Finds what a plan's author has marked as open: `TBD`, `TBC`, `TBA`, `???`, `[NEEDS CLARIFICATION …]`, and a question
 * between two things ("Redis or a file?"). Nothing else is read into the words: what is open without a mark, a worker or a
 * model reports. A mark in code or in quotation marks is a name, and is left alone.
 */
import { plainLine } from '../../lib/text/quoted.ts'
import type { Plan, TaskSpec } from './plan.ts'
import { isSameQuestion, type PlanQuestion } from './task-schema.ts'
import { readLines } from './readers/markdown/lines.ts'
import { headingOf, itemOf } from './readers/markdown/marks.ts'

/** In a task. A task that leaves more open is not written yet. */
const MOST_IN_TASK = 12
const LONGEST_WORDS = 300
const LONGEST_TEXT = 60_000

const MARK = /(?<![\w-])(?:TBD|TBC|TBA)(?![\w-])|\?{3,}|\[NEEDS CLARIFICATION\b/
const CHOICE = /^(.*\S)\s+or\s+(\S.*?)\s*\?$/s

type Asked = Pick<TaskSpec, 'title' | 'description' | 'line' | 'acceptanceCriteria' | 'inferred'>

/** In the order in which they are read, each once. */
export function questionsOf(task: Asked): readonly PlanQuestion[] {
  const criteria = task.inferred.includes('acceptance_criteria') ? [] : task.acceptanceCriteria
  const found = openPointsIn([task.title, ...criteria, task.description.slice(0, LONGEST_TEXT)])
  return found.slice(0, MOST_IN_TASK).map((one) => ({ ...one, line: task.line }))
}

/** Each open point of these texts once; lines are not known. */
export function openPointsIn(texts: readonly string[]): readonly PlanQuestion[] {
  const found = texts.flatMap(sentencesOf).flatMap(openPoint)
  return found.filter((one, at) => found.findIndex((other) => isSameQuestion(one, other)) === at)
}

function openPoint(sentence: string): readonly PlanQuestion[] {
  const masked = withoutQuotes(sentence)
  if (MARK.test(masked)) return [question('undecided', sentence, [])]
  return CHOICE.test(masked) ? [question('alternatives', sentence, choicesIn(sentence))] : []
}

const LONGEST_CHOICE = 3

/** `Store: Redis, SQLite or a file?` names what there is to choose from; a longer question does not say where a choice begins. */
function choicesIn(text: string): readonly string[] {
  const [, before = '', last = ''] = CHOICE.exec(text) ?? []
  const named = before.slice(before.lastIndexOf(':') + 1)
  const choices = [...named.split(','), last].map((one) => one.trim())
  return choices.every((one) => one !== '' && one.split(/\s+/).length <= LONGEST_CHOICE) ? choices : []
}

function question(kind: PlanQuestion['kind'], words: string, choices: readonly string[]): PlanQuestion {
  const named = choices.map((choice) => plainLine(choice, 160)).filter((choice) => choice !== '')
  return { kind, words: plainLine(words, LONGEST_WORDS), line: 0, choices: named }
}

/** Longer ones are tables, logs or generated text. */
const LONGEST = 400
const MOST_LINES = 1000
const MAX_LINE = 4000

const QUOTED = /`[^`\n]{1,200}`|"[^"\n]{1,120}"|“[^”\n]{1,120}”|(?<=^|[\s(])'[^'\n]{1,60}'(?=$|[\s,.;:)])/g

/** Each character of code and of quotations is replaced by a section sign, so that every other one keeps its place. */
const withoutQuotes = (text: string): string => text.replace(QUOTED, (found) => '\u00A7'.repeat(found.length))

function sentencesOf(text: string): readonly string[] {
  return linesOf(text).flatMap((line) => {
    const ends = [...withoutQuotes(line).matchAll(/(?<!\?\?)[.!?;]\s+(?=\S)/g)].map(({ index }) => index + 1)
    return [...ends, line.length]
      .map((end, at) => line.slice(ends[at - 1] ?? 0, end).trim())
      .filter((sentence) => sentence !== '' && sentence.length <= LONGEST)
  })
}

/** Without code, comments, block quotes and tables. */
const linesOf = (text: string): readonly string[] =>
  readLines(text, MAX_LINE)
    .lines.slice(0, MOST_LINES)
    .filter((line) => line.role === 'text' && !/^\s*[>|]/.test(line.text))
    .map((line) => plainMarkdown(line.text))

/** Without list marks, check boxes, headings and emphasis. */
function plainMarkdown(line: string): string {
  return (itemOf(line)?.text ?? headingOf(line)?.text ?? line)
    .replace(/\*\*|__|(?<![\w*])[*_](?=\w)|(?<=\w)[*_](?![\w*])/g, '')
    .trim()
}

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
        const words = comparable(one.words)
        const at = lines.slice(task.line - 1, end - 1).findIndex((line) => line.includes(words))
        return at === -1 || words === '' ? one : { ...one, line: task.line + at }
      })
      return { ...task, questions }
    }),
  }
}

/** Without emphasis and spaces, which a sentence loses; cut words are compared as far as they go. */
const comparable = (line: string): string => line.replace(/[*_\s\u2026\\"']+/g, '').toLowerCase()
