import { Refusal } from '../lib/refusal.ts'

/**
 * Encodes an id from the command line for a path of the daemon. Refuses what the daemon's guard would refuse as a path,
 * most often a file name.
 */
export function idSegment(id: string): string {
  if (/^(?!\.{1,2}$)[^/\\\0]+$/.test(id)) return encodeURIComponent(id)
  throw new Refusal({
    code: 'not_found',
    message: id === '' ? 'the id is empty' : `invalid id "${id}"`,
    remedy: 'Use the id of a plan, worker or inbox item as `bosun status` shows it.',
  })
}
