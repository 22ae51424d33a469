/** `bosun crew`: the agents found here and how each has done; and their adapters. */
import { Refusal, usageRefusal } from '../../lib/refusal.ts'
import type { FoundAgent, InstalledAdapter, NamedAgent } from '../../ports/machine.ts'
import { resultOf, type Call, type CommandResult } from '../command.ts'
import { adapterRemedy, brainText, isOlder, olderRemedy, signInText } from '../../app/upkeep/doctor.ts'
import { agentRow, brainAnswerOf, resultRow } from '../../app/upkeep/machine-answers.ts'
import { crewRecords, LOOKED_FOR, type CrewRow } from '../../app/workers/crew.ts'
import type { BrainDescription } from '../../core/settings/brain-description.ts'
import { formatDuration } from '../../lib/text/format-time.ts'
import { formatUsd } from '../../lib/text/format-usage.ts'
import { terminalLine } from '../../lib/text/terminal-text.ts'
import type { Style } from '../terminal/terminal.ts'
import { blockText, textTable } from '../text.ts'
import { repoHere } from '../caller.ts'
import { rolesIn } from '../../config/show-settings.ts'

export async function runCrew(call: Call): Promise<CommandResult> {
  const [action, agent] = call.args
  if (action === 'install') return install(call, agent)
  if (action !== undefined) {
    throw usageRefusal(`unknown action "${action}"`, 'Use one of: bosun crew, bosun crew install [agent]')
  }
  const rolesOf = await rolesIn((await repoHere(call)) ?? null)
  const machine = await call.services.machine()
  const [agents, settings, records, brain] = await Promise.all([
    machine.agents(),
    machine.settings(),
    recordsOf(call),
    machine.brain({ tries: false }),
  ])
  const named = settings.kind === 'valid' ? settings.agents : []
  const found = { agents, named, records, brain: brain?.description ?? null }
  const { width } = call.terminal
  return resultOf(crewDocument(found, rolesOf), (style) => crewText(found, { style, width }))
}

/** Naming an agent is consent enough; otherwise each of those found is asked about. */
async function install(call: Call, named: string | undefined): Promise<CommandResult> {
  if (named !== undefined) return installed([await fetchOne(call, named)])
  const lacking = (await (await call.services.machine()).agents()).filter(lacksAdapter)
  if (lacking.length === 0) return resultOf({ adapters: [] }, 'No agent found here lacks an adapter.\n')
  const mayAsk = !call.flag('yes')
  if (mayAsk && (!call.mayAsk || call.terminal.input !== 'terminal')) {
    throw usageRefusal(
      `not fetched without consent: ${lacking.map(specOf).join(', ')}`,
      'Add --yes, or name one: bosun crew install claude',
    )
  }
  return installed(await fetchAdapters(call, lacking, { mayAsk }))
}

const specOf = ({ adapter }: Pick<Lacking, 'adapter'>): string => `${adapter.package}@${adapter.version}`

async function fetchOne(call: Call, agent: string): Promise<InstalledAdapter> {
  call.terminal.printMessage(`fetching the adapter of ${agent} from npm …\n`)
  return call.services.installAdapter(agent)
}

const installed = (adapters: readonly InstalledAdapter[]): CommandResult =>
  resultOf({ adapters }, installText(adapters))

/** None where there is no log yet. */
async function recordsOf(call: Call) {
  try {
    await using store = await call.services.openLogToRead()
    return await crewRecords(store.log)
  } catch (error) {
    if (error instanceof Refusal && error.code === 'not_found') return []
    throw error
  }
}

interface Screen {
  readonly style: Style
  readonly width: number
}

export interface FoundCrew {
  readonly agents: readonly FoundAgent[]
  /** Those of bosun.yaml. */
  readonly named: readonly NamedAgent[]
  readonly records: readonly CrewRow[]
  /** Null where the settings are invalid. */
  readonly brain: BrainDescription | null
}

export function crewText({ agents, named, records, brain }: FoundCrew, { style, width }: Screen): string {
  const onPath = agents.map(({ name, title, version, protocol, signIn, path }) => [
    name,
    `${title} ${version ?? '?'}`,
    protocol,
    signInText(signIn),
    path,
  ])
  const own = named.map(({ name, program }) => [
    name,
    'command of bosun.yaml',
    '',
    program.ok ? '' : `cannot be run: ${program.why}`,
    program.ok ? program.file : '',
  ])
  const found = [...own, ...onPath]
  const notes = agents.flatMap((agent) => {
    const { name, fix, caution, adapter, smallModels } = agent
    return [
      ...(fix === null ? [] : [style.yellow(terminalLine(`${name}: ${fix}`))]),
      ...(isOlder(agent) ? [style.yellow(terminalLine(`${name}: ${olderRemedy(agent)}`))] : []),
      ...(adapter === null || adapter.isInstalled ? [] : [style.yellow(`${name}: ${adapterRemedy(name)}`)]),
      ...(caution === null ? [] : [style.dim(terminalLine(`${name}: ${caution}`))]),
      style.dim(
        `${name}: small work for which bosun.yaml names no model gets ${smallModelText(smallModels)}`,
      ),
    ]
  })
  const none = `No coding agent is on the PATH (looked for ${LOOKED_FOR}).`
  return blockText([
    found.length === 0 ? [none] : textTable(found, width),
    notes,
    brainLines(brain, found.length > 0),
    records.length === 0 ? ['No worker has run yet.'] : textTable([HEADINGS, ...records.map(cells)], width),
    legend(records).map((line) => style.dim(line)),
  ])
}

const smallModelText = (names: readonly string[]): string =>
  names.length === 0
    ? 'its own model, since it is not known which of its models are small'
    : `a model like ${names.join(' or ')} where it offers one`

/** Where no agent is found there is nothing to add. */
function brainLines(brain: FoundCrew['brain'], hasAgents: boolean): readonly string[] {
  if (brain === null || (brain.who === null && !hasAgents)) return []
  const text =
    brain.who === null
      ? `Nobody answers Bosun's own questions: ${brain.why}`
      : `Bosun's own questions go to ${brainText(brain)}`
  return [`${terminalLine(text)}.`]
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
  const { tokens } = usage
  const money = formatUsd(usage.usd)
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
    money === null ? '–' : `${about}${money}${usage.tokens_unpriced > 0 ? '+' : ''}`,
  ]
}

export const crewDocument = (
  { agents, named, records, brain }: FoundCrew,
  rolesOf: (agent: string) => readonly string[],
) => ({
  agents: agents.map((agent) => {
    const { signIn, adapter, tried, folders, fix } = agent
    return {
      ...agentRow(agent, rolesOf(agent.name)),
      tried,
      folders,
      adapter:
        adapter === null
          ? null
          : { package: adapter.package, version: adapter.version, installed: adapter.isInstalled },
      fix,
      signed_in: { by: signIn.by, detail: signIn.detail },
    }
  }),
  configured: named.map(({ name, program }) => ({
    name,
    path: program.ok ? program.file : null,
    problem: program.ok ? null : program.why,
  })),
  brain: brain === null ? null : brainAnswerOf(brain),
  results: records.map(resultRow),
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

type Lacking = FoundAgent & { readonly adapter: NonNullable<FoundAgent['adapter']> }

export const lacksAdapter = (agent: FoundAgent): agent is Lacking =>
  agent.adapter !== null && !agent.adapter.isInstalled

/** Fetches the adapters that the user agrees to, one after the other. */
export async function fetchAdapters(
  call: Call,
  agents: readonly Lacking[],
  { mayAsk }: { readonly mayAsk: boolean },
): Promise<readonly InstalledAdapter[]> {
  const fetched: InstalledAdapter[] = []
  for (const agent of agents) {
    if (mayAsk && !(await agrees(call, agent))) continue
    fetched.push(await fetchOne(call, agent.name))
  }
  return fetched
}

/** Only a plain yes counts. */
async function agrees(call: Call, { title, ...agent }: Lacking): Promise<boolean> {
  const dialogue = await call.terminal.converse()
  try {
    const question = `${title} talks with Bosun through ${specOf(agent)}. Fetch it from npm? [y/N] `
    const answer = await dialogue.ask(question)
    return /^y(es)?$/i.test(answer?.trim() ?? '')
  } finally {
    dialogue.close()
  }
}

function installText(adapters: readonly InstalledAdapter[]): string {
  if (adapters.length === 0) return 'Nothing was fetched; these agents run as plain commands.\n'
  return adapters
    .map(({ agent, package: name, version, folder, outcome }) => {
      const done = outcome === 'present' ? 'is installed already' : 'installed'
      return terminalLine(`${name}@${version} ${done} in ${folder}; ${agent} is driven over ACP from now on`)
    })
    .map((line) => `${line}\n`)
    .join('')
}
