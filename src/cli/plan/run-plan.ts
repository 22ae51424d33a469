/** `bosun run`: registers or finds a plan, then follows it until there is nothing left to wait for. */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { readPlanText } from '../../app/plans/read-plan.ts'
import { environmentHere } from '../../config/caller-environment.ts'
import type { Daemon } from '../../client/daemon.ts'
import { Refusal, refusal } from '../../lib/refusal.ts'
import { terminalLine, terminalText } from '../../lib/text/terminal-text.ts'
import type { EventMessage, PlanAnswer, RegisteredAnswer } from '../../protocol/answers.ts'
import { answerLine, equalAsOne, inboxLines, itemText } from '../inbox/inbox-view.ts'
import { agreeToPlan, isProposal } from '../inbox/agree-plan.ts'
import { resultOf, type Call, type CommandResult, type ExitName } from '../command.ts'
import { ago, textTable } from '../text.ts'
import { forecastLine } from '../status/status.ts'
import { summaryText } from './release.ts'
import { followerFor } from '../follow.ts'
import { deciderName, repoHere } from '../caller.ts'
import { planHead, taskCells, troubleLines } from '../status/status-view.ts'
import type { Style, Terminal } from '../terminal/terminal.ts'
import { counted } from '../../lib/text/counted.ts'

/** A plan to run: by default the one that the call's argument names. */
export interface PlanToRun {
  readonly path: string
  /** Its text, if already read. */
  readonly text?: string | undefined
  /** The command in whose name the lines of `--json` are printed. */
  readonly command: 'run' | 'start'
}

/** How it ended: the last line of `run` and `start`. */
export type RunResult = CommandResult<
  Pick<PlanAnswer, 'manifest' | 'commits' | 'inbox'> & {
    readonly plan: string | null
    readonly outcome: PlanAnswer['outcome'] | 'detached'
    readonly branch: string | null
  }
>

export async function runPlan(
  call: Call,
  plan: PlanToRun = { path: call.args[0] ?? '', command: 'run' },
): Promise<RunResult> {
  const interrupted = call.services.interruption()
  const daemon = await call.services.daemon()
  const begun = await agreeToPlan(call, daemon, await begin(call, daemon, plan))
  // Nothing of it moves before a person has agreed.
  if (begun.inbox.some(isProposal)) return endResult({ kind: 'ended', report: begun }, [])
  const end = await follow(call, { daemon, begun, interrupted, command: plan.command })
  const isShown = end.kind === 'ended' && !call.json
  const [row] = end.report.plans
  const below = isShown
    ? await Promise.all([forecastLine(daemon, row), releaseLines(daemon, end.report)])
    : []
  return endResult(end, below)
}

/** What a caller sees that prints no document. */
export type Shown = Pick<CommandResult, 'exit' | 'text'>

/** Starts it without following it. */
export async function startPlan(
  call: Call,
  given: Omit<PlanToRun, 'command'> = { path: call.args[0] ?? '' },
): Promise<Shown> {
  const { plans, inbox, outcome } = await begin(call, await call.services.daemon(), given)
  const [plan] = plans
  const id = plan?.id ?? 'the plan'
  return {
    exit: 'ok',
    text: (style) =>
      outcome === 'moving'
        ? `${id} is running\n`
        : [
            `${id}: ${plan?.why ?? outcome}\n`,
            ...equalAsOne(inbox).map((item) => itemText(item, style)),
          ].join('\n'),
  }
}

/** Registers a plan file, or finds the plan with that id. */
async function begin(
  call: Call,
  daemon: Daemon,
  { path, text: given }: Omit<PlanToRun, 'command'>,
): Promise<PlanAnswer> {
  const { cwd } = call.terminal
  if (given !== undefined || path === '-' || existsSync(resolve(cwd, path))) {
    const readInput = (maxBytes: number) => call.terminal.readInput(maxBytes)
    const text = await readPlanText({ path, text: given, cwd, readInput })
    const by = await deciderName(call)
    const environment = await environmentHere(cwd, call.terminal.env)
    const request = { cwd, path, text, by, design: call.option('design'), environment }
    const answer = await daemon.post('/api/plans', request)
    reportStart(call, answer)
    return answer
  }
  if (!/^[a-z0-9][a-z0-9-]{0,39}$/.test(path)) throw neither(path)
  const repo = await repoHere(call)
  return daemon.get('/api/plans/{id}', { id: path, repo }).catch((error: unknown) => {
    throw error instanceof Refusal && error.code === 'not_found' ? neither(path) : error
  })
}

function neither(path: string): Refusal {
  return refusal(
    'not_found',
    `no plan file and no plan ${path}`,
    'Check the path, which is relative to the current directory. `bosun status` lists the plans.',
  )
}

/** Summarizes an edit, one line per non-empty list. */
function editLines(changes: NonNullable<RegisteredAnswer['changes']>): string {
  const changed = changes.changed.map(({ id, fields }) => `${id} (${fields.map(asWritten).join(', ')})`)
  const isChanged = new Set(changes.changed.map(({ id }) => id))
  const rows: readonly (readonly [string, readonly string[]])[] = [
    ['changed', changed],
    ['added', changes.added],
    ['removed', changes.removed],
    ['re-run because a dependency changed', changes.affected.filter((id) => !isChanged.has(id))],
    ['reworded', changes.reworded.filter((id) => !changes.affected.includes(id))],
    ['unchanged', changes.untouched],
  ]
  const lines = rows.flatMap(([what, ids]) => (ids.length === 0 ? [] : [`  ${what}: ${ids.join(', ')}`]))
  return `${terminalText(['plan edited:', ...lines].join('\n'))}\n`
}

/** The name of a field in a plan file: `acceptance_criteria`. */
const asWritten = (field: string): string =>
  field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

function reportStart(
  call: Call,
  { how, changes, side_by_side, warnings, notices, plans }: RegisteredAnswer,
): void {
  for (const { file, line, message } of warnings)
    call.terminal.printMessage(`${file}:${line}: warning: ${message}\n`)
  for (const notice of notices) call.terminal.printMessage(`notice: ${terminalLine(notice)}\n`)
  if (changes !== null) call.terminal.printMessage(editLines(changes))
  if (how !== 'registered') call.terminal.printMessage(`attached to ${plans[0]?.id ?? 'the plan'}\n`)
  else if (side_by_side !== null)
    call.terminal.printMessage(
      `only low-tier tasks run in parallel; scheduling.parallel_tiers: [low, normal] allows up to ${side_by_side}\n`,
    )
}

interface Following {
  readonly daemon: Daemon
  readonly begun: PlanAnswer
  readonly interrupted: AbortSignal
  readonly command: PlanToRun['command']
}

/** Limits reports: each one covers every task, and events are frequent. */
const REPORT_EVERY_MS = 250

type End = { readonly kind: 'ended' | 'detached'; readonly report: PlanAnswer }

async function follow(call: Call, { daemon, begun, interrupted, command }: Following): Promise<End> {
  let report = begun
  const { id = '', repo } = report.plans[0] ?? {}
  let { version } = report
  const fresh = () => daemon.get('/api/plans/{id}', { id, repo })
  const isFinal = finalFor(call)
  const isNews = newsFor(call)
  const pace = pacer(REPORT_EVERY_MS)
  if (isFinal(report)) return { kind: 'ended', report }
  const startedAt = new Date().toISOString()
  const follower = followerFor(call, {
    command,
    block: () => liveLines(report, call, startedAt),
    isOnePlan: true,
  })
  try {
    await follower.refresh()
    const query = { after: begun.seq, plan: id, repo, notices: follower.notices }
    for await (const message of daemon.events(query, interrupted)) {
      if ((await follower.show(message)) === 'unwanted') break
      if (message.version === null) continue
      version = message.version
      // Skips events that the report already includes.
      if (version > report.version && isNews(message)) {
        await pace(interrupted)
        report = await fresh()
        await follower.refresh()
      }
      if (isFinal(report) && version >= report.version) return { kind: 'ended', report }
    }
  } finally {
    await follower.end()
  }
  call.terminal.printMessage(`detached; ${id} keeps running (attach again with: bosun run ${id})\n`)
  const isOld = call.json && interrupted.aborted && version > report.version
  // Falls back to the last report.
  return { kind: 'detached', report: isOld ? await fresh().catch(() => report) : report }
}

/** Whether to request a new report: without a live block only the final one is needed. */
function newsFor(call: Call): (message: EventMessage) => boolean {
  const isDrawn = !call.json && call.terminal.output === 'terminal'
  const isFinal = finalFor(call)
  return ({ outcome }) => isDrawn || outcome === undefined || isFinal({ outcome })
}

/** Limits how often a caller proceeds; an interruption ends the wait. */
function pacer(everyMs: number): (interrupted: AbortSignal) => Promise<void> {
  let last = -Infinity
  return async (interrupted) => {
    const waitMs = last + everyMs - performance.now()
    if (waitMs > 0) await setTimeout(waitMs, undefined, { signal: interrupted }).catch(() => undefined)
    last = performance.now()
  }
}

/** Without an interactive terminal, a plan that needs a person is at its end. */
function finalFor(call: Call): (report: Pick<PlanAnswer, 'outcome'>) => boolean {
  const isAttended = call.mayAsk && call.terminal.input === 'terminal'
  return ({ outcome }) =>
    outcome === 'released' || outcome === 'cancelled' || (!isAttended && outcome !== 'moving')
}

function liveLines(report: PlanAnswer, { terminal }: Call, startedAt: string): readonly string[] {
  const now = Date.now()
  const next = report.inbox.slice(0, 1).map((item) => `  ${answerLine(item)}`)
  const last = `  ${ago(startedAt, now)} attached; Ctrl-C detaches, the plan keeps running`
  return [...planLines(report, terminal, now), ...[...next, last].map((line) => terminal.style.dim(line))]
}

/** As many as fit above the inbox. */
const MOST_BUSY = 12

/** A running plan: its progress, the tasks in progress, and the inbox. */
export function planLines(
  report: PlanAnswer,
  { style, width }: Pick<Terminal, 'style' | 'width'>,
  now: number,
): readonly string[] {
  const [plan] = report.plans
  const busy = report.tasks.filter((task) => task.status === 'in_progress').slice(0, MOST_BUSY)
  const rows = busy.map((task) => taskCells(task, report.workers, now))
  const waiting = report.inbox.length === 0 ? [] : [style.yellow('! waiting for you')]
  return [
    '',
    ...(plan === undefined ? [] : planHead(plan, { style })),
    ...textTable(rows, width - 3).map((line) => `  ${line}`),
    ...(plan === undefined ? [] : troubleLines(plan, report.tasks, { style, now })),
    ...waiting,
    ...textTable(inboxLines(report.inbox, now), width - 1),
  ]
}

const EXITS = {
  moving: 'interrupted',
  released: 'ok',
  cancelled: 'failed',
  gate_failed: 'gate_failed',
  no_agent: 'no_agent',
  budget: 'budget',
  needs_person: 'needs_person',
} as const satisfies Record<PlanAnswer['outcome'], ExitName>

/** The summary of a release; null where there is none yet, or it cannot be had: the command is about the plan. */
async function releaseLines(
  daemon: Pick<Daemon, 'get'>,
  { outcome, plans: [plan] }: PlanAnswer,
): Promise<string | null> {
  if (outcome !== 'released' || plan === undefined) return null
  const { id, repo } = plan
  const release = await daemon.get('/api/plans/{id}/release', { id, repo }).catch(() => null)
  return release === null ? null : `\n${summaryText(release)}`
}

function endResult({ kind, report }: End, below: readonly (string | null)[]): RunResult {
  const { manifest, commits, inbox } = report
  const [plan] = report.plans
  const outcome = kind === 'detached' ? kind : report.outcome
  const document = { plan: plan?.id ?? null, outcome, branch: plan?.branch ?? null, manifest, commits, inbox }
  if (kind === 'detached') return resultOf(document, '', 'interrupted')
  const more = below.flatMap((text) => (text === null ? [] : [`${text}\n`])).join('')
  return resultOf(document, (style) => `${endText(report, style)}${more}`, EXITS[report.outcome])
}

function endText(report: PlanAnswer, style: Style): string {
  const [plan] = report.plans
  const id = plan?.id ?? 'the plan'
  const { outcome, commits, manifest, inbox } = report
  if (outcome === 'released') {
    const count = commits.length === 0 ? 'nothing to build (0 commits)' : counted(commits.length, 'commit')
    const head = style.green(
      `${id} is released on ${plan?.branch ?? 'its branch'}: ${count}, manifest ${manifest ?? ''}`,
    )
    const sign = inbox.map((item) => `It needs your sign-off: ${answerLine(item)}`)
    return `${[head, ...sign].join('\n')}\n`
  }
  if (outcome === 'cancelled') {
    const why = (plan?.why ?? '').replace(/^cancelled /, '')
    const remedy =
      'A cancelled plan cannot be resumed. To start over, give it a new id: `plan: NAME` at the top of its file.'
    return `${style.yellow(`${id} was cancelled ${why}`)}\n${remedy}\n`
  }
  const waits = plan?.state === 'paused' ? 'is paused' : WAITS[outcome]
  const resume = plan?.state === 'paused' ? [`Resume it: bosun resume ${id}`] : []
  const head = [style.yellow(`${id} ${waits}: ${plan?.why ?? ''}`), ...resume].join('\n')
  return `${[head, ...equalAsOne(inbox).map((item) => `\n${itemText(item, style)}`)].join('\n')}\n`
}

const WAITS = {
  moving: 'is running',
  gate_failed: 'failed its gates',
  no_agent: 'has no agent that can start',
  budget: 'has reached its budget',
  needs_person: 'is waiting for you',
} as const
