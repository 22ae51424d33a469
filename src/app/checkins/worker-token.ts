/**
 * Each attempt has a token derived from the user's, so nothing has to be stored and it survives restarts. The user's token
 * cannot be derived from it.
 */
import { createHmac } from 'node:crypto'
import type { StreamId } from '../../ports/event-log.ts'

export function workerToken(secret: string, stream: StreamId, worker: string): string {
  return createHmac('sha256', secret).update(`worker ${stream} ${worker}`).digest('hex')
}
