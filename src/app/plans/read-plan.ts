/** Reads a plan and infers what it leaves out from the repository. Runs nothing but `git ls-files`. */
import { realpathSync, statSync } from 'node:fs'
import { dirname, isAbsolute, join, relative, resolve } from 'node:path'
import { isNoMigration, soundsLikeMigration } from '../../core/languages/migrations.ts'
import { withQuestionLines } from '../../core/planning/ambiguities/find-questions.ts'
import { completePlan } from '../../core/planning/complete-plan.ts'
import type { PlanDraft } from '../../core/planning/draft.ts'
import { planFigures, type PlanFigures } from '../../core/planning/plan-figures.ts'
import type { Environment, Plan } from '../../core/planning/plan.ts'
import type { PlanHeader } from '../../core/planning/task-schema.ts'
import { readPlan, type DataForms } from '../../core/planning/readers/read-plan.ts'
import { NO_FACTS, type RepoFacts } from '../../core/planning/repo-facts.ts'
import type { Settings } from '../../core/settings/settings.ts'
import { fileBytes } from '../../lib/files/file-bytes.ts'
import { Refusal } from '../../lib/refusal.ts'
import { runProgram } from '../../lib/process/run-program.ts'
import { errorCode } from '../../lib/system/error-code.ts'

export const MAX_PLAN_BYTES = 20 * 1024 * 1024
const MAX_LISTING_BYTES = 256 * 1024 * 1024
const MAX_SOURCE_BYTES = 4 * 1024 * 1024
const LISTING_TIMEOUT_MS = 30_000

export interface PlanRequest {
  /** As the user gave it; `-` is standard input. */
  readonly path: string
  /** Its text, if already read. */
  readonly text?: string | undefined
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** Root of the repository that holds `cwd`; null outside of any. */
  readonly repository: string | null
  readonly settings: Settings
  /** A design document given with the plan; it overrides the one that the plan names. */
  readonly design?: string | undefined
  readInput(maxBytes: number): Promise<Uint8Array>
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
  const draft = readPlan({ source: request.path, text }, await formsFor(request.path, text))
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
export async function planFromText(source: string, text: string, settings: Settings): Promise<Plan> {
  return completePlan(readPlan({ source, text }, await formsFor(source, text)), NO_FACTS, settings)
}

/** The commands a plan names, read from its text alone. */
export async function planEnvironment(source: string, text: string): Promise<Partial<Environment>> {
  return readPlan({ source, text }, await formsFor(source, text)).environment ?? {}
}

/** Reads the text of a plan. Throws a refusal if it is binary or too long. */
export async function readPlanText(
  request: Pick<PlanRequest, 'path' | 'text' | 'cwd' | 'readInput'>,
): Promise<string> {
  if (request.text !== undefined) return request.text
  const bytes =
    request.path === '-'
      ? await request.readInput(MAX_PLAN_BYTES)
      : await readBytes(resolve(request.cwd, request.path), request.path)
  if (bytes.subarray(0, 8192).includes(0)) throw notText(request.path)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    // The decoder's error has no details.
    throw notText(request.path)
  }
}

function notText(path: string): Refusal {
  return new Refusal({
    code: 'usage',
    message: `${path} is not a text file`,
    remedy: 'A plan is Markdown, YAML or JSON in UTF-8.',
  })
}

async function readBytes(file: string, path: string): Promise<Uint8Array> {
  const bytes = await fileBytes(file, MAX_PLAN_BYTES).catch((error: unknown) => {
    throw unreadable(error, path)
  })
  if (bytes !== 'too_long') return bytes
  throw new Refusal({
    code: 'usage',
    message: `${path} is larger than ${MAX_PLAN_BYTES / 1024 / 1024} MB`,
    remedy: 'Split the plan, or move logs and data out of it.',
  })
}

function unreadable(error: unknown, path: string): unknown {
  const code = errorCode(error)
  if (code === 'EISDIR') {
    return new Refusal({
      code: 'usage',
      message: `${path} is a directory`,
      remedy: 'Give the path of one plan file, like docs/plans/my-plan.md.',
      cause: error,
    })
  }
  if (code !== 'ENOENT' && code !== 'ENOTDIR') return error
  return new Refusal({
    code: 'not_found',
    message: `no such file: ${path}`,
    remedy: 'Check the path; it is relative to the current directory.',
    cause: error,
  })
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

/** Loads the YAML parser only when needed: most plans are Markdown, and start-up time counts. */
async function formsFor(path: string, text: string): Promise<DataForms> {
  const plainMarkdown = /\.(md|markdown|mdx)$/i.test(path) && !/^\uFEFF?\s*---/.test(text)
  if (plainMarkdown) return MARKDOWN_ALONE
  const [{ dataForms }, { parseJsonText, parseYamlText }] = await Promise.all([
    import('../../core/planning/readers/data-forms.ts'),
    import('../../lib/files/yaml-text.ts'),
  ])
  return dataForms({ yaml: parseYamlText, json: parseJsonText })
}

const MARKDOWN_ALONE: DataForms = {
  frontMatter: (_, lines) => ({ fields: {}, problems: [], rest: lines }),
  yaml: notLoaded,
  json: notLoaded,
}

function notLoaded(): never {
  throw new Error('Markdown without front matter cannot be parsed as YAML')
}
