import type { AgentRow } from '../agent-row.ts'
import { NOT_ASKED, PROVIDER_KEYS } from './shared.ts'

export const opencode: AgentRow = {
  name: 'opencode',
  title: 'OpenCode',
  maker: 'Anomaly',
  programs: ['opencode'],
  version: ['--version'],
  tried: '1.18.33',
  protocol: 'acp',
  command: {
    args: ['run', '--format', 'json'],
    directories: null,
    bare: { env: { OPENCODE_PURE: '1' }, keeps: ['instructions', 'mcp', 'skills'] },
    prints: 'opencode',
    reportsCost: true,
    model: ['--model', '{model}'],
    effort: ['--variant', '{effort}'],
    mcp: { kind: 'json_variable', variable: 'OPENCODE_CONFIG_CONTENT', under: 'mcp' },
  },
  // It may ignore SIGTERM, and its commands outlive it.
  acp: {
    start: ['acp'],
    // By default it asks for nothing.
    env: { OPENCODE_PERMISSION: JSON.stringify({ bash: 'ask', webfetch: 'ask' }) },
    mode: null,
    reading: {
      mode: null,
      env: { OPENCODE_PERMISSION: JSON.stringify({ edit: 'deny', bash: 'ask', webfetch: 'deny' }) },
      meta: {},
    },
    model: 'session',
    effort: 'session',
    authenticate: null,
    bare: { env: { OPENCODE_PURE: '1' }, keeps: ['instructions', 'mcp', 'skills'] },
    usage: 'last_step',
    reportsCost: true,
    continues: 'load',
    mcp: 'session',
  },
  smallModels: [],
  signIn: {
    checks: [
      { kind: 'variables', by: 'configuration', names: ['OPENCODE_CONFIG_CONTENT', 'OPENCODE_CONFIG'] },
      {
        kind: 'file',
        by: 'subscription',
        paths: ['$XDG_DATA_HOME/opencode/auth.json', '~/.local/share/opencode/auth.json'],
        holds: /"oauth"/,
      },
      {
        kind: 'file',
        by: 'key',
        paths: ['$XDG_DATA_HOME/opencode/auth.json', '~/.local/share/opencode/auth.json'],
        holds: /"type"/,
      },
      {
        kind: 'file',
        by: 'configuration',
        paths: ['$XDG_CONFIG_HOME/opencode/opencode.json', '~/.config/opencode/opencode.json'],
        holds: /"provider"/,
      },
      { kind: 'variables', by: 'key', names: [...PROVIDER_KEYS, 'OPENCODE_API_KEY'] },
    ],
    fix: 'Run `opencode auth login`, or set the key of your provider.',
  },
  folders: ['~/.config/opencode', '~/.local/share/opencode', '~/.cache/opencode'],
  caution: { command: NOT_ASKED, acp: null },
  resume: ['opencode', '--session', '{session}'],
}
