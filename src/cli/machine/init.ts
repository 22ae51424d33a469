/** `bosun init`: writes a bosun.yaml from what was detected, or the skill for coding agents. */
import { Refusal, usageRefusal } from '../../lib/refusal.ts'
import type { TrialEnvironment } from '../../ports/command-trial.ts'
import type { FoundAgent } from '../../ports/machine.ts'
import { resultOf, isAttended, type Call, type CommandResult } from '../command.ts'
import { NOT_TRIED, tryHere, type Tried } from './doctor.ts'
import {
  detectedCommands,
  initSettings,
  requireNoSettings,
  type Initialized,
} from '../../app/upkeep/init-settings.ts'
import { initSkill, type WrittenSkill } from '../../app/upkeep/init-skill.ts'
import { terminalLine, terminalText } from '../../lib/text/terminal-text.ts'
import type { Style } from '../terminal/terminal.ts'
import { fetchAdapters, lacksAdapter } from './crew.ts'
import { repositoryListing } from '../../config/repository-listing.ts'
import { findWorkTree } from '../../config/repository.ts'

export async function runInit(call: Call): Promise<CommandResult> {
  const { cwd, env } = call.terminal
  const root = await findWorkTree(cwd)
  if (root === null) {
    throw usageRefusal('not in a git repository', 'Change to the repository, or create one: git init')
  }
  if (call.flag('skill')) return writeSkill(root)
  requireNoSettings(root)
  const agents = await withAdapters(call, await (await call.services.machine()).agents())
  const listing = await repositoryListing(root, env)
  const { tried, isCut } = await triedCommands(call, root, detectedCommands(listing))
  if (isCut)
    return resultOf({ file: null, tried }, 'Interrupted; no bosun.yaml was written.\n', 'interrupted')
  const { text: written, ...done } = await initSettings({ root, listing, agents, tried })
  return resultOf(done, (style) => initText({ ...done, text: written }, style))
}

/** Fetches the adapters that the user agrees to. Without a terminal it asks for nothing and fetches nothing. */
async function withAdapters(call: Call, agents: readonly FoundAgent[]): Promise<readonly FoundAgent[]> {
  const isAgreed = call.flag('yes')
  const lacking = agents.filter((agent) => agent.fix === null).filter(lacksAdapter)
  if (lacking.length === 0 || (!isAgreed && !isAttended(call))) return agents
  try {
    const fetched = await fetchAdapters(call, lacking, { mayAsk: !isAgreed })
    const isFetched = ({ name }: FoundAgent): boolean => fetched.some(({ agent }) => agent === name)
    return agents.map((agent) => (isFetched(agent) ? adapted(agent) : agent))
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    call.terminal.printMessage(`${error.message}\n${error.remedy}\n`)
    return agents
  }
}

const adapted = (agent: FoundAgent): FoundAgent => ({
  ...agent,
  protocol: 'acp',
  adapter: agent.adapter === null ? null : { ...agent.adapter, isInstalled: true },
})

async function writeSkill(root: string): Promise<CommandResult> {
  const files = await initSkill(root)
  const isWhole = files.every(({ outcome }) => outcome !== 'conflict')
  return resultOf({ files }, (style) => skillText(files, style), isWhole ? 'ok' : 'conflict')
}

/** Skips them where the repository cannot be used, for example without a commit. */
async function triedCommands(call: Call, root: string, commands: TrialEnvironment): Promise<Tried> {
  const isAny = Object.values(commands).some((command) => command !== null)
  if (call.flag('quick') || !isAny) return NOT_TRIED
  try {
    return await tryHere(call, commands, { isDetected: true })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    call.terminal.printMessage(`did not run the commands in ${root}: ${error.message}\n`)
    return NOT_TRIED
  }
}

/** The written settings, and how to change them. */
function initText({ file, text, warnings, agents }: Initialized, style: Style): string {
  const missing = warnings.map((warning) => style.yellow(terminalLine(warning)))
  return [
    `wrote ${terminalLine(file)}:`,
    '',
    ...terminalText(text)
      .trimEnd()
      .split('\n')
      .map((line) => style.dim(`  ${line}`)),
    '',
    ...missing,
    agentLine(agents),
    'Edit it as needed; `bosun doctor` validates it. Commit it to share it.',
    '',
  ].join('\n')
}

function agentLine(agents: Initialized['agents']): string {
  const ready = agents.find(({ fix }) => fix === null) ?? agents[0]
  if (ready === undefined)
    return 'No coding agent is on the PATH: install one, or configure a command under `agents`; until then nothing can be started.'
  const { name, title, fix, adapter } = ready
  const lacks = adapter !== null && !adapter.isInstalled
  const tip = lacks ? ` To talk with it while it works: bosun crew install ${name}` : ''
  return terminalLine(
    `${title} (${name}) does the work${fix === null ? '.' : `, and is not signed in. ${fix}`}${tip}`,
  )
}

/** One line a file, and how to use them. */
function skillText(files: readonly WrittenSkill[], style: Style): string {
  return [
    ...files.map((file) => fileLine(file, style)),
    '',
    'Commit them to share them. The skill hands a plan to Bosun; it needs `bosun` on the PATH.',
    '',
  ].join('\n')
}

function fileLine({ agent, path, call, outcome, why }: WrittenSkill, style: Style): string {
  const use = terminalLine(`${agent}: ${call}`)
  switch (outcome) {
    case 'written':
      return `wrote ${path} (${use})`
    case 'unchanged':
      return `${path} is up to date (${use})`
    case 'conflict':
      return style.yellow(
        `did not write ${path}: ${why ?? ''}; move it away and run \`bosun init --skill\` again`,
      )
  }
}
