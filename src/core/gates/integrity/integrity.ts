/** The integrity gate: work may not change the tests, settings and commands that judge it. */
import type { Verdict } from '../../event-schemas/schemas.ts'
import type { Change, ChangeTrees, ChangedFile } from '../change.ts'
import { andMore, note, verdict, blocking } from '../verdicts.ts'
import { counted } from '../../../lib/text/counted.ts'
import { protectionFinding, tripFinding } from '../written-findings.ts'
import { protectedChanges, type NamingSpec } from './protected-files.ts'
import { tripwires } from './tripwires.ts'
import { normalPath } from '../../languages/paths.ts'
import type { Finding } from '../../event-schemas/evidence.ts'

export interface IntegrityFacts {
  readonly spec: NamingSpec
  readonly change: Change
  readonly trees: ChangeTrees
  /** Scripts that gates run (see `filesOfCommands`). */
  readonly gateScripts: readonly string[]
  /** Folders that Bosun writes its reviews and manifests into. */
  readonly ownFolders?: readonly string[]
}

export function integrity({ spec, change, trees, gateScripts, ownFolders = [] }: IntegrityFacts): Verdict {
  const deciding = protectedChanges(change, spec, gateScripts)
  const { trips, unclear } = tripwires({ change, trees, spec })
  const records = changedRecords({ change, spec, folders: ownFolders })
  const findings = [...records, ...deciding.map(protectionFinding), ...trips.map(tripFinding)]
  const blocks = findings.filter(({ weight }) => weight === 'blocks')
  const [first] = blocks
  if (first !== undefined) {
    const where = first.file === null ? '' : `${first.file} `
    return verdict('integrity', 'failed', `${where}${first.text}${andMore(blocks)}`, { findings })
  }
  const [part] = unclear
  if (part !== undefined) {
    const notes = unclear.map(({ path, line, why }) => note(why, path, line))
    const where = part.line === null ? part.path : `${part.path}:${part.line}`
    return verdict('integrity', 'inconclusive', `${where} ${part.why}${andMore(unclear)}`, {
      findings: [...findings, ...notes],
    })
  }
  const named = deciding.filter(({ permission }) => permission === 'named').length
  const summary =
    named === 0
      ? 'no protected file changed'
      : `${counted(named, 'protected file')} changed, as the contract allows`
  const noted = trips.length === 0 ? '' : `; ${trips.length} for review`
  return verdict('integrity', 'passed', `${summary}${noted}`, { findings })
}

/** Names of Bosun's own files; no contract allows a worker to write them. */
const OWN_NAME = /-(review\.md|release\.yaml|notes\.md)$/i

const REFUSED = 'is where Bosun writes its own records'

/** Whether no contract can allow the change. */
export const isOwnRecord = ({ text, file }: Finding): boolean =>
  text.startsWith(REFUSED) && file !== null && OWN_NAME.test(file)

interface RecordFacts {
  readonly change: Change
  readonly spec: NamingSpec
  /** `pm.review_artifacts_dir` and `pm.release_manifest_dir`. */
  readonly folders: readonly string[]
}

/** Rejects changes in the folders of Bosun's reviews and manifests, because readers take files there for Bosun's own. */
export function changedRecords({ change, spec, folders }: RecordFacts): readonly Finding[] {
  const places = folders.map((folder) => normalPath(folder).toLowerCase())
  const { create, modify, delete: remove } = spec.files
  const named = new Set([...create, ...modify, ...remove].map(normalPath))
  return change.files.flatMap((file) => {
    const folder = folders[places.findIndex((place) => isIn(file, place))]
    if (folder === undefined) return []
    if (named.has(normalPath(file.path)) && !OWN_NAME.test(file.path)) return []
    const undo = file.kind === 'added' ? 'remove it' : 'restore it'
    return [blocking(`${REFUSED} (${folder}); ${undo}`, file.path)]
  })
}

/** In the folder, or replacing it or one of its parents. */
function isIn({ path, kind }: ChangedFile, folder: string): boolean {
  const plain = normalPath(path).toLowerCase()
  if (plain.startsWith(`${folder}/`)) return true
  return kind !== 'deleted' && `${folder}/`.startsWith(`${plain}/`)
}
