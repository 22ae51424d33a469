/** What the page and `--json` show of this machine: the crew and the checks of `bosun doctor`. */
import { homedir } from 'node:os'
import { brainText, type BrainDescription } from '../../core/settings/brain-description.ts'
import { refusal } from '../../lib/refusal.ts'
import type { FoundAgent, Machine } from '../../ports/machine.ts'
import type { BrainAnswer, CrewPageAnswer, DoctorPageAnswer } from '../../protocol/machine-answer.ts'
import type { HostToRead } from '../host/host-to-read.ts'
import { crewRecords, type CrewRow } from '../workers/crew.ts'
import { adapterRemedy, examine, isOlder, olderRemedy, signInText, type Check } from './doctor.ts'

/** Looking for agents starts each of them. */
const KEPT_MS = 15_000

const found = new WeakMap<
  HostToRead,
  { readonly at: number; readonly agents: ReturnType<Machine['agents']> }
>()

/** `rolesOf` names the roles of an agent. */
export async function crewPage(
  host: HostToRead,
  rolesOf: (agent: string) => readonly string[],
): Promise<CrewPageAnswer> {
  const [agents, records] = await Promise.all([agentsOf(host), crewRecords(host.parts.log)])
  return {
    agents: agents.map((agent) => agentRow(agent, rolesOf(agent.name))),
    results: records.map(resultRow),
  }
}

export function agentRow(agent: FoundAgent, roles: readonly string[]): CrewPageAnswer['agents'][number] {
  const { name, title, path, version, signIn, protocol, caution, smallModels: small_models } = agent
  const sign_in = { by: signIn.by, text: signInText(signIn) }
  return {
    name,
    title,
    path,
    version,
    sign_in,
    protocol,
    roles,
    remedy: remedyOf(agent),
    caution,
    small_models,
  }
}

export function brainAnswerOf(description: BrainDescription): BrainAnswer {
  const text = brainText(description)
  if (description.who === null) return { who: null, why: description.why, text }
  const { who, models, cost, usualTime } = description
  return { who, models, cost, usual_time: usualTime, text }
}

export function resultRow(record: CrewRow): CrewPageAnswer['results'][number] {
  const { agent, model, tasks, firstPass, attempts, reviews, workMs, usage } = record
  return {
    agent,
    model,
    tasks,
    first_pass_rate: firstPass.of === 0 ? null : firstPass.passed / firstPass.of,
    first_pass_of: firstPass.of,
    attempts,
    reviews,
    work_ms: workMs,
    usage,
  }
}

/** The checks that run none of the repository's commands. */
export async function doctorPage(host: HostToRead, folder: string | undefined): Promise<DoctorPageAnswer> {
  return doctorFindings(await examine(await machineIn(host, folder ?? homedir())))
}

export function doctorFindings(checks: readonly Check[]): DoctorPageAnswer {
  return {
    ok: checks.every(({ status }) => status !== 'problem'),
    findings: checks.map(({ id, status, message, remedy }) => ({
      what: id,
      state: status,
      text: message,
      remedy: remedy === '' ? null : remedy,
    })),
  }
}

function agentsOf(host: HostToRead): ReturnType<Machine['agents']> {
  const now = host.parts.clock.now()
  const known = found.get(host)
  if (known !== undefined && Math.abs(now - known.at) < KEPT_MS) return known.agents
  const agents = machineIn(host, homedir()).then((machine) => machine.agents())
  found.set(host, { at: now, agents })
  // A look that failed is not kept, nor one that found none: it started none, and the person may have installed one since.
  agents.then(
    (all) => all.length === 0 && found.delete(host),
    () => found.delete(host),
  )
  return agents
}

function remedyOf(agent: FoundAgent): string | null {
  if (agent.fix !== null) return agent.fix
  if (isOlder(agent)) return olderRemedy(agent)
  return agent.adapter !== null && !agent.adapter.isInstalled ? adapterRemedy(agent.name) : null
}

async function machineIn(host: HostToRead, folder: string): Promise<Machine> {
  const { machineIn: open } = host.parts
  if (open === undefined)
    throw refusal('failed', 'this daemon cannot examine its machine', 'Run `bosun doctor` in a terminal.')
  return open(folder)
}
