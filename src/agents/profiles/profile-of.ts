import type { AgentProfile } from '../agent-table.ts'
import type { AgentRow } from './agent-row.ts'

/** How Bosun runs an agent of the table: by the protocol of its row, else as a command. */
export function profileOf({
  name,
  programs: [program = name],
  protocol,
  command,
  acp,
}: AgentRow): AgentProfile {
  if (protocol === 'command' || 'package' in acp.start)
    return {
      protocol: 'command',
      command: [program, ...command.args],
      directories: command.directories,
      prints: command.prints,
      reportsCost: command.reportsCost,
    }
  const { start, env, mode, authenticate, usage, continues } = acp
  return {
    protocol: 'acp',
    command: [program, ...start],
    env,
    reportsCost: acp.reportsCost,
    acp: { mode, authenticate, usage, continues: continues ?? 'load' },
  }
}
