/**
 * The folder in a worker's clone for what it hands to Bosun: its report, and check-ins it cannot leave elsewhere. It
 * lies in the clone because sandboxes let an agent write nowhere else, and not under `.git`, which some keep read-only.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Quarantine } from '../quarantine.ts'
import type { CheckOut } from './work-tree.ts'

const NAME = '.bosun'

/** A name that neither the commit nor the tree in the clone holds. Case does not matter on some disks. */
export async function outboxName(quarantine: Quarantine, { commit, tree }: CheckOut): Promise<string> {
  const taken = new Set<string>()
  for (const held of [commit, ...(tree === null ? [] : [tree])])
    for (const { name } of await quarantine.trees.entries(held)) taken.add(name.toLowerCase())
  let name = NAME
  for (let other = 1; taken.has(name); other++) name = `${NAME}-worker${other === 1 ? '' : `-${other}`}`
  return name
}

/** Makes it; throws if anything lies in its place. */
export const makeOutbox = (clone: string, name: string): void => mkdirSync(join(clone, name), { mode: 0o700 })
