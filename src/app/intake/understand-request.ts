/** Understands a request before anything is spent: classifies it, assesses it, and prepares the plan of a small one. */
import { estimateOf } from '../../core/intake/estimate.ts'
import type { Intake, IntakeQuestion } from '../../core/intake/intake.ts'
import { NO_CONTEXT } from '../../core/intake/project-context.ts'
import { nextStep, type NextStep } from '../../core/intake/next-step.ts'
import { formOf } from '../../core/intake/request-form.ts'
import { readRequest } from '../../core/intake/request-text.ts'
import { intakeOf, risksIn, type Overrides } from '../../core/intake/understand.ts'
import { workflowSummary, workflowTable, type SoloWork } from '../../core/intake/workflows.ts'
import { kindOfPath } from '../../core/languages/paths.ts'
import { languageOf } from '../../core/languages/languages.ts'
import type { Settings } from '../../core/settings/settings.ts'
import { DEFAULT_EXPERTISE } from '../../core/interview/states.ts'
import { classify } from '../../core/thinking/questions/classify.ts'
import { phraseQuestion } from '../../core/thinking/questions/phrase-question.ts'
import { scope as scopeQuestion } from '../../core/thinking/questions/scope.ts'
import { Refusal } from '../../lib/refusal.ts'
import { counted } from '../../lib/text/counted.ts'
import type { Host } from '../host/host.ts'
import { askingFor, unjudged, type Answered, type Ask } from './ask-brain.ts'
import { committedFiles } from './committed-files.ts'
import { contextOf } from './gather-context.ts'
import { triedBefore } from './kept-trials.ts'
import { planRequest } from './plan-request.ts'
import { recentHistory } from './recent-history.ts'

/** A request says what is wanted; more than this is data that came along. Plans may be longer. */
const MOST_REQUEST = 1024 * 1024
/** As much as an interview takes as a message. */
export const MOST_FOR_INTERVIEW = 100_000

export interface StartRequest {
  readonly text: string
  readonly fileName: string | null
  /** Root of the repository that it is for; null outside of any. */
  readonly repository: string | null
  /** Whether the folder that it was sent from has nothing in it; counts outside of a repository only. */
  readonly isFolderEmpty: boolean
  readonly settings: Settings
  readonly env: Readonly<Record<string, string | undefined>>
  readonly overrides: Overrides
  /** Of the caller, for the brain; absent where it names none. */
  readonly variables?: Readonly<Record<string, string>> | undefined
}

export interface Understood {
  readonly intake: Intake
  readonly next: NextStep
  /** What the plan leaves undecided, and its tasks wait for. */
  readonly openPoints: number
  /** The workflow in a line. */
  readonly summary: string
  /** For `one_task`: the plan, as YAML. */
  readonly plan: { readonly id: string; readonly text: string } | null
}

export async function understandRequest(host: Host, request: StartRequest): Promise<Understood> {
  const { text, repository, overrides } = request
  const read = readRequest(text)
  const form = formOf(text, read)
  if (form !== 'plan' && text.length > MOST_REQUEST) throw tooLong(text)
  const [committed, history] = await Promise.all([
    repository === null ? null : committedFiles(repository, request.env),
    recentHistory(host.parts.log),
  ])
  const sources = committed?.files.filter(isProgram).length ?? 0
  const ask = await askingFor(host, { ...request, variables: request.variables ?? {} })
  const about = {
    text,
    request: read,
    repository: committed === null && !request.isFolderEmpty ? null : { sources },
    fileName: request.fileName,
  }
  // What the user decided is not asked.
  const classified = await (overrides.type === undefined ? ask : unjudged)(classify, about)
  const type = overrides.type ?? classified.answer.type
  // Only a model reads it: the rules go by the request.
  const context =
    ask === unjudged || committed === null || repository === null
      ? NO_CONTEXT
      : await contextOf(committed, { ask, tried: await triedBefore(host, repository) })
  const assessed = await (overrides.scope === undefined ? ask : unjudged)(scopeQuestion, {
    text,
    request: read,
    type,
    form,
    context,
  })
  const hasFixer = request.settings.roles.fixer !== undefined
  const table = workflowTable(request.settings.workflows)
  const findings = {
    request: read,
    form,
    classified: classified.answer,
    assessed: assessed.answer,
    history,
    table,
    hasFixer,
  }
  const concluded = intakeOf(findings, overrides)
  const next = nextStep(concluded)
  if (next === 'interview' && text.length > MOST_FOR_INTERVIEW) throw tooLongToDiscuss(text)
  const files = committed?.files ?? []
  const plan =
    next === 'one_task'
      ? await planRequest(host, { intake: concluded, request: read, text, repository, context, files }, ask)
      : null
  const answers = [classified, assessed, plan?.answered ?? []].flat()
  const written =
    form === 'plan'
      ? await planIn(request, text)
      : plan && (await planIn({ ...request, fileName: null }, plan.text))
  const tasks = form === 'plan' ? (written?.tasks ?? null) : (plan?.tasks ?? null)
  const open = written?.questions ?? 0
  return {
    intake: {
      ...concluded,
      questions: await phrased(concluded.questions, text, ask),
      estimate: tasks === null ? concluded.estimate : estimateOf({ ...concluded, tasks }, history),
      reasons: [...concluded.reasons, ...openPoints(open), ...answeredBy(answers)],
    },
    next,
    openPoints: open,
    plan: plan === null ? null : { id: plan.id, text: plan.text },
    summary: summaryOf(concluded, { tasks: plan?.tasks ?? 1, isRisky: risksIn(read).length > 0, hasFixer }),
  }
}

function summaryOf(
  { form, workflow, scope }: Intake,
  { tasks, ...work }: Omit<SoloWork, 'scope'> & { readonly tasks: number },
): string {
  if (form === 'plan') return 'the plan is run as it is'
  if (form === 'spec') return 'the spec is shown, then planned'
  return tasks === 1
    ? workflowSummary(workflow, { scope, ...work })
    : `${tasks} tasks, gates, review, a branch`
}

/** Null where it cannot be read: the reader of plans says why when it is run. */
async function planIn({ fileName, settings }: Pick<StartRequest, 'fileName' | 'settings'>, text: string) {
  const { planFromText } = await import('../plans/read-plan.ts')
  const { tasks } = await planFromText(fileName ?? '-', text, settings)
  if (tasks.length === 0) return null
  return { tasks: tasks.length, questions: tasks.flatMap(({ questions = [] }) => questions).length }
}

const openPoints = (count: number): readonly string[] =>
  count === 0
    ? []
    : [`the plan leaves ${counted(count, 'point')} open; the tasks concerned wait for your answer`]

/** A model words each question about this request; without one the question stays as it is. */
async function phrased(
  questions: readonly IntakeQuestion[],
  text: string,
  ask: Ask,
): Promise<readonly IntakeQuestion[]> {
  if (ask === unjudged) return questions
  return Promise.all(
    questions.map(async (question) => {
      const input = { question, expertise: DEFAULT_EXPERTISE, about: text }
      const { answer, by } = await ask(phraseQuestion, input)
      return by === 'nobody' ? question : { ...question, text: answer.text }
    }),
  )
}

/** Says which model answered, or why none did. */
function answeredBy(answers: readonly Answered<unknown>[]): readonly string[] {
  const lines = answers.flatMap(({ by, fallback }) =>
    fallback !== null ? [`answered by rules: ${fallback}`] : by === 'nobody' ? [] : [`answered by ${by}`],
  )
  return [...new Set(lines)]
}

const isProgram = (path: string): boolean => {
  const kind = kindOfPath(path)
  return (kind === 'source' || kind === 'test') && languageOf(path) !== null
}

const tooLong = (text: string): Refusal =>
  new Refusal({
    code: 'usage',
    message: `the request is ${(text.length / 1024 / 1024).toFixed(1)} MB long; at most 1 MB is read`,
    remedy: 'Say what is wanted, and name the files that hold logs and data. A plan may have 20 MB.',
  })

const tooLongToDiscuss = (text: string): Refusal =>
  new Refusal({
    code: 'usage',
    message: `the request has ${text.length} characters, and an interview reads at most ${MOST_FOR_INTERVIEW}`,
    remedy:
      'Say what is wanted, and name the file of the repository that has the details ("see docs/brief.md"); or write it as a spec.',
  })
