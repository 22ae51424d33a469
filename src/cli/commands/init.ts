import { Refusal, usageRefusal } from '../../lib/refusal.ts'
import type { TrialEnvironment } from '../../ports/command-trial.ts'
import type { FoundAgent } from '../../ports/machine.ts'
import type { Call, CommandDefinition, CommandResult } from '../command.ts'
import type { Tried } from '../views/tried-commands.ts'

export const initCommand: CommandDefinition = {
  name: 'init',
  summary: 'write a bosun.yaml with the commands detected in this repository',
  options: [
    { syntax: '--quick', help: 'do not run the detected commands' },
    { syntax: '--yes', help: 'fetch the adapters of the agents found, without asking' },
    { syntax: '--skill', help: 'instead, write the skill /pm-agent for your coding agents' },
  ],
  // The checkout must be removed first.
  detaches: true,
  examples: [
    { line: 'bosun init', what: 'detect set-up, test, lint and build commands; never overwrites a file' },
    { line: 'bosun init --quick', what: 'the same without running them' },
    { line: 'bosun init --json', what: 'print the detected commands as JSON' },
    {
      line: 'bosun init --skill',
      what: 'let Claude Code, Codex, OpenCode and Gemini CLI hand a plan to Bosun; never overwrites a file',
    },
  ],
  async run(call) {
    const { cwd, env } = call.terminal
    const [
      { detectedCommands, initSettings, requireNoSettings },
      { repositoryListing },
      { findWorkTree },
      { initText },
    ] = await Promise.all([
      import('../../app/upkeep/init-settings.ts'),
      import('../../config/repository-listing.ts'),
      import('../../config/repository.ts'),
      import('../views/init-view.ts'),
    ])
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
      return {
        exit: 'interrupted',
        document: { file: null, tried },
        text: () => 'Interrupted; no bosun.yaml was written.\n',
      }
    const { text: written, ...done } = await initSettings({ root, listing, agents, tried })
    return {
      exit: 'ok',
      document: done,
      text: (style) => initText({ ...done, text: written }, style),
    }
  },
}

/** Fetches the adapters that the user agrees to. Without a terminal it asks for nothing and fetches nothing. */
async function withAdapters(call: Call, agents: readonly FoundAgent[]): Promise<readonly FoundAgent[]> {
  const { fetchAdapters, lacksAdapter } = await import('../views/crew-view.ts')
  const isAgreed = call.flag('yes')
  const mayAsk = call.mayAsk && !call.json && call.terminal.input === 'terminal'
  const lacking = agents.filter((agent) => agent.fix === null).filter(lacksAdapter)
  if (lacking.length === 0 || (!isAgreed && !mayAsk)) return agents
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
  const { initSkill } = await import('../../app/upkeep/init-skill.ts')
  const { skillText } = await import('../views/init-view.ts')
  const files = await initSkill(root)
  const isWhole = files.every(({ outcome }) => outcome !== 'conflict')
  return {
    exit: isWhole ? 'ok' : 'conflict',
    document: { files },
    text: (style) => skillText(files, style),
  }
}

/** Skips them where the repository cannot be used, for example without a commit. */
async function triedCommands(call: Call, root: string, commands: TrialEnvironment): Promise<Tried> {
  const { NOT_TRIED, tryHere } = await import('../views/tried-commands.ts')
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
