import { Refusal } from '../../lib/refusal.ts'
import type { Call, CommandDefinition } from '../command.ts'

export const checkinCommand: CommandDefinition = {
  name: 'checkin',
  summary: 'for workers: say how far the work is, and hear what waits',
  arguments: [
    { syntax: '<status>', help: 'starting, in_progress, blocked, completed or failed' },
    { syntax: '<percent>', help: 'from 0 to 100' },
  ],
  options: [
    { syntax: '--current-step <text>', help: 'what is being done' },
    { syntax: '--next-step <text>', help: 'what comes then' },
    { syntax: '--time-remaining <text>', help: 'how long it may take' },
    { syntax: '--token-usage <number>', help: 'tokens used so far' },
    { syntax: '--issue <text>', help: 'what is in the way; may be said again', repeats: true },
    { syntax: '--request <type>', help: 'what is asked for; may be said again', repeats: true },
    { syntax: '--metric <name=number>', help: 'like tests_passing=4; may be said again', repeats: true },
    { syntax: '--deliverables <text>', help: 'what there is to show' },
    { syntax: '--failure-reason <text>', help: 'why it failed' },
    { syntax: '--failure-category <text>', help: 'what kind of failure it is' },
    { syntax: '--can-retry <yes|no>', help: 'whether somebody else could do it' },
    { syntax: '--tool-start <name>', help: 'a tool call begins: until it ends, silence is no stall' },
    { syntax: '--tool-end <name>', help: 'it has ended' },
  ],
  examples: [
    { line: 'bosun checkin in_progress 40 --current-step "writing tests"', what: 'say where one is' },
    { line: 'bosun-checkin in_progress 40', what: 'the same from inside a worker, without starting Node' },
  ],
  insideWorker: true,
  async run(call) {
    const [{ leaveFile, sendToDaemon, workerHere }, { saidResult }] = await Promise.all([
      import('../../client/worker-call.ts'),
      import('../views/worker-messages.ts'),
    ])
    const worker = workerHere(call.terminal.env)
    const said = checkinOf(call)
    const told = await sendToDaemon<Parameters<typeof saidResult>[0]>(worker, 'checkins', said)
    const file = told === null ? leaveFile(worker, { folder: 'worker-checkins', prefix: '' }, said) : null
    return saidResult(told, file)
  },
}

/** As it goes over the wire; whoever hears it checks it. */
function checkinOf(call: Call): Record<string, unknown> {
  const [status = '', percent = ''] = call.args
  const reason = call.option('failure-reason')
  const details = { category: call.option('failure-category'), can_retry: canRetry(call) }
  if (reason === undefined && Object.values(details).some((value) => value !== undefined))
    throw usage('--failure-category and --can-retry need --failure-reason')
  const metrics = call.all('metric').map(metricIn)
  const issues = call.all('issue')
  const requests = call.all('request')
  const said = {
    status,
    progress_pct: numberIn('the percentage', percent),
    current_step: call.option('current-step'),
    next_step: call.option('next-step'),
    time_remaining_estimate: call.option('time-remaining'),
    token_usage: optionalNumber(call, 'token-usage'),
    issues: issues.length === 0 ? undefined : issues,
    requests: requests.length === 0 ? undefined : requests,
    metrics: metrics.length === 0 ? undefined : Object.fromEntries(metrics),
    deliverables: call.option('deliverables'),
    failure: reason === undefined ? undefined : { reason, ...details },
    tool_start: call.option('tool-start'),
    tool_end: call.option('tool-end'),
  }
  return said
}

function canRetry(call: Call): boolean | undefined {
  const said = call.option('can-retry')
  if (said === undefined || said === 'yes' || said === 'no') return said === undefined ? said : said === 'yes'
  throw usage('--can-retry is yes or no')
}

function metricIn(said: string): [string, number] {
  const at = said.indexOf('=')
  if (at < 1) throw usage('--metric is NAME=NUMBER')
  return [said.slice(0, at), numberIn('--metric', said.slice(at + 1))]
}

function optionalNumber(call: Call, name: string): number | undefined {
  const said = call.option(name)
  return said === undefined ? undefined : numberIn(`--${name}`, said)
}

function numberIn(what: string, said: string): number {
  const number = said.trim() === '' ? Number.NaN : Number(said)
  if (Number.isFinite(number)) return number
  throw usage(`${what} is a number`)
}

const usage = (message: string): Refusal =>
  new Refusal({ code: 'usage', message, remedy: 'Run: bosun checkin --help' })
