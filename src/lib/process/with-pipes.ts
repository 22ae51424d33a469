import type { ChildProcess, ChildProcessWithoutNullStreams } from 'node:child_process'

/**
 * The same child, once it is sure that its three pipes are there. Where this process may open no more files, Node gives a child
 * no pipes at all and says why only later; this says it at once.
 */
export function withPipes(child: ChildProcess): ChildProcessWithoutNullStreams {
  if (hasPipes(child)) return child
  // It is the same error, and was thrown already.
  child.on('error', () => undefined)
  const error: NodeJS.ErrnoException = new Error(
    `spawn ${child.spawnfile} EMFILE: too many open files (ulimit -n)`,
  )
  error.code = 'EMFILE'
  throw error
}

/** Declared as null where there is none, and undefined where it could not be made. */
const hasPipes = (child: ChildProcess): child is ChildProcessWithoutNullStreams =>
  [child.stdin, child.stdout, child.stderr].every((pipe) => pipe !== undefined && pipe !== null)
