/** The worlds of this machine, loaded when a command first needs them. */
import { join } from 'node:path'
import type { HostParts } from '../app/host/host.ts'
import type { Worlds } from '../app/host/plan-place.ts'
import type { Machine } from './plan-world.ts'
import type { start } from './start.ts'

type StartOptions = Parameters<typeof start>[0]
type MachineWorlds = Worlds & { readonly openInterviews: NonNullable<HostParts['openInterviews']> }

/** `self` is the command that runs this program again. */
export function thisMachine(self: readonly string[]): Pick<StartOptions, 'worlds' | 'sights'> {
  return {
    worlds: async (place) => whenNeeded(() => worldsOf(self, place)),
    sights: async (place) => (await import('./machine-sight.ts')).machineSights(place),
  }
}

/** A daemon without plans loads nothing of what delivers them: it may wait for days. */
function whenNeeded(open: () => Promise<MachineWorlds>): MachineWorlds {
  let opened: Promise<MachineWorlds> | null = null
  const worlds = (): Promise<MachineWorlds> => {
    opened ??= open().catch((error: unknown) => {
      opened = null
      throw error
    })
    return opened
  }
  return {
    worldFor: async (place) => (await worlds()).worldFor(place),
    caretakerOf: async (repository) => (await worlds()).caretakerOf(repository),
    diffsOf: async (repository) => (await (await worlds()).diffsOf?.(repository)) ?? null,
    brainFor: async (place) => {
      const { brainFor } = await worlds()
      if (brainFor === undefined) throw new Error('these worlds have no brain')
      return brainFor(place)
    },
    requireAgent: async (place) => (await worlds()).requireAgent?.(place),
    stopOrphans: async (orphans) => (await worlds()).stopOrphans(orphans),
    detach: async () => (await opened)?.detach(),
    openInterviews: async (host) => (await worlds()).openInterviews(host),
  }
}

async function worldsOf(
  self: readonly string[],
  place: Parameters<StartOptions['worlds']>[0],
): Promise<MachineWorlds> {
  const { root, url, onError } = place
  const [
    { machineWorlds },
    { AgentFinder },
    { ChildParser },
    { builtEnvironment },
    { readIfExists },
    { DRY_RUN_FILE },
    { AgentSessions },
  ] = await Promise.all([
    import('./machine-worlds.ts'),
    import('../agents/profiles/find-agents.ts'),
    import('../parsing/child-parser.ts'),
    import('../lib/process/built-environment.ts'),
    import('../lib/files/read-if-exists.ts'),
    import('../core/dry-run/dry-run.ts'),
    import('../agents/asking/agent-sessions.ts'),
  ])
  const parser = new ChildParser({ command: [...self, 'parse'], env: builtEnvironment(process.env) })
  const dryRun = readIfExists(join(root, DRY_RUN_FILE))
  const machine = {
    root,
    url,
    env: process.env,
    supervise: [...self, 'supervise'],
    scripted: [...self, 'scripted-agent'],
    parser,
    finder: new AgentFinder({ root, node: process.execPath }),
    sessions: dryRun === null ? new AgentSessions() : null,
    onError,
  }
  const worlds = dryRun === null ? machineWorlds(machine) : await dryRunOf(machine, dryRun)
  const detach = async (): Promise<void> => {
    await worlds.detach()
    await parser.close()
  }
  return {
    ...worlds,
    detach,
    openInterviews: async (host) => (await import('./crew/interviews.ts')).openInterviews(machine, host),
  }
}

async function dryRunOf(machine: Machine, text: string): Promise<Worlds> {
  const [{ dryRunWorlds }, { parseDryRun }, { DRY_RUN_FILE }] = await Promise.all([
    import('./dry-run-world.ts'),
    import('../config/read-dry-run.ts'),
    import('../core/dry-run/dry-run.ts'),
  ])
  return dryRunWorlds(machine, parseDryRun(text, join(machine.root, DRY_RUN_FILE)))
}
