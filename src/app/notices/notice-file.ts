/** `notices.json` in the state root: what is still to be sent, and the event up to which notices were taken. */
import { join } from 'node:path'
import { z } from 'zod'
import { atomicWriteText } from '../../lib/files/atomic-write.ts'
import { readIfExists } from '../../lib/files/read-if-exists.ts'
import { jsonOf } from '../host/json-of.ts'

const instant = z.int().nonnegative()

const keptNotice = z.strictObject({
  id: z.string(),
  kind: z.enum(['needs_you', 'finished', 'went_wrong', 'progress']),
  stream: z.string(),
  task: z.string().nullable(),
  item: z.string().nullable(),
  blocking: z.boolean(),
  text: z.string(),
  at: instant,
  only: z.literal('page').optional(),
  sentAt: instant.nullable(),
})

/** One way that one batch still has to go. */
const delivery = z.strictObject({
  /** Of the batch. */
  id: z.string(),
  by: z.enum(['desktop', 'command', 'webhook']),
  /** Of its newest notice. */
  stream: z.string(),
  title: z.string(),
  text: z.string(),
  /** For commands and webhooks. */
  document: z.string(),
  failures: z.int().nonnegative(),
  since: instant,
  notBefore: instant,
})
export type Delivery = Readonly<z.infer<typeof delivery>>

const schema = z.strictObject({
  schema: z.literal('bosun.notices/v1'),
  seq: z.int().nonnegative(),
  notices: z.array(keptNotice),
  /** By repository. */
  last_sent: z.record(z.string(), instant),
  deliveries: z.array(delivery),
})
export type NoticeBook = Readonly<Omit<z.infer<typeof schema>, 'schema'>>

export const emptyBook = (seq: number): NoticeBook => ({ seq, notices: [], last_sent: {}, deliveries: [] })

/** Null where there is none, or none that can be read: then notices begin with what happens next. */
export function readNoticeBook(root: string): NoticeBook | null {
  const read = jsonOf(schema, readIfExists(fileIn(root)))
  if (read === null) return null
  const { schema: _schema, ...book } = read
  return book
}

export const writeNoticeBook = (root: string, book: NoticeBook): Promise<void> =>
  atomicWriteText(fileIn(root), JSON.stringify({ schema: 'bosun.notices/v1', ...book }))

const fileIn = (root: string): string => join(root, 'notices.json')
