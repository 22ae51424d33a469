/** Understands a request before anything is spent, and prepares the plan of one that needs no interview. */
import { conclude } from '../../core/intake/conclude.ts'
import { estimateOf } from '../../core/intake/estimate.ts'
import { risksIn, type Decided, type Findings } from '../../core/intake/work.ts'
import {
  isTakenAsItIs,
  MOST_ROUNDS,
  type AnsweredQuestion,
  type Intake,
  type SeenWork,
} from '../../core/intake/intake.ts'
import { formOf } from '../../core/intake/request-form.ts'
import { readRequest } from '../../core/intake/request-text.ts'
import { workflowSummary, workflowTable, type SoloWork } from '../../core/intake/workflows.ts'
import { kindOfPath } from '../../core/languages/paths.ts'
import { isNoMigration, soundsLikeMigration } from '../../core/languages/migrations.ts'
import { languageOf } from '../../core/languages/languages.ts'
import type { Settings } from '../../core/settings/settings.ts'
import { type Refusal, refusal } from '../../lib/refusal.ts'
import { counted } from '../../lib/text/counted.ts'
import type { IntakeAnswer } from '../../protocol/intake.ts'
import type { Host } from '../host/host.ts'
import { isBrainHere } from '../host/plan-place.ts'
import { committedFiles, type CommittedFiles } from './gather-context.ts'
import { judgeRequest, type Judged } from './judge-request.ts'
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
  readonly decided: Decided
  /** What the user answered when asked, and how often they were asked. */
  readonly answers: readonly AnsweredQuestion[]
  /** What they saw when they gave the last of these answers; null before that. */
  readonly seen: SeenWork | null
  readonly round: number
  /** False: the user judges, whatever the settings name. */
  readonly mayJudge: boolean
  /** Of the caller, for the brain. */
  readonly variables: Readonly<Record<string, string>>
  /** Aborted when the caller has gone. */
  readonly signal: AbortSignal
}

export async function understandRequest(host: Host, request: StartRequest): Promise<IntakeAnswer> {
  const { text, repository, fileName, decided, settings } = request
  const words = readRequest(text)
  const form = formOf(text, words)
  if (form !== 'plan' && text.length > MOST_REQUEST) throw tooLong(text)
  if (repository !== null)
    await host.parts.requireAgent?.({ repository, settings, variables: request.variables })
  const [committed, history] = await Promise.all([
    repository === null ? null : committedFiles(repository, request.env),
    recentHistory(host.parts.log),
  ])
  const read = { ...words, notMigrations: await namedLikeMigrations(words.paths, committed) }
  const mayAsk = request.round < MOST_ROUNDS
  const judged: Judged = isTakenAsItIs(form)
    ? { judgement: null, stories: [], why: 'it says itself what it is' }
    : await judgeRequest(host, { ...request, request: read, committed, mayAsk })
  const { judgement } = judged
  const findings: Findings = {
    request: read,
    form,
    fileName,
    repository: committed === null && !request.isFolderEmpty ? null : { sources: sourcesIn(committed) },
    judgement,
    seen: request.seen,
    mayAsk,
    history,
    table: workflowTable(settings.workflows),
    hasFixer: settings.roles.fixer !== undefined,
    hasBrain: await isBrainHere(host.parts, request),
  }
  const intake = conclude(findings, decided)
  if (intake.next === 'interview' && text.length > MOST_FOR_INTERVIEW) throw tooLongToDiscuss(text)
  const notJudged = judgement !== null || isTakenAsItIs(form) ? null : `not judged: ${judged.why}`
  const plan =
    intake.next === 'one_task'
      ? await planRequest(host, { ...request, ...judged, intake, request: read, notJudged })
      : null
  const written =
    form === 'plan'
      ? await planIn(request, text)
      : plan && (await planIn({ fileName: null, settings }, plan.text))
  const tasks = form === 'plan' ? written?.tasks : plan?.tasks
  const open = written?.questions ?? 0
  const { workflow, scope, estimate } = intake
  return {
    ...intake,
    estimate:
      tasks === undefined || workflow === null || scope === null
        ? estimate
        : estimateOf({ workflow, scope, tasks }, history),
    reasons: [
      ...intake.reasons,
      ...(typeof plan?.refused === 'string' ? [plan.refused] : []),
      ...(open === 0
        ? []
        : [`the plan leaves ${counted(open, 'point')} open; the tasks concerned wait for your answer`]),
    ],
    not_judged: notJudged,
    ...(open === 0 ? {} : { open_points: open }),
    plan: plan === null ? null : { id: plan.id, text: plan.text },
    summary: summaryOf(intake, {
      tasks: plan?.tasks ?? 1,
      isRisky: risksIn(read, judgement?.understanding ?? null).length > 0,
      hasFixer: findings.hasFixer,
      hasBrain: findings.hasBrain,
    }),
  }
}

function summaryOf(
  { form, type, workflow, scope }: Intake,
  { tasks, ...work }: Omit<SoloWork, 'scope'> & { readonly tasks: number },
): string {
  if (form === 'plan') return 'the plan is run as it is'
  if (form === 'spec') return 'the spec is shown, then planned'
  if (type === 'question') return 'the question is answered, nothing is built'
  if (workflow === null) return 'by its type and scope'
  if (tasks > 1) return `${tasks} tasks, gates, review, a branch`
  return workflowSummary(workflow, { scope: scope ?? 'medium', ...work })
}

/** Null where it cannot be read: the reader of plans says why when it is run. */
async function planIn({ fileName, settings }: Pick<StartRequest, 'fileName' | 'settings'>, text: string) {
  const { planFromText } = await import('../plans/read-plan.ts')
  const { tasks } = planFromText(fileName ?? '-', text, settings)
  if (tasks.length === 0) return null
  return { tasks: tasks.length, questions: tasks.flatMap(({ questions = [] }) => questions).length }
}

async function namedLikeMigrations(
  paths: readonly string[],
  committed: CommittedFiles | null,
): Promise<readonly string[]> {
  const texts = await committed?.texts(paths.filter(soundsLikeMigration))
  return [...(texts ?? [])].flatMap(([path, text]) => (isNoMigration(path, text) ? [path] : []))
}

const sourcesIn = (committed: CommittedFiles | null): number => committed?.files.filter(isProgram).length ?? 0

const isProgram = (path: string): boolean => {
  const kind = kindOfPath(path)
  return (kind === 'source' || kind === 'test') && languageOf(path) !== null
}

const tooLong = (text: string): Refusal =>
  refusal(
    'usage',
    `the request is ${(text.length / 1024 / 1024).toFixed(1)} MB long; at most 1 MB is read`,
    'Say what is wanted, and name the files that hold logs and data. A plan may have 20 MB.',
  )

const tooLongToDiscuss = (text: string): Refusal =>
  refusal(
    'usage',
    `the request has ${text.length} characters, and an interview reads at most ${MOST_FOR_INTERVIEW}`,
    'Say what is wanted, and name the file of the repository that has the details ("see docs/brief.md"); or write it as a spec.',
  )
