/** What a daemon of this machine drives plans and interviews with. */
import { join } from 'node:path'
import { AgentSessions } from '../agents/asking/agent-sessions.ts'
import { AgentFinder } from '../agents/profiles/find-agents.ts'
import { parseDryRun } from '../config/read-dry-run.ts'
import { DRY_RUN_FILE } from '../core/dry-run/dry-run.ts'
import { readIfExists } from '../lib/files/read-if-exists.ts'
import { builtEnvironment } from '../lib/process/built-environment.ts'
import { ChildParser } from '../parsing/child-parser.ts'
import type { Composition } from './compose.ts'
import { openInterviews } from './crew/interviews.ts'
import { dryRunWorlds } from './dry-run-world.ts'
import { machineWorlds } from './machine-worlds.ts'

/** `self` is the command that runs this program again. */
export async function daemonWorlds(
  self: readonly string[],
  { root, url, onError, hide }: Parameters<Composition['worlds']>[0],
): ReturnType<Composition['worlds']> {
  const file = join(root, DRY_RUN_FILE)
  const script = readIfExists(file)
  const machine = {
    root,
    url,
    env: process.env,
    supervise: [...self, 'supervise'],
    scripted: [...self, 'scripted-agent'],
    parser: new ChildParser({ command: [...self, 'parse'], env: builtEnvironment(process.env) }),
    finder: new AgentFinder({ root, node: process.execPath }),
    sessions: script === null ? new AgentSessions() : null,
    onError,
    hide,
  }
  const worlds = script === null ? machineWorlds(machine) : dryRunWorlds(machine, parseDryRun(script, file))
  return {
    ...worlds,
    async detach() {
      await worlds.detach()
      await machine.parser.close()
    },
    openInterviews: (host) => openInterviews(machine, host),
  }
}
