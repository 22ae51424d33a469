/**
 * Clean checkouts for gates: folders of their own in which no worker ever worked. Gates run a worker's code, so a
 * folder is verified against the tree before each use and not after it.
 */
import { SerialQueue } from '../../lib/serial-queue.ts'
import type { Checkout } from '../../ports/checkouts.ts'
import type { Quarantine } from '../quarantine.ts'
import { Slots, type Slot } from './slots.ts'

export class CheckoutSlots {
  readonly #slots: Slots
  readonly #turns = new SerialQueue()
  /** Who uses a folder is known here only: a gate does not outlive Bosun. */
  readonly #busy = new Set<number>()

  constructor(options: { quarantine: Quarantine; directory: string }) {
    this.#slots = new Slots({ ...options, name: 'checkouts' })
  }

  /** A folder that holds that tree and nothing else; its HEAD stands at `head`, for gates that ask git. */
  async checkout(tree: string, head: string): Promise<Checkout> {
    const slot = await this.#turns.run(() => this.#take())
    let held = true
    const release = async (): Promise<void> => {
      if (held) this.#busy.delete(slot.number)
      held = false
    }
    try {
      await slot.tree.checkOut({ commit: head, tree })
      return { path: slot.tree.path, release }
    } catch (error) {
      await release()
      throw error
    }
  }

  /** Removes free folders except for `keep` of them. Returns how many. */
  shrink(keep: number): Promise<number> {
    return this.#turns.run(() => this.#slots.shrink(keep, this.#isFree))
  }

  readonly #isFree = (slot: Slot): boolean => !this.#busy.has(slot.number)

  async #take(): Promise<Slot> {
    const slot = this.#slots.take(this.#isFree)
    this.#busy.add(slot.number)
    return slot
  }
}
