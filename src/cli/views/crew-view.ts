import { signInText } from '../../app/upkeep/doctor.ts'
import type { CrewRow } from '../../app/workers/crew.ts'
import { formatDuration } from '../../lib/text/format-time.ts'
import { terminalLine } from '../../lib/text/terminal-text.ts'
import type { FoundAgent } from '../../ports/machine.ts'
import type { CommandResult } from '../command.ts'
import type { Style } from '../terminal/terminal.ts'
import { blockText, textTable } from './text-table.ts'

interface Screen {
  readonly style: Style
  readonly width: number
}

export function crewText(
  agents: readonly FoundAgent[],
  records: readonly CrewRow[],
  { style, width }: Screen,
): string {
  const found = agents.map(({ name, title, version, protocol, signIn, path }) => [
    name,
    `${title} ${version ?? '?'}`,
    protocol,
    signInText(signIn),
    path,
  ])
  const notes = agents.flatMap(({ name, fix, caution }) => [
    ...(fix === null ? [] : [style.yellow(terminalLine(`${name}: ${fix}`))]),
    ...(caution === null ? [] : [style.dim(terminalLine(`${name}: ${caution}`))]),
  ])
  const none = 'No coding agent is on the PATH (looked for claude, codex, opencode, gemini, qwen, goose, pi).'
  return blockText([
    found.length === 0 ? [none] : textTable(found, width),
    notes,
    records.length === 0 ? ['No worker has run yet.'] : textTable([HEADINGS, ...records.map(cells)], width),
    legend(records).map((line) => style.dim(line)),
  ])
}

/** The signs that the table uses. */
function legend(records: readonly CrewRow[]): readonly string[] {
  const all = records.map(({ usage }) => usage)
  return [
    ...(all.some(({ tokens_estimated: estimated }) => estimated > 0)
      ? ['~ estimated by Bosun, at least in part: the agent does not report all its tokens']
      : []),
    ...(all.some(({ tokens_unpriced: unpriced, usd }) => unpriced > 0 && usd !== null)
      ? ['+ some tokens have no price (set prices: in bosun.yaml)']
      : []),
  ]
}

const HEADINGS = ['agent', 'model', 'tasks', 'first pass', 'attempts', 'reviews', 'time', 'tokens', 'cost']

function cells({ agent, model, tasks, firstPass, attempts, reviews, workMs, usage }: CrewRow): string[] {
  const { passed, of } = firstPass
  const { tokens, usd } = usage
  const about = usage.tokens_estimated > 0 ? '~' : ''
  return [
    agent ?? 'unknown',
    model ?? '–',
    String(tasks),
    of === 0 ? '–' : `${Math.round((100 * passed) / of)} % of ${of}`,
    String(attempts),
    String(reviews),
    formatDuration(workMs),
    tokens === 0 ? '–' : `${about}${tokens}`,
    usd === null ? '–' : `${about}$${usd.toFixed(2)}${usage.tokens_unpriced > 0 ? '+' : ''}`,
  ]
}

export const crewDocument = (
  agents: readonly FoundAgent[],
  records: readonly CrewRow[],
): CommandResult['document'] => ({
  agents: agents.map(({ signIn, ...agent }) => ({
    ...agent,
    signed_in: { by: signIn.by, detail: signIn.detail },
  })),
  records: records.map(({ agent, model, tasks, firstPass, attempts, reviews, workMs, usage }) => ({
    agent,
    model,
    tasks,
    first_pass: firstPass,
    first_pass_rate: firstPass.of === 0 ? null : firstPass.passed / firstPass.of,
    attempts,
    reviews,
    work_ms: workMs,
    ...usage,
  })),
})
