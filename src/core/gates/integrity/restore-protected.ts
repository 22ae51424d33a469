/** What is put back as it was on the base before anything is run: work may not bring its own judge. */
import type { Finding } from '../../event-schemas/evidence.ts'
import type { Verdict } from '../../event-schemas/schemas.ts'
import { linesBefore, type Change } from '../change.ts'
import type { Command } from '../../planning/plan.ts'
import type { Listing } from '../../repository-facts/detect-commands.ts'
import { blocking, note, verdict } from '../verdicts.ts'
import { filesOfCommands } from './gate-scripts.ts'
import { protectedChanges, type NamingSpec } from './protected-files.ts'

/** What gates run, and the manifest whose scripts it may go through, as the work has it. */
export interface Run {
  readonly commands: readonly (Command | null)[]
  readonly manifest: readonly string[] | null
}

/** Paths that decide success and were changed without the contract naming them. */
export function pathsToRestore(change: Change, spec: NamingSpec, run: Run | null = null): readonly string[] {
  const changed = change.files.find(({ path }) => path === 'package.json')
  const manifests = [run?.manifest ?? null, changed === undefined ? null : linesBefore(changed)]
  const judges = manifests.flatMap((lines) => filesOfCommands(run?.commands ?? [], lines))
  return protectedChanges(change, spec, judges)
    .filter(({ standing }) => standing === 'not_named' || standing === 'not_to_go')
    .map(({ path }) => path)
}

/** The tree as commands are looked for in it: what is put back is read as the base has it. */
export function listingAfter(restoreProtected: readonly string[], tree: Listing, base: Listing): Listing {
  const back = new Set(restoreProtected)
  const files = [...tree.files].filter((path) => !back.has(path))
  const kept = restoreProtected.filter((path) => base.files.has(path))
  return {
    files: new Set([...files, ...kept]),
    read: (path) => (back.has(path) ? base.read(path) : tree.read(path)),
  }
}

/** Commands and settings of package.json as on the base, and the rest as the work has it. Null: one cannot be read. */
export function manifestPutBack(base: string, work: string): string | null {
  const [old, now] = [record(base), record(work)]
  if (old === null || now === null) return null
  const free = Object.entries(now).filter(([key]) => FREE.has(key))
  const held = Object.entries(old).filter(([key]) => !FREE.has(key))
  return `${JSON.stringify(Object.fromEntries([...held, ...free]), null, 2)}\n`
}

/** Everything else in a manifest is taken from the base. */
const FREE = new Set(
  'name version description license author main module types exports imports bin files type engines dependencies devDependencies peerDependencies optionalDependencies workspaces packageManager'.split(
    ' ',
  ),
)

function record(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Readonly<Record<string, unknown>>)
      : null
  } catch {
    // Not JSON: then it is put back whole.
    return null
  }
}

/**
 * What passed with files put back did not pass as the work has it. Tests that only pass this way fail: the tree that
 * would land is not the one that ran. What a linter or a build says holds, and is told.
 */
export function saysPutBack(found: Verdict, restoreProtected: readonly string[]): Verdict {
  if (restoreProtected.length === 0 || found.evidence.runs.length === 0) return found
  const isOfTests = TEST_GATES.has(found.gate)
  const said = (weigh: typeof note): Finding[] =>
    restoreProtected.map((path) => weigh('was put back as on the base for this run', path))
  if (!isOfTests || found.outcome !== 'passed') {
    const findings = [...found.evidence.findings, ...said(note)]
    return verdict(found.gate, found.outcome, found.summary, { ...found.evidence, findings })
  }
  const more = restoreProtected.length > 1 ? ` and ${restoreProtected.length - 1} more` : ''
  const words = `${found.summary}, but only with ${restoreProtected[0]}${more} put back as on the base`
  const findings = [...found.evidence.findings, ...said(blocking)]
  return verdict(found.gate, 'failed', words, { ...found.evidence, findings })
}

const TEST_GATES: ReadonlySet<string> = new Set(['unit', 'tests_to_run', 'tests_to_add'])
