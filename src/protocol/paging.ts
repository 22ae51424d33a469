/** Lists that are answered a page at a time. */
import { z } from 'zod'

const MOST_ROWS = 200
const MAX_CURSOR = 1000

/** `cursor` is `next` of the page before; absent for the first. */
export const pageQuery = {
  limit: z.coerce.number().int().min(1).max(MOST_ROWS).optional(),
  cursor: z.string().max(MAX_CURSOR).optional(),
}
export const listQuery = z.object(pageQuery)

/** Beside the rows: where the next page begins, null on the last, and how many rows there are in all. */
export const pageFields = {
  next: z.string().nullable(),
  total: z.int().nonnegative(),
}
