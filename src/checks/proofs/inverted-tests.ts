/** Runs the whole suite with one test that was there turned to its opposite, where no runner is known. */
import { utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { RunEvidence } from '../../core/event-schemas/evidence.ts'
import { cannotFail, notShown, type CanarySeen } from '../../core/gates/tests/canary.ts'
import { canBeTurned, turnedSeen, turnedTest } from '../../core/gates/tests/inverted-tests.ts'
import { seedsIn, type CanaryRequest, type CanaryResult } from './canary-request.ts'
import type { GateSite } from '../runner/gate-site.ts'
import { runTests } from '../runner/test-run.ts'

const NOTHING: CanaryResult = { findings: [], runs: [] }

export async function tryTurned(request: CanaryRequest): Promise<CanaryResult> {
  const { runs, change } = request
  const { site } = runs
  const isNew = new Set(change.files.filter(({ kind }) => kind === 'added').map(({ path }) => path))
  const isFit = (path: string): boolean =>
    canBeTurned(path) && !isNew.has(path) && turnedTest(path, site.files.text(path) ?? '') !== null
  const [seed] = seedsIn(site, change, isFit)
  if (seed === undefined) return NOTHING
  const onTree = await runTurned(site, request, seed.path)
  if (onTree === null) return NOTHING
  const done = [onTree.run]
  if (onTree.seen.kind === 'fails') return { findings: [], runs: done }
  // A check that is never reached cannot fail anywhere. If it does on the base, the work is in the way.
  const before = await onBase(request, seed.path)
  const isWork = before?.kind === 'fails'
  return { findings: [(isWork ? cannotFail : notShown)(onTree.seen.why)], runs: done }
}

/** Null where there is nothing to turn. */
async function runTurned(
  site: GateSite,
  { command, hint }: Pick<CanaryRequest, 'command' | 'hint'>,
  path: string,
): Promise<{ readonly seen: CanarySeen; readonly run: RunEvidence } | null> {
  const text = site.files.text(path)
  const turned = text === null ? null : turnedTest(path, text)
  if (text === null || turned === null) return null
  const place = join(site.root, path)
  try {
    await writeFile(place, turned)
    const { facts, ran } = await runTests(site, command, hint)
    return { seen: turnedSeen(facts, path), run: { ...ran.evidence, mustFail: true } }
  } finally {
    await writeFile(place, text)
    // Newer than what was built of it, so that it is built again.
    const now = new Date()
    await utimes(place, now, now)
  }
}

async function onBase(request: CanaryRequest, path: string): Promise<CanarySeen | null> {
  const base = await request.openBase()
  try {
    if ((await base.setUp(request.runs.commands.setup)) !== null) return null
    return (await runTurned(base, request, path))?.seen ?? null
  } finally {
    await base.close()
  }
}
