/** The integrity gate: work may not change the tests, settings and commands that judge it. */
import type { Verdict } from '../../event-schemas/schemas.ts'
import type { Change } from '../change.ts'
import type { ChangeTrees } from '../change-trees.ts'
import { note, verdict } from '../verdicts.ts'
import { counted } from '../../../lib/text/counted.ts'
import { changedRecords } from './bosun-records.ts'
import { protectionFinding, tripFinding } from './integrity-findings.ts'
import { protectedChanges, type NamingSpec } from './protected-files.ts'
import { tripwires } from './tripwires.ts'

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
    const more = blocks.length > 1 ? `, and ${blocks.length - 1} more` : ''
    const where = first.file === null ? '' : `${first.file} `
    return verdict('integrity', 'failed', `${where}${first.text}${more}`, { findings })
  }
  const [part] = unclear
  if (part !== undefined) {
    const notes = unclear.map(({ path, line, why }) => note(why, path, line))
    const where = part.line === null ? part.path : `${part.path}:${part.line}`
    const more = unclear.length > 1 ? `, and ${unclear.length - 1} more` : ''
    return verdict('integrity', 'inconclusive', `${where} ${part.why}${more}`, {
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
