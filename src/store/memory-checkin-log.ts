/** Check-ins in memory, for tests and simulations. */
import type { Instant } from '../core/state/state.ts'
import type { Claim } from '../core/watch/observed.ts'
import type { CheckinLog, KeptCheckin, KeptClaim, NumberedCheckin } from '../ports/checkin-log.ts'
import { checkInstants, checkPage } from './checked-append.ts'

export class MemoryCheckinLog implements CheckinLog {
  #rows: NumberedCheckin[] = []
  readonly #claims = new Map<string, KeptClaim & { readonly claim: Claim }>()
  #seq = 0

  async append(checkin: KeptCheckin, claim: Claim): Promise<'kept' | 'known'> {
    checkInstants(checkin)
    const { stream, worker, file } = checkin
    if (file !== null && this.#rows.some((row) => row.stream === stream && row.file === file)) return 'known'
    this.#rows.push({ ...checkin, seq: ++this.#seq })
    this.#claims.set(`${stream} ${worker}`, { stream, worker, claim })
    return 'kept'
  }

  async remember({ stream, worker }: Pick<KeptClaim, 'stream' | 'worker'>, claim: Claim): Promise<void> {
    this.#claims.set(`${stream} ${worker}`, { stream, worker, claim })
  }

  async tail(afterSeq: number, limit: number): Promise<readonly NumberedCheckin[]> {
    checkPage(afterSeq, limit)
    return this.#rows.filter(({ seq }) => seq > afterSeq).slice(0, limit)
  }

  async claims(): Promise<readonly KeptClaim[]> {
    return [...this.#claims.values()]
  }

  async prune(before: Instant, limit: number): Promise<number> {
    checkPage(0, limit)
    const old = new Set(this.#rows.slice(0, limit).filter(({ heardAt }) => heardAt < before))
    this.#rows = this.#rows.filter((row) => !old.has(row))
    const oldClaims = [...this.#claims].filter(([, { claim }]) => claim.at < before)
    for (const [key] of oldClaims.slice(0, limit)) this.#claims.delete(key)
    return old.size
  }
}
