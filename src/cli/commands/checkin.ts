import { Refusal, usageRefusal } from '../../lib/refusal.ts'
import type { Call, CommandDefinition } from '../command.ts'

export const checkinCommand: CommandDefinition = {
  name: 'checkin',
  summary: 'for workers: report progress and receive messages',
  arguments: [
    { syntax: '<status>', help: 'starting, in_progress, blocked, completed or failed' },
    { syntax: '<percent>', help: 'from 0 to 100' },
  ],
  options: [
    { syntax: '--current-step <text>', help: 'the current step' },
    { syntax: '--next-step <text>', help: 'the next step' },
    { syntax: '--time-remaining <text>', help: 'estimated time remaining' },
    { syntax: '--token-usage <number>', help: 'tokens used so far' },
    { syntax: '--issue <text>', help: 'a problem; repeatable', repeats: true },
    { syntax: '--request <type>', help: 'a request type; repeatable', repeats: true },
    { syntax: '--metric <name=number>', help: 'for example tests_passing=4; repeatable', repeats: true },
    { syntax: '--tests-passed <number>', help: 'how many of its tests pass' },
    { syntax: '--tests-failed <number>', help: 'how many fail' },
    { syntax: '--failing-test <name>', help: 'one that fails; repeatable', repeats: true },
    { syntax: '--deliverables <text>', help: 'what was produced' },
    { syntax: '--failure-reason <text>', help: 'why it failed' },
    { syntax: '--failure-category <text>', help: 'the kind of failure' },
    { syntax: '--can-retry <yes|no>', help: 'whether another worker could succeed' },
    {
      syntax: '--tool-start <name>',
      help: 'a tool call starts; silence until its end does not count as a stall',
    },
    { syntax: '--tool-end <name>', help: 'the tool call has ended' },
  ],
  examples: [
    { line: 'bosun checkin in_progress 40 --current-step "writing tests"', what: 'report progress' },
    { line: 'bosun-checkin in_progress 40', what: 'the same inside a worker, without starting Node' },
  ],
  insideWorker: true,
  async run(call) {
    const { deliver } = await import('../deliver.ts')
    return deliver(call, 'checkin', checkinOf(call))
  },
}

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
