/** Understands a request before anything is spent: classifies it, assesses it, and prepares the plan of a small one. */
import { createHash } from 'node:crypto'
import type { Intake } from '../../core/intake/intake.ts'
import { NO_CONTEXT } from '../../core/intake/project-context.ts'
import { nextStep, type NextStep } from '../../core/intake/next-step.ts'
import { oneTaskPlan, planIdFor } from '../../core/intake/one-task-plan.ts'
import { formOf } from '../../core/intake/request-form.ts'
import { readRequest, type RequestText } from '../../core/intake/request-text.ts'
import { intakeOf, type Overrides } from '../../core/intake/understand.ts'
import { WORKFLOWS, workflowTable } from '../../core/intake/workflows.ts'
import { kindOfPath } from '../../core/languages/paths.ts'
import { languageOf } from '../../core/languages/languages.ts'
import type { Settings } from '../../core/settings/settings.ts'
import { classify } from '../../core/thinking/questions/classify.ts'
import { scope as scopeQuestion } from '../../core/thinking/questions/scope.ts'
import { Refusal } from '../../lib/refusal.ts'
import { isOver } from '../host/hosted-plan.ts'
import type { Host } from '../host/host.ts'
import { streamOf } from '../host/stream-name.ts'
import { askingFor, byRules, type Answered } from './ask-brain.ts'
import { committedFiles } from './committed-files.ts'
import { contextOf } from './gather-context.ts'
import { recentHistory } from './recent-history.ts'

/** A request says what is wanted; more than this is data that came along. Plans may be longer. */
const MOST_REQUEST = 1024 * 1024

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
  const classified = await ask(classify, about)
  const type = overrides.type ?? classified.answer.type
  // Only a model reads it: the rules go by the request.
  const context = ask === byRules || committed === null ? NO_CONTEXT : await contextOf(committed)
  const assessed = await ask(scopeQuestion, { text, request: read, type, form, context })
  const table = workflowTable(request.settings.workflows)
  const findings = {
    request: read,
    form,
    classified: classified.answer,
    assessed: assessed.answer,
    history,
    table,
  }
  const concluded = intakeOf(findings, overrides)
  const intake = { ...concluded, reasons: [...concluded.reasons, ...answeredBy([classified, assessed])] }
  const next = nextStep(intake)
  const plan = next === 'one_task' ? await planOf(host, request, intake, read) : null
  return { intake, next, plan, summary: summaryOf(intake) }
}

function summaryOf({ form, workflow }: Intake): string {
  if (form === 'plan') return 'the plan is run as it is'
  return form === 'spec' ? 'the spec is shown, then planned' : WORKFLOWS[workflow].summary
}

/** Says which model answered, or why none did. */
function answeredBy(answers: readonly Answered<unknown>[]): readonly string[] {
  const lines = answers.flatMap(({ by, fallback }) =>
    fallback !== null ? [`answered by rules: ${fallback}`] : by === 'rules' ? [] : [`answered by ${by}`],
  )
  return [...new Set(lines)]
}

const isProgram = (path: string): boolean => {
  const kind = kindOfPath(path)
  return (kind === 'source' || kind === 'test') && languageOf(path) !== null
}

/** Enough for anybody who starts the same thing again and again. */
const MOST_PLANS = 1000

/** The same request again attaches to its plan while that is open, and is a new one after it has ended. */
async function planOf(
  host: Host,
  { text, repository }: StartRequest,
  intake: Intake,
  read: RequestText,
): Promise<Understood['plan']> {
  const known = repository === null ? undefined : await host.repositoryAt(repository)
  for (let n = 1; n <= MOST_PLANS; n++) {
    const id = planIdFor(intake.title, n)
    const plan = { id, text: oneTaskPlan({ intake, request: read, text, id }) }
    const earlier = known === undefined ? null : await host.plan(streamOf(known, id))
    if (earlier === null) return plan
    if (!isOver(earlier.state) && earlier.home.sha256 === sha256(plan.text)) return plan
  }
  throw new Refusal({
    code: 'conflict',
    message: `there are ${MOST_PLANS} plans named ${planIdFor(intake.title, 1)}`,
    remedy: 'Word the request differently.',
  })
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

const tooLong = (text: string): Refusal =>
  new Refusal({
    code: 'usage',
    message: `the request is ${(text.length / 1024 / 1024).toFixed(1)} MB long; at most 1 MB is read`,
    remedy: 'Say what is wanted, and name the files that hold logs and data. A plan may have 20 MB.',
  })
