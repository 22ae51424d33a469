/** Mutation testing of the change, bounded in number and time. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Verdict } from '../../core/event-schemas/schemas.ts'
import type { Change } from '../../core/gates/change.ts'
import type { ChangeTrees } from '../../core/gates/change-trees.ts'
import { judgeMutants, mutantsOf, type Mutant, type MutantResult } from '../../core/gates/tests/mutants.ts'
import { blocking, note, verdict } from '../../core/gates/verdicts.ts'
import { isFolderPath, isPattern } from '../../core/languages/paths.ts'
import type { Command, TaskSpec } from '../../core/planning/plan.ts'
import type { GateSite } from '../runner/gate-site.ts'
import { focused } from '../runner/focused.ts'
import type { SiteRuns } from '../runner/site-runs.ts'

export interface MutationRequest {
  readonly spec: Pick<TaskSpec, 'testsToAdd'>
  readonly change: Change
  readonly trees: () => Promise<ChangeTrees>
  /** Opens a fresh checkout of the work; it is closed here. */
  readonly open: () => Promise<SiteRuns>
  readonly limitMs: number
  readonly signal: AbortSignal
}

const MOST = 12

/** Adds the result of mutation testing to a passed verdict; returns any other verdict unchanged. */
export async function withMutation(found: Verdict, request: MutationRequest): Promise<Verdict> {
  if (found.outcome !== 'passed') return found
  const mutants = mutantsOf(request.change, await request.trees(), MOST)
  if (mutants.length === 0) return found
  await using runs = await request.open()
  if ((await runs.setUp()) !== null) return found
  const commands = commandsFor(runs, request.spec.testsToAdd)
  if (commands.length === 0) return found
  const { isEnough, summary, survivors } = judgeMutants(await tryAll(runs.site, mutants, commands, request))
  const findings = survivors.map(({ path, line, what }) =>
    (isEnough ? note : blocking)(`no test detects ${what}`, path, line),
  )
  const all = [...found.evidence.findings, ...findings]
  const outcome = isEnough ? 'passed' : 'failed'
  return verdict(found.gate, outcome, `${found.summary}; ${summary}`, { ...found.evidence, findings: all })
}

/** The new tests first, because they are quick, then the suite. */
function commandsFor({ commands, site }: SiteRuns, paths: readonly string[]): readonly Command[] {
  if (commands.test === null) return []
  const { command, hint } = commands.test
  if (hint.kind === 'exit') return []
  const isPlain = paths.every((path) => !isPattern(path) && !isFolderPath(path))
  const own = isPlain ? focused(site, command, paths) : null
  return own === null ? [command] : [own, command]
}

async function tryAll(
  site: GateSite,
  mutants: readonly Mutant[],
  commands: readonly Command[],
  { limitMs, signal }: MutationRequest,
): Promise<readonly MutantResult[]> {
  const started = performance.now()
  const seen: MutantResult[] = []
  for (const mutant of mutants) {
    const left = limitMs - (performance.now() - started)
    if (left <= 0 || signal.aborted) break
    const isDetected = await isMutantDetected(site, mutant, commands, left)
    if (isDetected !== null) seen.push({ mutant, isDetected })
  }
  return seen
}

/** Null if time ran out, or the file is not the one that was parsed. */
async function isMutantDetected(
  site: GateSite,
  mutant: Mutant,
  commands: readonly Command[],
  leftMs: number,
): Promise<boolean | null> {
  if (!site.files.isFile(mutant.path)) return null
  const path = join(site.root, mutant.path)
  const before = await readFile(path, 'utf8')
  const { start, from, to } = mutant
  if (!before.startsWith(from, start)) return null
  const started = performance.now()
  try {
    await writeFile(path, `${before.slice(0, start)}${to}${before.slice(start + from.length)}`)
    for (const command of commands) {
      const left = leftMs - (performance.now() - started)
      if (left <= 0) return null
      const { ending } = (await site.runWithin(command, left)).evidence
      // A mutant may make a test hang; a timeout does not show which.
      if (ending.kind !== 'exited') return null
      if (ending.code !== 0) return true
    }
    return false
  } finally {
    await writeFile(path, before)
  }
}
