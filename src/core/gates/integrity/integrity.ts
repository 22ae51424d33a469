/** The integrity gate: work may not change the tests, settings and commands that judge it. */
import type { Finding } from '../../event-schemas/evidence.ts'
import type { Verdict } from '../../event-schemas/schemas.ts'
import type { Change } from '../change.ts'
import type { ChangeTrees } from '../change-trees.ts'
import { blocking, note, verdict } from '../verdicts.ts'
import { counted } from '../../../lib/text/counted.ts'
import { changedRecords } from './bosun-records.ts'
import { protectedChanges, type NamingSpec, type ProtectedChange } from './protected-files.ts'
import { tripwires } from './tripwires.ts'
import type { Trip } from './wire.ts'

export interface IntegrityFacts {
  readonly spec: NamingSpec
  readonly change: Change
  readonly trees: ChangeTrees
  /** Scripts that gates run (see `filesOfCommands`). */
  readonly gateScripts: readonly string[]
  /** Folders that Bosun writes its reviews and manifests into. */
  readonly ownFolders?: readonly string[]
}

const ALLOWED = 'protected, changed as the contract allows: '
/** The prefix that earlier versions wrote. */
const ALLOWED_EARLIER = 'what decides success was changed, as the contract allows: '

/** The change that a note about an allowed change of a protected file describes; null for other findings. */
export function allowedChange({ text }: Finding): string | null {
  const prefix = [ALLOWED, ALLOWED_EARLIER].find((start) => text.startsWith(start))
  return prefix === undefined ? null : text.slice(prefix.length)
}

export function integrity({ spec, change, trees, gateScripts, ownFolders = [] }: IntegrityFacts): Verdict {
  const deciding = protectedChanges(change, spec, gateScripts)
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
  const named = deciding.filter(({ permission }) => permission === 'named').length
  const summary =
    named === 0
      ? 'no protected file changed'
      : `${counted(named, 'protected file')} changed, as the contract allows`
  const noted = trips.length === 0 ? '' : `; ${trips.length} for review`
  return verdict('integrity', 'passed', `${summary}${noted}`, { findings })
}

const LONGEST_SEEN = 300

/** What a tripwire found, the line, and the name of the tripwire. */
function tripFinding({ weight, saw, text, path, line, wire }: Trip): Finding {
  const shown = text === '' ? saw : `${saw}: ${text}`
  const weigh = weight === 'blocks' ? blocking : note
  return weigh(`${shown.slice(0, LONGEST_SEEN)} [${wire}]`, path, line)
}

/** Parses the finding of a tripwire; null for other findings. Descriptions of tripwires contain no colon. */
export function seenIn({ text }: Finding): { readonly saw: string; readonly line: string } | null {
  const found = /^([^:]*)(?:: ([^]*))? \[[a-z-]+\]$/.exec(text)
  return found === null ? null : { saw: found[1] ?? '', line: found[2] ?? '' }
}

function findingOf({ path, became, what, line, permission }: ProtectedChange): Finding {
  switch (permission) {
    case 'named':
      return note(`${ALLOWED}${path} (${what})`, path, line)
    case 'begun':
      return note(`is protected (${what}); it was added with the new project`, path, line)
    case 'not_to_go': {
      const text = `is protected (${what}): the contract allows changing it, not deleting it; restore it`
      return blocking(text, path, line)
    }
    case 'not_named': {
      const text =
        became === 'added'
          ? `would be protected (${what}) and the contract does not allow adding it; remove it`
          : `is protected (${what}) and the contract does not allow changing it; restore it`
      return blocking(text, path, line)
    }
  }
}
