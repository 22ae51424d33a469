/** Watches an agent from outside: what it prints, the processor time of its tree, the files it changes. */
import { treeCpuMs, type ProcessTree } from '../../lib/process/process-tree.ts'
import { hasChangedSince } from './changed-files.ts'

export interface LifeSign {
  readonly of: readonly ('output' | 'cpu' | 'files')[]
  readonly outputBytes: number
  readonly cpuMs: number
}

export interface Observation {
  readonly tree: ProcessTree
  readonly workspace: string
  readonly outputBytes: () => number
  readonly onSign: (sign: LifeSign) => void
}

const LOOK_MS = 2000
/** A silent agent is looked at more closely, but less often. */
const LOOKS_PER_CLOSE_LOOK = 3
/** An idle program wakes now and then; that is not work. */
const WORK_MS = 100

/** At most one sign per look. Ends when the returned function is called. */
export function observe(observation: Observation): () => void {
  let seen = { outputBytes: observation.outputBytes(), cpuMs: treeCpuMs(observation.tree), at: Date.now() }
  let looks = 0
  const timer = setInterval(() => {
    const outputBytes = observation.outputBytes()
    if (outputBytes !== seen.outputBytes) {
      seen = { ...seen, outputBytes, at: Date.now() }
      observation.onSign({ of: ['output'], outputBytes, cpuMs: seen.cpuMs })
      return
    }
    if (++looks % LOOKS_PER_CLOSE_LOOK !== 0) return
    const sign = lookClosely(observation, seen)
    seen = { outputBytes, cpuMs: sign.cpuMs, at: Date.now() }
    if (sign.of.length > 0) observation.onSign(sign)
  }, LOOK_MS)
  return () => clearInterval(timer)
}

function lookClosely(
  { tree, workspace }: Observation,
  seen: { readonly outputBytes: number; readonly cpuMs: number; readonly at: number },
): LifeSign {
  const cpuMs = treeCpuMs(tree)
  const of: LifeSign['of'][number][] = []
  // Less than before: something that worked has ended, which is a change as well.
  if (Math.abs(cpuMs - seen.cpuMs) >= WORK_MS) of.push('cpu')
  if (of.length === 0 && hasChangedSince(workspace, seen.at)) of.push('files')
  return { of, outputBytes: seen.outputBytes, cpuMs }
}
