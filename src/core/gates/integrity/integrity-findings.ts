/**
 * The findings of the integrity gate, as they are written and read back. Apart from the gate, so that a daemon that only
 * shows findings does not load the tripwires (bench/idle-memory).
 */
import type { Finding } from '../../event-schemas/evidence.ts'
import { blocking, forReview, note } from '../verdicts.ts'
import type { ProtectedChange } from './protected-files.ts'
import type { Trip } from './wire.ts'

const ALLOWED = 'protected, changed as the contract allows: '
/** The prefix that earlier versions wrote. */
const ALLOWED_EARLIER = 'what decides success was changed, as the contract allows: '

/** The change that a note about an allowed change of a protected file describes; null for other findings. */
export function allowedChange({ text }: Finding): string | null {
  const prefix = [ALLOWED, ALLOWED_EARLIER].find((start) => text.startsWith(start))
  return prefix === undefined ? null : text.slice(prefix.length)
}

const LONGEST_SEEN = 300

/** What a tripwire found, the line, and the name of the tripwire. */
export function tripFinding({ weight, saw, text, path, line, wire }: Trip): Finding {
  const shown = text === '' ? saw : `${saw}: ${text}`
  const weigh = weight === 'blocks' ? blocking : forReview
  return weigh(`${shown.slice(0, LONGEST_SEEN)} [${wire}]`, path, line)
}

/** Parses the finding of a tripwire; null for other findings. Descriptions of tripwires contain no colon. */
export function seenIn({ text }: Finding): { readonly saw: string; readonly line: string } | null {
  const found = /^([^:]*)(?:: ([^]*))? \[[a-z-]+\]$/.exec(text)
  return found === null ? null : { saw: found[1] ?? '', line: found[2] ?? '' }
}

export function protectionFinding({ path, became, what, line, permission }: ProtectedChange): Finding {
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
