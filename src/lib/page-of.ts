/** One page of a list. Rows may come and go between two pages. */
import { Refusal } from './refusal.ts'

export interface PageAsked {
  readonly limit: number
  /** `next` of the page before; absent for the first. */
  readonly cursor?: string | undefined
}

/** What a page is taken from: an array, or what makes its rows when they are asked for. */
export interface Rows<T> {
  readonly length: number
  slice(from: number, to: number): readonly T[]
}

export interface Page<T> {
  readonly rows: readonly T[]
  /** The cursor of the next page; null on the last. */
  readonly next: string | null
  readonly total: number
}

/**
 * A cursor names the last row of its page, and where that was: the next page begins behind that row, or where it was if it
 * has gone.
 */
export function pageOf<T>(all: Rows<T>, { limit, cursor }: PageAsked, keyOf: (row: T) => string): Page<T> {
  const from = cursor === undefined ? 0 : placeBehind(all, cursor, keyOf)
  const rows = all.slice(from, from + limit)
  const last = rows.at(-1)
  const at = from + rows.length
  const next = last === undefined || at >= all.length ? null : `${at}.${keyOf(last)}`
  return { rows, next, total: all.length }
}

function placeBehind<T>(all: Rows<T>, cursor: string, keyOf: (row: T) => string): number {
  const [, place, key] = /^(\d{1,9})\.(.*)$/s.exec(cursor) ?? []
  if (place === undefined || key === undefined)
    throw new Refusal({
      code: 'usage',
      message: 'cursor: is not the `next` of a page',
      remedy: 'Start again without a cursor.',
    })
  const was = Number(place)
  const [last] = was === 0 ? [] : all.slice(was - 1, was)
  if (last !== undefined && keyOf(last) === key) return was
  const found = all.slice(0, all.length).findIndex((row) => keyOf(row) === key)
  return found === -1 ? Math.max(0, was - 1) : found + 1
}
