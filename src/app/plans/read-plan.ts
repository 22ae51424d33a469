/** Reads a plan and infers what it leaves out from the repository. Runs nothing but `git ls-files`. */
import { realpathSync, statSync } from 'node:fs'
import { dirname, isAbsolute, join, relative, resolve } from 'node:path'
import { isNoMigration, soundsLikeMigration } from '../../core/languages/migrations.ts'
import { withQuestionLines } from '../../core/planning/find-questions.ts'
import { completePlan } from '../../core/planning/complete-plan.ts'
import type { PlanDraft } from '../../core/planning/draft.ts'
import { planFigures, type PlanFigures } from '../../core/planning/plan-figures.ts'
import type { Plan } from '../../core/planning/plan.ts'
import type { PlanHeader } from '../../core/planning/task-schema.ts'
import { readPlan } from '../../core/planning/readers/read-plan.ts'
import { readYamlPlan } from '../../core/planning/readers/yaml-plan.ts'
import { NO_FACTS, type RepoFacts } from '../../core/planning/task-files.ts'
import type { Settings } from '../../core/settings/settings.ts'
import { fileBytes } from '../../lib/files/read-if-exists.ts'
import { parseJsonText, parseYamlText } from '../../lib/files/yaml-text.ts'
import { runProgram } from '../../lib/process/run-program.ts'
import { readText, type TextKind, type TextSource } from './read-text.ts'

export const MAX_PLAN_BYTES = 20 * 1024 * 1024
const MAX_LISTING_BYTES = 256 * 1024 * 1024
const MAX_SOURCE_BYTES = 4 * 1024 * 1024
const LISTING_TIMEOUT_MS = 30_000
const PARSERS = { yaml: parseYamlText, json: parseJsonText }

export interface PlanRequest extends TextSource {
  /** Its text, if already read. */
  readonly text?: string | undefined
  readonly env: Readonly<Record<string, string | undefined>>
  /** Root of the repository that holds `cwd`; null outside of any. */
  readonly repository: string | null
  readonly settings: Settings
  /** A design document given with the plan; it overrides the one that the plan names. */
  readonly design?: string | undefined
}

export interface PlanReading {
  readonly plan: Plan
  readonly figures: PlanFigures
  /** The original text, to be stored with the plan. */
  readonly text: string
  /** Paths of the plan and its design document in the repository; absent if outside. */
  readonly inRepository?: { readonly plan?: string | undefined; readonly design?: string | undefined }
}

/** Problems of the plan are part of the result. Throws a refusal only if it cannot be read at all. */
export async function readPlanFile(request: PlanRequest): Promise<PlanReading> {
  const [text, files] = await Promise.all([readPlanText(request), trackedFiles(request)])
  const draft = draftFromText(request.path, text)
  const { design, present, file } = findDesign(draft, request)
  const facts = {
    files,
    planLocation: planLocation(request, files),
    designPresent: present,
    notMigrations: await namedLikeMigrations(request, text, files),
  }
  const plan = withQuestionLines(completePlan({ ...draft, design }, facts, request.settings), text)
  const inRepository = {
    plan: request.path === '-' ? undefined : placeIn(request, resolve(request.cwd, request.path)),
    design: file === undefined ? undefined : placeIn(request, file),
  }
  const figures = planFigures(plan, request.settings.scheduling.parallel_tiers)
  return { plan, figures, text, inRepository }
}

/** Releases are read elsewhere, so documents are named by their path in the repository. */
export function placedHeader({ plan: { header }, inRepository = {} }: PlanReading): PlanHeader {
  const { plan: source = header.source, design = header.design } = inRepository
  return { ...header, source, design }
}

/** The plan from its text alone. */
export function planFromText(source: string, text: string, settings: Settings): Plan {
  return completePlan(draftFromText(source, text), NO_FACTS, settings)
}

/** A plan that is a value under the keys of a plan file. */
export function planFromRecord(value: unknown, settings: Settings): Plan {
  const located = { value, lineOf: () => 1, numberText: () => null, errors: [] }
  return completePlan(readYamlPlan('plan.yaml', located), NO_FACTS, settings)
}

/** What a plan says itself, without what the rules derive. */
export const draftFromText = (source: string, text: string): PlanDraft => readPlan({ source, text }, PARSERS)

/** Reads the text of a plan. Throws a refusal if it is binary or too long. */
export const readPlanText = async (request: TextSource & Pick<PlanRequest, 'text'>): Promise<string> =>
  request.text ?? readText(request, PLAN_TEXT)

const PLAN_TEXT: TextKind = {
  maxBytes: MAX_PLAN_BYTES,
  tooLong: 'Split the plan, or move logs and data out of it.',
  notText: 'A plan is Markdown, YAML or JSON in UTF-8.',
  directory: 'Give the path of one plan file, like docs/plans/my-plan.md.',
}

/** Paths that git tracks, from the root. Null if unknown. */
async function trackedFiles({ repository, env }: PlanRequest): Promise<ReadonlySet<string> | null> {
  if (repository === null) return null
  const listing = await runProgram({
    command: 'git',
    args: ['-c', 'core.fsmonitor=false', 'ls-files', '-z', '--cached'],
    cwd: repository,
    env: { ...env, GIT_OPTIONAL_LOCKS: '0' },
    timeoutMs: LISTING_TIMEOUT_MS,
    maxBytes: MAX_LISTING_BYTES,
  })
  if (listing.kind !== 'exited' || listing.code !== 0) return null
  return new Set(listing.stdout.split('\0').filter((path) => path !== ''))
}

/** The files that the plan names, that only sound like migrations, and that hold none. */
async function namedLikeMigrations(
  { repository }: PlanRequest,
  plan: string,
  files: ReadonlySet<string> | null,
): Promise<readonly string[]> {
  if (repository === null || files === null) return []
  const named = [...files].filter((path) => soundsLikeMigration(path) && plan.includes(path))
  const texts = await Promise.all(
    named.map((path) => fileBytes(join(repository, path), MAX_SOURCE_BYTES).catch(() => null)),
  )
  return named.filter((path, at) => {
    const bytes = texts[at]
    return bytes instanceof Uint8Array && isNoMigration(path, Buffer.from(bytes).toString('utf8'))
  })
}

function planLocation(request: PlanRequest, tracked: ReadonlySet<string> | null): RepoFacts['planLocation'] {
  if (request.repository === null || request.path === '-') return null
  const way = wayTo(request.repository, resolve(request.cwd, request.path))
  if (way === null) return null
  if (isOut(way)) return 'outside'
  return tracked?.has(way) === true ? 'in_git' : 'beside_git'
}

/** The path from the root of the repository; undefined outside of it. */
function placeIn({ repository }: PlanRequest, file: string): string | undefined {
  const way = repository === null ? null : wayTo(repository, file)
  return way === null || isOut(way) ? undefined : way
}

function wayTo(repository: string, file: string): string | null {
  try {
    return relative(realpathSync(repository), realpathSync(file))
  } catch {
    // Unreachable; reading it later reports why.
    return null
  }
}

const isOut = (way: string): boolean => isAbsolute(way) || way === '..' || way.startsWith('../')

interface FoundDesign {
  readonly design: PlanDraft['design']
  /** Null where the plan names none. */
  readonly present: boolean | null
  /** Where it was found. */
  readonly file?: string | undefined
}

/** The named design document, else the one beside the plan: `x-design.md` for `x-plan.md`. */
function findDesign(draft: PlanDraft, request: PlanRequest): FoundDesign {
  const named = request.design === undefined ? draft.design : { path: request.design, line: 1 }
  const folders = [
    request.cwd,
    dirname(resolve(request.cwd, request.path)),
    request.repository ?? request.cwd,
  ]
  if (named !== undefined) {
    const file = folders.map((folder) => resolve(folder, named.path)).find(isFile)
    return { design: named, present: file !== undefined, file }
  }
  const beside = request.path.replace(/([-_])plan(\.\w+)$/i, '$1design$2')
  if (beside === request.path || !isFile(join(request.cwd, beside)))
    return { design: undefined, present: null }
  return { design: { path: beside, line: 1 }, present: true, file: resolve(request.cwd, beside) }
}

function isFile(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() === true
  } catch {
    // Unreadable counts as missing.
    return false
  }
}
