/** Runs an agent for a moment, in an empty folder that is removed again. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Environment } from '../../lib/process/built-environment.ts'
import { detectContainment } from '../../lib/process/containment.ts'
import { endTree } from '../../lib/process/process-tree.ts'
import { spawnContained, type Spawned } from '../../lib/process/spawn-contained.ts'

export interface AgentCommand {
  /** The first word is an absolute path. */
  readonly command: readonly string[]
  readonly env: Environment
}

const GRACE_MS = 2000

/** Null where the agent cannot be started. It has ended when this settles. */
export async function withAgent<T>(
  { command, env }: AgentCommand,
  use: (agent: Spawned, folder: string) => Promise<T>,
): Promise<T | null> {
  const folder = await mkdtemp(join(tmpdir(), 'bosun-ask-'))
  try {
    const containment = await detectContainment()
    const started = await spawnContained({ command, cwd: folder, env, stdin: null, containment })
    if (!started.ok) return null
    try {
      return await use(started, folder)
    } finally {
      await endTree(started.tree, GRACE_MS)
    }
  } finally {
    // The agent may still write while it ends.
    await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
  }
}
