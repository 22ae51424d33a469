import { Refusal } from '../lib/refusal.ts'

/**
 * An id that somebody typed, as part of a path of the daemon's. What its guard would refuse as a path (a file's name most of
 * all) is the id of nothing, and that is what is said.
 */
export function idSegment(id: string): string {
  if (/^(?!\.{1,2}$)[^/\\\0]+$/.test(id)) return encodeURIComponent(id)
  throw new Refusal({
    code: 'not_found',
    message: id === '' ? 'nothing has an empty id' : `${id} is no id`,
    remedy: 'Plans, workers and questions are called by their ids; `bosun status` shows them.',
  })
}
