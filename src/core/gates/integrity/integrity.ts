/** The gate beside the six: work may not change what it is judged by. */
import type { Finding } from '../../event-schemas/evidence.ts'
import type { Verdict } from '../../event-schemas/schemas.ts'
import type { Change } from '../change.ts'
import type { ChangeTrees } from '../change-trees.ts'
import { blocking, note, verdict } from '../verdicts.ts'
import { changedRecords } from './bosun-records.ts'
import { protectedChanges, type NamingSpec, type ProtectedChange } from './protected-files.ts'
import { tripwires } from './tripwires.ts'
import type { Trip } from './wire.ts'

export interface IntegrityFacts {
  readonly spec: NamingSpec
  readonly change: Change
  readonly trees: ChangeTrees
  /** Files that gates start, as `filesOfCommands` tells them. */
  readonly judges: readonly string[]
  /** Folders that Bosun writes its reviews and manifests into. */
  readonly ownFolders?: readonly string[]
}

/** How the notes begin that review shows by themselves. */
export const ALLOWED = 'what decides success was changed, as the contract allows'

export function integrity({ spec, change, trees, judges, ownFolders = [] }: IntegrityFacts): Verdict {
  const deciding = protectedChanges(change, spec, judges)
  const { trips, unclear } = tripwires({ change, trees, spec })
  const records = changedRecords({ change, spec, folders: ownFolders })
  const findings = [...records, ...deciding.map(findingOf), ...trips.map(tripFinding)]
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
  const named = deciding.filter(({ standing }) => standing === 'named').length
  const words =
    named === 0 ? 'what decides success is as it was' : `${named} of what decides success changed, all named`
  const noted = trips.length === 0 ? '' : `; ${trips.length} for review to look at`
  return verdict('integrity', 'passed', `${words}${noted}`, { findings })
}

const LONGEST_SEEN = 300

/** What a wire saw, the line that shows it, and the wire's name. */
function tripFinding({ weight, saw, text, path, line, wire }: Trip): Finding {
  const shown = text === '' ? saw : `${saw}: ${text}`
  const weigh = weight === 'blocks' ? blocking : note
  return weigh(`${shown.slice(0, LONGEST_SEEN)} [${wire}]`, path, line)
}

/** A tripwire's finding taken apart again; null where it is none. What a wire saw has no colon in it. */
export function seenIn({ text }: Finding): { readonly saw: string; readonly line: string } | null {
  const found = /^([^:]*)(?:: ([^]*))? \[[a-z-]+\]$/.exec(text)
  return found === null ? null : { saw: found[1] ?? '', line: found[2] ?? '' }
}

function findingOf({ path, became, what, line, standing }: ProtectedChange): Finding {
  switch (standing) {
    case 'named':
      return note(`${ALLOWED}: ${path} (${what})`, path, line)
    case 'begun':
      return note(`decides success (${what}) and came with the new project`, path, line)
    case 'not_to_go':
      return blocking(`decides success (${what}): the contract has it changed, not deleted`, path, line)
    case 'not_named':
      return became === 'added'
        ? blocking(`would decide success (${what}), and the contract does not name it: remove it`, path, line)
        : blocking(
            `decides success (${what}), and the contract does not name it: put it back as it was`,
            path,
            line,
          )
  }
}
