/** Turns the sandbox of an agent off where it cannot start within the walls around it. */
import type { Environment } from '../lib/process/built-environment.ts'
import { rowsOf, type AgentCommand } from './agent-state.ts'

export interface Run {
  readonly command: readonly string[]
  readonly env: Environment
}

/** `nests`: whether the walls let a process make walls of its own. */
export function withoutOwnSandbox(agent: AgentCommand, run: Run, nests: boolean): Run {
  const off = rowsOf(agent).flatMap(({ ownSandbox }) =>
    ownSandbox === undefined || (ownSandbox.nests && nests) ? [] : [ownSandbox.off],
  )
  const words = new Map(off.flatMap((one) => Object.entries(one.words ?? {})))
  return {
    command: run.command.map((word) => words.get(word) ?? word),
    env: Object.assign({}, run.env, ...off.map((one) => one.env)),
  }
}
