import type { AgentRow } from '../agent-row.ts'

export const goose: AgentRow = {
  name: 'goose',
  title: 'goose',
  maker: 'AAIF',
  programs: ['goose'],
  version: ['--version'],
  tried: '1.52.0',
  protocol: 'acp',
  command: {
    args: ['run', '--no-session', '--output-format', 'stream-json', '--with-builtin', 'developer', '-i', '-'],
    directories: null,
    bare: { args: ['--no-profile'], keeps: ['instructions'] },
    prints: 'goose',
    reportsCost: false,
    model: ['--model', '{model}'],
    effort: null,
    mcp: { kind: 'command_option', option: '--with-extension' },
  },
  // Its commands outlive it.
  acp: {
    start: ['acp', '--with-builtin', 'developer'],
    env: { GOOSE_MODE: 'approve' },
    mode: null,
    reading: { mode: null, env: { GOOSE_MODE: 'approve' }, meta: {} },
    model: 'session',
    effort: 'session',
    authenticate: null,
    bare: { keeps: ['instructions', 'mcp', 'skills'] },
    usage: 'last_step',
    reportsCost: false,
    continues: 'load',
    mcp: 'session',
  },
  smallModels: [],
  signIn: {
    checks: [
      { kind: 'variables', by: 'configuration', names: ['GOOSE_PROVIDER'] },
      {
        kind: 'file',
        by: 'configuration',
        paths: ['$XDG_CONFIG_HOME/goose/config.yaml', '~/.config/goose/config.yaml'],
        holds: /^\s*(GOOSE_PROVIDER|active_provider)\s*:/m,
      },
    ],
    fix: 'Run `goose configure`, or set GOOSE_PROVIDER, GOOSE_MODEL and the key of your provider.',
  },
  folders: ['~/.config/goose', '~/.local/share/goose', '~/.local/state/goose'],
  caution: { command: null, acp: null },
  resume: ['goose', 'session', '--resume', '--session-id', '{session}'],
}
