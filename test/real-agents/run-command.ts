import { spawn } from 'node:child_process'

export interface Ended {
  readonly exit: number | NodeJS.Signals | null
  readonly output: string
}

export interface Place {
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
}

/** Runs a command with this on stdin, which ends after it. */
export function runCommand(
  [program = '', ...args]: readonly string[],
  stdin: string,
  { cwd, env }: Place,
): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, env, timeout: 120_000, killSignal: 'SIGKILL' })
    let output = ''
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
    child.once('error', reject)
    child.once('close', (code, signal) => resolve({ exit: signal ?? code, output }))
    // It may have ended by then; its output tells why.
    child.stdin.on('error', () => {})
    child.stdin.end(stdin)
  })
}
