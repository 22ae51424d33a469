/** Shows that a suite with an unknown runner can fail: inverts one existing test and runs the full suite. */
import { utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { RunEvidence } from '../../core/event-schemas/evidence.ts'
import { cannotFail, notShown, type CanarySeen } from '../../core/gates/tests/canary.ts'
import { canInvert, invertedResult, invertTest } from '../../core/gates/tests/inverted-tests.ts'
import { templatesIn, type CanaryRequest, type CanaryResult } from './canary-request.ts'
import type { GateSite } from '../runner/gate-site.ts'
import { runTests } from '../runner/test-run.ts'

const NOTHING: CanaryResult = { findings: [], runs: [] }

export async function tryInvertedTest(request: CanaryRequest): Promise<CanaryResult> {
  const { runs, change } = request
  const { site } = runs
  const isNew = new Set(change.files.filter(({ kind }) => kind === 'added').map(({ path }) => path))
  const isFit = (path: string): boolean =>
    canInvert(path) && !isNew.has(path) && invertTest(path, site.files.text(path) ?? '') !== null
  const [template] = templatesIn(site, change, isFit)
  if (template === undefined) return NOTHING
  const onTree = await runInverted(site, request, template.path)
  if (onTree === null) return NOTHING
  const done = [onTree.run]
  if (onTree.seen.kind === 'fails') return { findings: [], runs: done }
  // An assertion that is never reached fails nowhere. If it fails on the base, the work prevents it.
  const before = await onBase(request, template.path)
  const isWork = before?.kind === 'fails'
  return { findings: [(isWork ? cannotFail : notShown)(onTree.seen.why)], runs: done }
}

/** Null if the file has nothing to invert. */
async function runInverted(
  site: GateSite,
  { command, hint }: Pick<CanaryRequest, 'command' | 'hint'>,
  path: string,
): Promise<{ readonly seen: CanarySeen; readonly run: RunEvidence } | null> {
  const text = site.files.text(path)
  const inverted = text === null ? null : invertTest(path, text)
  if (text === null || inverted === null) return null
  const place = join(site.root, path)
  try {
    await writeFile(place, inverted)
    const { facts, ran } = await runTests(site, command, hint)
    return { seen: invertedResult(facts, path), run: { ...ran.evidence, mustFail: true } }
  } finally {
    await writeFile(place, text)
    // Newer than its build output, so that it is rebuilt.
    const now = new Date()
    await utimes(place, now, now)
  }
}

async function onBase(request: CanaryRequest, path: string): Promise<CanarySeen | null> {
  await using base = await request.openBase()
  if ((await base.setUp(request.runs.commands.setup)) !== null) return null
  return (await runInverted(base, request, path))?.seen ?? null
}
