/** What workers send: to the daemon if it responds, else as a file for later. */
import { Refusal, usageRefusal } from '../../lib/refusal.ts'
import { resultOf, type Call, type CommandResult } from '../command.ts'
import { CHECKINS, leaveFile, sendToDaemon, workerHere } from '../../client/worker-call.ts'
import type { CheckinAnswer } from '../../protocol/answers.ts'
import { readFileSync } from 'node:fs'
import { atomicWriteSync } from '../../lib/files/atomic-write.ts'

export const checkIn = (call: Call): Promise<CommandResult> => deliver(call, 'checkin', checkinOf(call))

/** As sent; the receiver validates it. */
function checkinOf(call: Call): Record<string, unknown> {
  const [status = '', percent = ''] = call.args
  const reason = call.option('failure-reason')
  const details = { category: call.option('failure-category'), can_retry: canRetry(call) }
  if (reason === undefined && Object.values(details).some((value) => value !== undefined))
    throw usage('--failure-category and --can-retry need --failure-reason')
  const metrics = call.all('metric').map(parseMetric)
  const issues = call.all('issue')
  const requests = call.all('request')
  return {
    status,
    progress_pct: parseNumber('percentage', percent),
    current_step: call.option('current-step'),
    next_step: call.option('next-step'),
    time_remaining_estimate: call.option('time-remaining'),
    token_usage: optionalNumber(call, 'token-usage'),
    issues: issues.length === 0 ? undefined : issues,
    requests: requests.length === 0 ? undefined : requests,
    metrics: metrics.length === 0 ? undefined : Object.fromEntries(metrics),
    tests: testsOf(call),
    deliverables: call.option('deliverables'),
    failure: reason === undefined ? undefined : { reason, ...details },
    tool_start: call.option('tool-start'),
    tool_end: call.option('tool-end'),
  }
}

function testsOf(call: Call): Record<string, unknown> | undefined {
  const [passed, failed] = [optionalNumber(call, 'tests-passed'), optionalNumber(call, 'tests-failed')]
  const failing = call.all('failing-test')
  if (passed === undefined && failed === undefined && failing.length === 0) return undefined
  const outcome = failing.length > 0 || (failed ?? 0) > 0 ? 'failed' : 'passed'
  return { outcome, passed, failed, failing: failing.length === 0 ? undefined : failing }
}

function canRetry(call: Call): boolean | undefined {
  const value = call.option('can-retry')
  if (value === undefined) return undefined
  if (value === 'yes' || value === 'no') return value === 'yes'
  throw usage(`invalid --can-retry "${value}" (use yes or no)`)
}

function parseMetric(text: string): [string, number] {
  const at = text.indexOf('=')
  if (at < 1) throw usage(`invalid --metric "${text}" (use NAME=NUMBER)`)
  return [text.slice(0, at), parseNumber('--metric', text.slice(at + 1))]
}

function optionalNumber(call: Call, name: string): number | undefined {
  const text = call.option(name)
  return text === undefined ? undefined : parseNumber(`--${name}`, text)
}

function parseNumber(what: string, text: string): number {
  const number = text.trim() === '' ? Number.NaN : Number(text)
  if (Number.isFinite(number)) return number
  throw usage(`${what} must be a number, not "${text}"`)
}

const usage = (message: string): Refusal => usageRefusal(message, 'Run: bosun checkin --help')

const MAX_BYTES = 256 * 1024

export async function submitReport(call: Call): Promise<CommandResult> {
  const worker = workerHere(call.terminal.env)
  const [file = '-'] = call.args
  const text =
    file === '-'
      ? Buffer.from(await call.terminal.readInput(MAX_BYTES)).toString('utf8')
      : readFileSync(file, 'utf8')
  const report = objectIn(text)
  const answer = await sendToDaemon<DaemonAnswer>(worker, 'reports', report)
  if (worker.reportPath !== null) atomicWriteSync(worker.reportPath, `${JSON.stringify(report)}\n`)
  return deliveryResult(answer, worker.reportPath)
}

function objectIn(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return value as Record<string, unknown>
  } catch {
    // Refused below, like any other value that is not an object.
  }
  throw usageRefusal(
    'the report is not a JSON object',
    'Submit an object such as {"explanation": "…", "files": {"created": []}}',
  )
}

export function sendRequest(call: Call): Promise<CommandResult> {
  const [type = '', text = ''] = call.args
  const [minutes, tokens, to] = [call.option('minutes'), call.option('tokens'), call.option('to')]
  return deliver(call, 'request', { type, text, minutes, tokens, to })
}

interface DaemonAnswer {
  readonly accepted: boolean
  readonly instructions: CheckinAnswer['instructions']
  readonly notes?: readonly string[]
  readonly why?: string
}

/** Where a message waits for the next daemon. */
const PLACES = {
  checkin: { route: 'checkins', folder: CHECKINS, prefix: '' },
  request: { route: 'requests', folder: 'pm-requests/pending', prefix: 'req-' },
} as const

async function deliver(
  call: Call,
  what: keyof typeof PLACES,
  message: Readonly<Record<string, unknown>>,
): Promise<CommandResult> {
  const worker = workerHere(call.terminal.env)
  const { route, ...place } = PLACES[what]
  const answer = await sendToDaemon<DaemonAnswer>(worker, route, message)
  return deliveryResult(answer, answer === null ? leaveFile(worker, place, message) : null)
}

/** `answer` is null when no daemon answered and the message was left as a file. */
function deliveryResult(answer: DaemonAnswer | null, file: string | null): CommandResult {
  if (answer === null)
    return resultOf(
      { accepted: null, file, instructions: [], notes: [] },
      `No daemon is responding; saved to ${file} for later delivery.\n`,
    )
  const { accepted, instructions, notes = [], why } = answer
  const remarks = why === undefined ? notes : [...notes, why]
  const lines = [...instructions.map(({ kind, text }) => `${kind}: ${text}`), ...remarks]
  return resultOf(
    { accepted, file: null, instructions, notes: remarks },
    lines.map((line) => `${line}\n`).join(''),
  )
}
