/**
 * Shows that a suite can fail by breaking one of its tests: with its assertions inverted or, where the exit code alone counts,
 * with a failure at its end.
 */
import { utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { RunEvidence } from '../../core/event-schemas/evidence.ts'
import { cannotFail, notShown, testFilesFor, type CanarySeen } from '../../core/gates/tests/canary.ts'
import type { Change } from '../../core/gates/change.ts'
import { withFailingEnd } from '../../core/gates/tests/failing-end.ts'
import { brokenResult, invertTest } from '../../core/gates/tests/inverted-tests.ts'
import type { ReportHint } from '../../core/test-reports/test-report.ts'
import type { CanaryRequest, CanaryResult } from './canary-request.ts'
import type { GateSite } from '../runner/gate-site.ts'
import { runTests } from '../runner/test-run.ts'

/** Each takes as long as the suite. A test folder may hold files that no suite runs. */
const MOST_BROKEN = 4

interface Broken {
  readonly path: string
  readonly text: string
  readonly how: string
}

interface Way {
  readonly how: string
  /** Null if it does not apply to this file. */
  readonly broken: (path: string, text: string) => string | null
}

const INVERTED: Way = { how: 'their assertions are inverted', broken: invertTest }
const ENDED: Way = { how: 'the file fails at its end', broken: withFailingEnd }

export async function tryBrokenTests(request: CanaryRequest): Promise<CanaryResult> {
  const { runs, hint, change } = request
  const broken = brokenTestsIn(runs.site, hint, change)
  if (broken.length === 0) return { findings: [], runs: [] }
  const onTree = await runBroken(runs.site, request, broken)
  if (onTree.failing !== null) return { findings: [], runs: onTree.runs }
  // An assertion that is never reached fails nowhere. If it fails on the base, the work prevents it.
  const isWork = await failsOnBase(request, broken)
  const why = onTree.why ?? 'no test file could be broken'
  if (isWork) return { findings: [cannotFail(why)], runs: onTree.runs }
  const isTrusted = hint.kind !== 'exit' || hint.isAccepted === true
  return { findings: [notShown(why)], runs: onTree.runs, ...(isTrusted ? {} : { unshown: why }) }
}

/** The test file of the tree in `site` that makes the command fail when it is broken; null if none does. */
export async function fileThatFails(
  site: GateSite,
  suite: Pick<CanaryRequest, 'command' | 'hint'>,
): Promise<string | null> {
  const broken = brokenTestsIn(site, suite.hint, { base: '', files: [] })
  return (await runBroken(site, suite, broken)).failing
}

/** In the order in which they are tried. */
function brokenTestsIn(site: GateSite, hint: ReportHint, change: Change): readonly Broken[] {
  const isExit = hint.kind === 'exit'
  const ways = isExit ? [INVERTED, ENDED] : [INVERTED]
  const isNew = new Set(change.files.flatMap(({ path, kind }) => (kind === 'added' ? [path] : [])))
  const { files } = site.files.listing()
  return testFilesFor({ change, files, read: (path) => site.files.text(path) })
    .filter(({ path }) => isExit || !isNew.has(path))
    .flatMap(({ path, text }) =>
      ways.flatMap(({ how, broken }) => {
        const changed = broken(path, text)
        return changed === null ? [] : [{ path, text: changed, how }]
      }),
    )
    .slice(0, isExit ? MOST_BROKEN : 1)
}

interface Tried {
  /** The first that makes the suite fail. */
  readonly failing: string | null
  /** Why the first one tried does not. */
  readonly why: string | null
  readonly runs: readonly RunEvidence[]
}

async function runBroken(
  site: GateSite,
  suite: Pick<CanaryRequest, 'command' | 'hint'>,
  broken: readonly Broken[],
): Promise<Tried> {
  const runs: RunEvidence[] = []
  let why: string | null = null
  for (const one of broken) {
    const { seen, run } = await runWith(site, suite, one)
    runs.push(run)
    if (seen.kind === 'fails') return { failing: one.path, why: null, runs }
    why ??= seen.why
  }
  return { failing: null, why, runs }
}

async function runWith(
  site: GateSite,
  { command, hint }: Pick<CanaryRequest, 'command' | 'hint'>,
  { path, text, how }: Broken,
): Promise<{ readonly seen: CanarySeen; readonly run: RunEvidence }> {
  const place = join(site.root, path)
  const before = site.files.text(path) ?? ''
  try {
    await writeFile(place, text)
    const { facts, ran } = await runTests(site, command, hint)
    return { seen: brokenResult(facts, path, how), run: { ...ran.evidence, mustFail: true } }
  } finally {
    await writeFile(place, before)
    // Newer than its build output, so that it is rebuilt.
    const now = new Date()
    await utimes(place, now, now)
  }
}

async function failsOnBase(request: CanaryRequest, onTree: readonly Broken[]): Promise<boolean> {
  const { runs, hint, change } = request
  await using base = await request.openBase()
  if ((await base.setUp(runs.commands.setup)) !== null) return false
  const paths = onTree.map(({ path }) => path)
  const broken = brokenTestsIn(base, hint, change).filter(({ path }) => paths.includes(path))
  return (await runBroken(base, request, broken)).failing !== null
}
