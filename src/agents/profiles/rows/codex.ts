import type { AgentRow } from '../agent-row.ts'

export const codex: AgentRow = {
  name: 'codex',
  title: 'Codex',
  maker: 'OpenAI',
  programs: ['codex'],
  version: ['--version'],
  tried: '0.166.0',
  protocol: 'acp',
  command: {
    args: ['exec', '--json', '--skip-git-repo-check', '--sandbox', 'workspace-write', '-'],
    directories: '--add-dir',
    bare: { args: ['--disable', 'hooks'], keeps: ['instructions', 'mcp', 'skills'] },
    prints: 'codex',
    reportsCost: false,
    model: ['--model', '{model}'],
    effort: ['-c', 'model_reasoning_effort="{effort}"'],
    mcp: { kind: 'toml_option', option: '-c' },
  },
  // A cancelled turn leaves its shell command running.
  acp: {
    start: {
      package: '@agentclientprotocol/codex-acp',
      version: '2.6.0',
      integrity:
        'sha512-/PBsd0H6URy4bhXhAeXqwb7RqctbXfNceRihAh6nDmn5HJ873uzoHvHxF45YmeWfgOKKRrNRLZjYsket2a7EsQ==',
      entry: 'dist/index.js',
      programIn: 'CODEX_PATH',
    },
    // In its default mode a reviewing model answers its questions, not the client.
    env: { INITIAL_AGENT_MODE: 'workspace-write', NO_BROWSER: '1' },
    mode: null,
    reading: { mode: null, env: { INITIAL_AGENT_MODE: 'read-only' }, meta: {} },
    model: 'session',
    effort: 'session',
    authenticate: null,
    bare: { keeps: ['instructions', 'mcp', 'hooks', 'skills'] },
    usage: 'sum',
    reportsCost: false,
    continues: 'load',
    // Only a server in its configuration is not hidden behind a search.
    mcp: { kind: 'json_variable', variable: 'CODEX_CONFIG', under: 'mcp_servers' },
  },
  smallModels: ['mini'],
  signIn: {
    checks: [
      { kind: 'variables', by: 'key', names: ['CODEX_API_KEY'] },
      {
        kind: 'file',
        by: 'configuration',
        paths: ['$CODEX_HOME/config.toml', '~/.codex/config.toml'],
        holds: /^\s*model_provider\s*=/m,
      },
      { kind: 'program', args: ['login', 'status'], reads: 'codex_login_status' },
    ],
    fix: 'Run `codex login`, or set CODEX_API_KEY.',
  },
  folders: ['~/.codex'],
  caution: { command: null, acp: null },
  resume: ['codex', 'resume', '{session}'],
}
