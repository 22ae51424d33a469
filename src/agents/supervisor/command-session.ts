import type { AgentSession, SessionParts } from './session.ts'

/** A plain command: it reads its brief on stdin, what it prints is kept, and its exit is its end. */
export function commandSession({ started, output }: SessionParts): AgentSession {
  const { child, exited } = started
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => output.add(chunk))
  }
  return {
    over: exited,
    receive: () => undefined,
    leave: async () => false,
    lastOutput: () => output.lastOutput(),
    usage: () => null,
  }
}
