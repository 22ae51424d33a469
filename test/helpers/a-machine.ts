/** A machine on which everything is in order, with one agent. */
import type { FoundAgent, Machine } from '../../src/ports/machine.ts'

export const CLAUDE: FoundAgent = {
  name: 'claude',
  title: 'Claude Code',
  path: '/bin/claude',
  version: '2.1.325',
  tried: '2.1.0',
  folders: ['~/.claude'],
  signIn: { by: 'key', detail: 'ANTHROPIC_API_KEY' },
  protocol: 'command',
  adapter: null,
  fix: null,
  caution: null,
  smallModels: [],
}

export const aMachine = (fields: Partial<Machine> = {}): Machine => ({
  nodeVersion: '24.15.0',
  sqliteVersion: '3.53.4',
  gitVersion: () => Promise.resolve('2.50.0'),
  stateRoot: () =>
    Promise.resolve({
      kind: 'usable',
      path: '/state',
      lock: { kind: 'held', pid: 7 },
      token: { path: '/state/token', state: 'ok' },
      database: [],
      workers: [],
    }),
  daemon: () => Promise.resolve({ kind: 'serving', pid: 7 }),
  repository: () => Promise.resolve({ kind: 'none' }),
  settings: () => Promise.resolve({ kind: 'absent' }),
  startRefusals: () => Promise.resolve([]),
  agents: () => Promise.resolve([CLAUDE]),
  brain: () => Promise.resolve(null),
  notices: () => Promise.resolve(null),
  sandbox: () => Promise.resolve({ kind: 'contain', nests: true }),
  ...fields,
})
