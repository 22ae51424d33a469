/**
 * Each event carries a hash over that of the event before it in its stream and its own row; the stream and its snapshot carry the last
 * one. There is no key: it shows that a row was changed, put in or taken out by hand, unless all hashes behind it were made anew.
 */
import { hash } from 'node:crypto'
import type { EntryRow } from './entry-rows.ts'

/** Before the first event of a stream. */
export const NO_EVENT = ''

type ChainedRow = Pick<EntryRow, 'stream' | 'version' | 'at' | 'type' | 'v' | 'data'>

export function chainAfter(before: string, row: ChainedRow): string {
  const { stream, version, at, type, v, data } = row
  return hash('sha256', `${before}\n${version}\n${at}\n${v}\n${type}\n${stream}\n${data}`, 'base64url')
}

/** Of a snapshot, which stands for all events up to its last one. */
export const snapshotChain = (before: string, shape: number, state: string): string =>
  hash('sha256', `${before} ${shape} ${state}`, 'base64url')
