import { Refusal, usageRefusal } from '../../lib/refusal.ts'
import type { FoundAgent, InstalledAdapter } from '../../ports/machine.ts'
import type { Call, CommandDefinition, CommandResult } from '../command.ts'

export const crewCommand: CommandDefinition = {
  name: 'crew',
  summary: 'show the coding agents found here and how each has done, or fetch an adapter',
  arguments: [
    { syntax: '[action]', help: 'install: fetch the adapter that lets Bosun talk with an agent' },
    { syntax: '[agent]', help: 'with install: claude, codex or pi (default: those found here)' },
  ],
  options: [{ syntax: '--yes', help: 'with install: fetch without asking' }],
  examples: [
    { line: 'bosun crew', what: 'version, path and sign-in of each; tasks, first-pass rate, time and cost' },
    { line: 'bosun crew --json', what: 'the same as JSON' },
    { line: 'bosun crew install claude', what: 'fetch its adapter from npm into the state folder' },
  ],
  insideWorker: ([action]) => action === undefined,
  async run(call) {
    const [action, agent] = call.args
    if (action === 'install') return install(call, agent)
    if (action !== undefined) {
      throw usageRefusal(`unknown action "${action}"`, 'Use one of: bosun crew, bosun crew install [agent]')
    }
    const [{ crewDocument, crewText }, { rolesIn }, { repoHere }] = await Promise.all([
      import('../views/crew-view.ts'),
      import('../../config/show-settings.ts'),
      import('../caller.ts'),
    ])
    const rolesOf = await rolesIn((await repoHere(call)) ?? null)
    const machine = await call.services.machine()
    const [agents, records, brain] = await Promise.all([
      machine.agents(),
      recordsOf(call),
      machine.brain({ tries: false }),
    ])
    const found = { agents, records, brain: brain?.description ?? null }
    return {
      exit: 'ok',
      document: crewDocument(found, rolesOf),
      text: (style) => crewText(found, { style, width: call.terminal.width }),
    }
  },
}

const foundAgents = async (call: Call) => (await call.services.machine()).agents()

/** Naming an agent is consent enough; otherwise each of those found is asked about. */
async function install(call: Call, agent: string | undefined): Promise<CommandResult> {
  const { fetchAdapters, installText, lacksAdapter } = await import('../views/crew-view.ts')
  if (agent !== undefined) return installed([await fetchOne(call, agent)], installText)
  const lacking = (await foundAgents(call)).filter(lacksAdapter)
  if (lacking.length === 0) {
    return {
      exit: 'ok',
      document: { adapters: [] },
      text: () => 'No agent found here lacks an adapter.\n',
    }
  }
  if (!call.flag('yes') && (!call.mayAsk || call.terminal.input !== 'terminal')) {
    throw usageRefusal(
      `not fetched without consent: ${lacking.map(specOf).join(', ')}`,
      'Add --yes, or name one: bosun crew install claude',
    )
  }
  return installed(await fetchAdapters(call, lacking, { mayAsk: !call.flag('yes') }), installText)
}

const specOf = ({ adapter }: FoundAgent): string =>
  adapter === null ? '' : `${adapter.package}@${adapter.version}`

async function fetchOne(call: Call, agent: string): Promise<InstalledAdapter> {
  call.terminal.printMessage(`fetching the adapter of ${agent} from npm …\n`)
  return call.services.installAdapter(agent)
}

const installed = (
  adapters: readonly InstalledAdapter[],
  text: (adapters: readonly InstalledAdapter[]) => string,
): CommandResult => ({ exit: 'ok', document: { adapters }, text: () => text(adapters) })

/** None where there is no log yet. */
async function recordsOf(call: Call) {
  const { crewRecords } = await import('../../app/workers/crew.ts')
  try {
    await using store = await call.services.openLogToRead()
    return await crewRecords(store.log)
  } catch (error) {
    if (error instanceof Refusal && error.code === 'not_found') return []
    throw error
  }
}
