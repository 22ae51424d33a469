/** Runs a program at the terminal of this process, for a person to use. */
import { spawn } from 'node:child_process'
import type { AttachedEnd, AttachedProgram } from './terminal.ts'

/** Ctrl-C reaches the program too, and is meant for it. */
const FOR_PROGRAM: readonly NodeJS.Signals[] = ['SIGINT', 'SIGQUIT']

export function attach({ command, cwd, env }: AttachedProgram): Promise<AttachedEnd> {
  const [program = '', ...args] = command
  const ignore = (): void => undefined
  for (const signal of FOR_PROGRAM) process.on(signal, ignore)
  return new Promise<AttachedEnd>((resolve) => {
    const child = spawn(program, args, { cwd, env: { ...env }, stdio: 'inherit' })
    child.once('error', ({ message }) => resolve({ kind: 'not_started', why: message }))
    child.once('exit', () => resolve({ kind: 'ended' }))
  }).finally(() => {
    for (const signal of FOR_PROGRAM) process.off(signal, ignore)
  })
}
