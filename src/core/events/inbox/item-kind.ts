import type { ItemKind } from '../../event-schemas/schemas.ts'

const KINDS: Readonly<Record<string, ItemKind>> = {
  E: 'escalation',
  Q: 'question',
  A: 'approval',
  P: 'permission',
  R: 'release',
}

/** The letter before an item's number is its kind. */
export const itemKind = (id: string): ItemKind | 'item' => KINDS[id.charAt(0)] ?? 'item'
