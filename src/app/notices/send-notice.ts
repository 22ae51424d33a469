/** Sends a notice: to this machine's desktop, a command of the user, or a webhook (https://www.standardwebhooks.com). */
import { builtEnvironment, variablesOf } from '../../lib/process/built-environment.ts'
import { runProgram, type ProgramOutcome } from '../../lib/process/run-program.ts'
import type { DesktopProgram } from '../../lib/process/find-program.ts'
import { createHmac } from 'node:crypto'
import type { ClientRequest, IncomingMessage, RequestOptions } from 'node:http'
import type { Webhook } from '../../core/settings/notify-settings.ts'

type Env = Readonly<Record<string, string | undefined>>

/** It takes title and text as its arguments. */
const OSASCRIPT = [
  'on run argv',
  'display notification (item 2 of argv) with title (item 1 of argv)',
  'end run',
]
const DESKTOP_MS = 10_000
const COMMAND_MS = 30_000
const MAX_BYTES = 64 * 1024
/** How a program finds the desktop that it belongs to. */
const DESKTOP_VARIABLES = 'DISPLAY WAYLAND_DISPLAY XAUTHORITY DBUS_SESSION_BUS_ADDRESS'

/** The problem; null where it was shown. */
export async function showOnDesktop(
  { kind, file }: DesktopProgram,
  { title, text }: { readonly title: string; readonly text: string },
  env: Env,
): Promise<string | null> {
  // The text comes as arguments of its own: nothing in it is read as a command or a markup.
  const args =
    kind === 'osascript'
      ? [...OSASCRIPT.flatMap((line) => ['-e', line]), title, text]
      : ['--app-name=Bosun', '--', title, text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')]
  const outcome = await runProgram({
    command: file,
    args,
    cwd: '/',
    env: builtEnvironment(env, variablesOf(env, DESKTOP_VARIABLES)),
    timeoutMs: DESKTOP_MS,
    maxBytes: MAX_BYTES,
  })
  return problemOf(outcome, kind)
}

/** It gets the notice as JSON on stdin. The problem; null where it ended with 0. */
export async function runNoticeCommand(
  command: string | readonly string[],
  { document, folder }: { readonly document: string; readonly folder: string },
  env: Env,
): Promise<string | null> {
  const [program = '', ...args] = typeof command === 'string' ? ['sh', '-c', command] : command
  const outcome = await runProgram({
    command: program,
    args,
    cwd: folder,
    env: builtEnvironment(env, variablesOf(env, DESKTOP_VARIABLES)),
    timeoutMs: COMMAND_MS,
    maxBytes: MAX_BYTES,
    input: document,
  })
  return problemOf(outcome, 'notify.command')
}

function problemOf(outcome: ProgramOutcome, name: string): string | null {
  switch (outcome.kind) {
    case 'exited':
      if (outcome.code === 0) return null
      return `${name} failed with exit code ${outcome.code}: ${outcome.stderr.split('\n', 1)[0] ?? ''}`
    case 'signalled':
      return `${name} was ended by ${outcome.signal}`
    case 'timed_out':
      return `${name} did not end within ${outcome.afterMs / 1000} s`
    case 'too_long':
      return `${name} printed more than ${outcome.maxBytes} bytes`
    case 'not_started':
      return `${name} could not be started: ${outcome.reason}`
  }
}

/** Sends one notice to a webhook, signed as https://www.standardwebhooks.com describes. */
interface WebhookMessage {
  /** The same for every attempt. */
  readonly id: string
  readonly body: string
}

/** `gone`: the receiver wants no more of it (410). */
type WebhookOutcome = { readonly kind: 'taken' | 'gone' } | { readonly kind: 'failed'; readonly why: string }

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
