/** Sends one notice to a webhook, signed as https://www.standardwebhooks.com describes. */
import { createHmac } from 'node:crypto'
import type { ClientRequest, IncomingMessage, RequestOptions } from 'node:http'
import type { Webhook } from '../../core/settings/notify-settings.ts'

export interface WebhookMessage {
  /** The same for every attempt. */
  readonly id: string
  readonly body: string
}

/** `gone`: the receiver wants no more of it (410). */
export type WebhookOutcome =
  | { readonly kind: 'taken' | 'gone' }
  | { readonly kind: 'failed'; readonly why: string }

const TIMEOUT_MS = 15_000

/** Never rejects. A redirect is a failure: the address in the settings is the one that was chosen. */
export async function sendWebhook(
  webhook: Webhook,
  { id, body }: WebhookMessage,
  { now, ending }: { readonly now: number; readonly ending: AbortSignal },
): Promise<WebhookOutcome> {
  const timestamp = String(Math.floor(now / 1000))
  const signed =
    webhook.secret === null
      ? {}
      : { 'webhook-signature': `v1,${signatureOf(webhook.secret, `${id}.${timestamp}.${body}`)}` }
  const headers = {
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    'user-agent': 'bosun',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    ...signed,
  }
  try {
    const signal = AbortSignal.any([ending, AbortSignal.timeout(TIMEOUT_MS)])
    const status = await post(new URL(webhook.url), { method: 'POST', headers, signal }, body)
    if (status >= 200 && status < 300) return { kind: 'taken' }
    return status === 410 ? { kind: 'gone' } : { kind: 'failed', why: `it answered ${status}` }
  } catch (error) {
    return { kind: 'failed', why: error instanceof Error ? error.message : String(error) }
  }
}

/** The status. The answer's body is not read. */
async function post(url: URL, options: RequestOptions, body: string): Promise<number> {
  const { request } = process.getBuiltinModule(url.protocol === 'https:' ? 'node:https' : 'node:http')
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  const call: ClientRequest = request(url, options, (response: IncomingMessage) => {
    resolve(response.statusCode ?? 0)
    response.destroy()
  })
  // After the answer it has no effect.
  call.on('error', reject)
  call.end(body)
  return promise
}

/** In base64. */
function signatureOf(secret: string, content: string): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  return createHmac('sha256', key).update(content).digest('base64')
}
