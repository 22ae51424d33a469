/** Protected files are restored from the base before anything runs: work may not change what judges it. */
import type { Finding } from '../../event-schemas/evidence.ts'
import type { Verdict } from '../../event-schemas/schemas.ts'
import type { Command } from '../../planning/plan.ts'
import type { Listing } from '../../repository-facts/detect-commands.ts'
import { linesBefore, type Change } from '../change.ts'
import { jsonObject } from '../documents.ts'
import { blocking, note, verdict } from '../verdicts.ts'
import { filesOfCommands } from './file-parts.ts'
import { protectedChanges, type NamingSpec } from './protected-files.ts'

/** The commands of gates, and the work's manifest, whose scripts they may use. */
interface Run {
  readonly commands: readonly (Command | null)[]
  readonly manifest: readonly string[] | null
}

/** Protected paths that changed although the contract does not allow it. */
export function pathsToRestore(change: Change, spec: NamingSpec, run: Run | null = null): readonly string[] {
  const changed = change.files.find(({ path }) => path === 'package.json')
  const manifests = [run?.manifest ?? null, changed === undefined ? null : linesBefore(changed)]
  const gateScripts = manifests.flatMap((lines) => filesOfCommands(run?.commands ?? [], lines))
  return protectedChanges(change, spec, gateScripts)
    .filter(({ permission }) => permission === 'not_named' || permission === 'not_to_go')
    .map(({ path }) => path)
}

/** The listing for command detection: restored files are read from the base. */
export function listingAfter(restored: readonly string[], tree: Listing, base: Listing): Listing {
  const fromBase = new Set(restored)
  const files = [...tree.files].filter((path) => !fromBase.has(path))
  const kept = restored.filter((path) => base.files.has(path))
  return {
    files: new Set([...files, ...kept]),
    read: (path) => (fromBase.has(path) ? base.read(path) : tree.read(path)),
  }
}

/** package.json with commands and settings of the base and the rest of the work; null if one cannot be parsed. */
export function restoredManifest(base: string, work: string): string | null {
  const [old, now] = [jsonObject(base), jsonObject(work)]
  if (old === null || now === null) return null
  const free = Object.entries(now).filter(([key]) => FREE.has(key))
  const held = Object.entries(old).filter(([key]) => !FREE.has(key))
  return `${JSON.stringify(Object.fromEntries([...held, ...free]), null, 2)}\n`
}

/** Fields taken from the work; all others come from the base. */
const FREE = new Set(
  'name version description license author main module types exports imports bin files type engines dependencies devDependencies peerDependencies optionalDependencies workspaces packageManager'.split(
    ' ',
  ),
)

/**
 * Adds a note about restored files to a verdict. A test gate that passed with them fails, because the tree that would land is
 * not the one that ran; verdicts of linters and builds stay.
 */
export function noteRestored(found: Verdict, restored: readonly string[]): Verdict {
  if (restored.length === 0 || found.evidence.runs.length === 0) return found
  const isOfTests = TEST_GATES.has(found.gate)
  const notes = (weigh: typeof note): Finding[] =>
    restored.map((path) => weigh('was restored from the base for this run', path))
  if (!isOfTests || found.outcome !== 'passed') {
    const findings = [...found.evidence.findings, ...notes(note)]
    return verdict(found.gate, found.outcome, found.summary, { ...found.evidence, findings })
  }
  const more = restored.length > 1 ? ` and ${restored.length - 1} more` : ''
  const summary = `${found.summary}, but only with ${restored[0]}${more} restored from the base`
  const findings = [...found.evidence.findings, ...notes(blocking)]
  return verdict(found.gate, 'failed', summary, { ...found.evidence, findings })
}

const TEST_GATES: ReadonlySet<string> = new Set(['unit', 'tests_to_run', 'tests_to_add'])
