/**
 * Each attempt has a token of its own, made from the user's: nothing has to be kept, and it holds as
 * long as the attempt does, also when Bosun was started anew meanwhile. The user's cannot be told from it.
 */
import { createHmac } from 'node:crypto'
import type { StreamId } from '../../ports/event-log.ts'

export function workerToken(secret: string, stream: StreamId, worker: string): string {
  return createHmac('sha256', secret).update(`worker ${stream} ${worker}`).digest('hex')
}
