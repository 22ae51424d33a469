/** The questions about what the plan leaves open: asked before anybody works on the task. */
import type { InboxItem } from '../../event-schemas/schemas.ts'
import { openQuestions, type PlanQuestion } from '../../planning/task-schema.ts'
import type { PlanState, TaskState } from '../../state/state.ts'
import { counted, firstFew } from '../../../lib/text/counted.ts'
import { newItem } from './inbox-items.ts'

type Option = InboxItem['options'][number]

/** Asked at a time; the rest follows as these are answered. */
const MOST_OPEN = 5
/** A task with more of them gets one question about all. */
const MOST_SINGLE = 3
const LETTERS = ['a', 'b', 'c', 'd'] as const

export const WORKER_DECIDES = 'worker'
export const WORKERS_DECIDE_ALL = 'worker_all'

/** One point of a task, or all that are open in it. */
export interface AskedPoints {
  readonly task: TaskState
  readonly about: string
  readonly questions: readonly PlanQuestion[]
}

/** The next question to ask; null while enough are open. */
export function nextPlanQuestion(state: PlanState): InboxItem | null {
  if (state.unsettled.size === 0) return null
  const asked = [...state.inbox.values()].filter(({ item }) => item.subject === 'plan_question')
  if (asked.length >= MOST_OPEN) return null
  const abouts = new Set(asked.map(({ item }) => item.about))
  const points = pointsToAsk(state)
  const next = points.find(({ about }) => !abouts.has(about))
  return next === undefined ? null : planQuestion(state, next, points)
}

/** Every question that has to be asked, in plan order. Slices of a task share its open points: they are asked once. */
export function pointsToAsk(state: PlanState): readonly AskedPoints[] {
  const seen = new Set<string>()
  return [...state.unsettled].filter(waitsForAnswer).flatMap((task) => {
    const open = openQuestions(task).filter((one) => {
      const place = placeOf(one)
      return seen.has(place) ? false : seen.add(place)
    })
    if (open.length === 0) return []
    if (open.length > MOST_SINGLE) return [{ task, about: `${task.spec.id}#all`, questions: open }]
    return open.map((one) => ({ task, about: aboutOf(task, one), questions: [one] }))
  })
}

/** A task that exists already, or was dropped, is not asked about. */
export const waitsForAnswer = (task: TaskState): boolean => task.step === 'pending' && !task.dropped

/** The same words in the same place of the plan. */
export const placeOf = ({ line, kind, words }: PlanQuestion): string => `${line} ${kind} ${words}`

const aboutOf = ({ spec }: TaskState, question: PlanQuestion): string =>
  `${spec.id}#${(spec.questions ?? []).indexOf(question) + 1}`

/** What an item asks about, as far as it is still open. */
export function pointsOf(state: PlanState, { task: id, about }: InboxItem): AskedPoints | null {
  const task = state.tasks.get(id ?? '')
  if (task === undefined || !waitsForAnswer(task)) return null
  const open = openQuestions(task)
  const questions =
    about === `${task.spec.id}#all` ? open : open.filter((one) => aboutOf(task, one) === about)
  return questions.length === 0 ? null : { task, about: about ?? '', questions }
}

function planQuestion(state: PlanState, asked: AskedPoints, all: readonly AskedPoints[]): InboxItem {
  const { task, about, questions } = asked
  const [first] = questions
  const choices = questions.length === 1 ? choiceOptions(first) : []
  const others = all.length - 1
  const isUrgent = task.tier !== 'low'
  const answer: Option = { key: 'answer', label: 'decide it yourself: --feedback "…"' }
  const worker: Option = {
    key: WORKER_DECIDES,
    label: 'the worker decides and notes it in its report',
  }
  return newItem(state, {
    kind: 'question',
    subject: 'plan_question',
    about,
    task: task.spec.id,
    problem: problemOf(task, questions),
    impact: impactOf(state, task, others),
    options: [
      ...choices,
      answer,
      worker,
      ...(others === 0
        ? []
        : [
            {
              key: WORKERS_DECIDE_ALL,
              label: `the workers decide this and the ${others === 1 ? 'other open point' : `${others} other open points`} of the plan, and note it`,
            },
          ]),
    ],
    recommended: choices.length > 0 ? 'a' : isUrgent ? 'answer' : worker.key,
  })
}

const choiceOptions = (question: PlanQuestion | undefined): readonly Option[] =>
  (question?.choices ?? []).slice(0, LETTERS.length).map((choice, at) => ({
    key: LETTERS[at] ?? '',
    label: choice,
  }))

/** The choice that an option stands for; null where it stands for none. */
export function choiceOf({ choices }: PlanQuestion, key: string): string | null {
  return choices[LETTERS.findIndex((letter) => letter === key)] ?? null
}

function problemOf({ spec }: TaskState, questions: readonly PlanQuestion[]): string {
  const name = `task ${spec.id} (${spec.title})`
  const [first] = questions
  if (first !== undefined && questions.length === 1)
    return `${name}, line ${first.line} of the plan, ${LEAVES[first.kind]}: "${first.words}"`
  const listed = questions.map(({ line, words }) => `"${words}" (line ${line})`)
  return `${name} leaves ${questions.length} points open: ${firstFew(listed, 6, ';')}`
}

const LEAVES: Readonly<Record<PlanQuestion['kind'], string>> = {
  undecided: 'leaves something undecided',
  alternatives: 'leaves a choice open',
}

function impactOf(state: PlanState, task: TaskState, others: number): string {
  const direct = state.dependents.of(task).map((dependent) => dependent.spec.id)
  const waits =
    direct.length === 0
      ? `task ${task.spec.id} waits for the answer`
      : `task ${task.spec.id} and its dependents (${firstFew(direct, 5)}) wait for the answer`
  const rest = others >= MOST_OPEN ? `; ${counted(others, 'other open point')} in the plan` : ''
  return `${waits}; other tasks go on${rest}`
}
