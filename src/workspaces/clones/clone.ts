import type { Placed } from './placed.ts'
import type { Quarantine } from '../quarantine.ts'
import type { CheckOut, WorkTree } from './work-tree.ts'

/** A worker's work tree, and what it was given to start with. */
export interface Clone {
  readonly worker: string
  readonly path: string
  readonly start: CheckOut
  readonly tree: WorkTree
  readonly quarantine: Quarantine
  /** The folder in it for what the worker hands to Bosun, by name; null in clones of earlier builds. */
  readonly outbox: string | null
  /** What lies in it that is not the worker's. */
  readonly placed: Placed
}
