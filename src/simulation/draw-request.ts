/** Draws a worker's request, sensible or not. */
import { PRIORITIES, REQUEST_KINDS, type AskedKind } from '../core/event-schemas/requests.ts'
import type { Asked } from '../engine/external-events.ts'
import type { Random } from './random.ts'

/** Most workers repeat the same request. */
export function drawRequest(random: Random, favourite: AskedKind): Asked {
  const kind = random.chance(0.6) ? favourite : random.pick(REQUEST_KINDS)
  const hasText = random.chance(0.8)
  const text = hasText ? `${kind} ${random.between(1, 4)}` : ''
  const priority = random.pick(PRIORITIES)
  switch (kind) {
    case 'need_time':
      return { kind, text, priority, minutes: random.between(10, 40) }
    case 'need_resources':
      return { kind, text, priority, tokens: random.between(1, 2_000_000) }
    case 'need_clarification':
      return { kind, text, priority, to: random.pick(['architect', 'human', 'the cook']) }
    case 'blocked':
    case 'need_help':
      return { kind, text, priority }
  }
}
