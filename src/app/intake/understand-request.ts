/** Understands a request before anything is spent, and prepares the plan of one that needs no interview. */
import { conclude } from '../../core/intake/conclude.ts'
import { estimateOf } from '../../core/intake/estimate.ts'
import type { Decided, Findings } from '../../core/intake/findings.ts'
import { isTakenAsItIs, type AnsweredQuestion, type Intake, type SeenWork } from '../../core/intake/intake.ts'
import { nextStep, type NextStep } from '../../core/intake/next-step.ts'
import { formOf } from '../../core/intake/request-form.ts'
import { readRequest } from '../../core/intake/request-text.ts'
import { risksIn } from '../../core/intake/risks.ts'
import { MOST_ROUNDS } from '../../core/intake/understanding.ts'
import { workflowSummary, workflowTable } from '../../core/intake/workflows.ts'
import { kindOfPath } from '../../core/languages/paths.ts'
import { isNoMigration, soundsLikeMigration } from '../../core/languages/migrations.ts'
import { languageOf } from '../../core/languages/languages.ts'
import type { Settings } from '../../core/settings/settings.ts'
import { Refusal } from '../../lib/refusal.ts'
import { counted } from '../../lib/text/counted.ts'
import type { Host } from '../host/host.ts'
import { committedFiles, type CommittedFiles } from './committed-files.ts'
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

export interface Understood {
  readonly intake: Intake
  readonly next: NextStep
  /** Why no model judged it; null where one did, and where nothing had to be judged. */
  readonly notJudged: string | null
  /** What the plan leaves undecided, and its tasks wait for. */
  readonly openPoints: number
  /** The workflow in a line. */
  readonly summary: string
  /** For `one_task`: the plan, as YAML. */
  readonly plan: { readonly id: string; readonly text: string } | null
}

export async function understandRequest(host: Host, request: StartRequest): Promise<Understood> {
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
  const known = committed === null && !request.isFolderEmpty ? null : { sources: sourcesIn(committed) }
  const mayAsk = request.round < MOST_ROUNDS
  const judged: Judged = isTakenAsItIs(form)
    ? { judgement: null, stories: [], why: 'it says itself what it is' }
    : await judgeRequest(host, { ...request, request: read, committed, mayAsk })
  const { judgement } = judged
  const table = workflowTable(settings.workflows)
  const hasFixer = settings.roles.fixer !== undefined
  const findings: Findings = {
    request: read,
    form,
    fileName,
    repository: known,
    judgement,
    mayAsk,
    history,
    table,
    hasFixer,
  }
  const concluded = conclude(findings, decided)
  const next = nextStep(concluded)
  if (next === 'interview' && text.length > MOST_FOR_INTERVIEW) throw tooLongToDiscuss(text)
  const notJudged = judgement !== null || isTakenAsItIs(form) ? null : `not judged: ${judged.why}`
  const plan =
    next === 'one_task'
      ? await planRequest(host, { ...request, ...judged, intake: concluded, request: read, notJudged })
      : null
  const written =
    form === 'plan'
      ? await planIn(request, text)
      : plan && (await planIn({ fileName: null, settings }, plan.text))
  const tasks = form === 'plan' ? (written?.tasks ?? null) : (plan?.tasks ?? null)
  const open = written?.questions ?? 0
  const { workflow, scope, estimate } = concluded
  return {
    intake: {
      ...concluded,
      estimate:
        tasks === null || workflow === null || scope === null
          ? estimate
          : estimateOf({ workflow, scope, tasks }, history),
      reasons: [
        ...concluded.reasons,
        ...(typeof plan?.refused === 'string' ? [plan.refused] : []),
        ...openPoints(open),
      ],
    },
    next,
    notJudged,
    openPoints: open,
    plan: plan === null ? null : { id: plan.id, text: plan.text },
    summary: summaryOf(concluded, {
      tasks: plan?.tasks ?? 1,
      isRisky: risksIn(read, judgement?.understanding ?? null).length > 0,
      hasFixer,
    }),
  }
}

function summaryOf(
  { form, type, workflow, scope }: Intake,
  { tasks, ...work }: { readonly tasks: number; readonly isRisky: boolean; readonly hasFixer: boolean },
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
  const { tasks } = await planFromText(fileName ?? '-', text, settings)
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

const openPoints = (count: number): readonly string[] =>
  count === 0
    ? []
    : [`the plan leaves ${counted(count, 'point')} open; the tasks concerned wait for your answer`]

const sourcesIn = (committed: CommittedFiles | null): number => committed?.files.filter(isProgram).length ?? 0

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
