import type { AgentRow } from '../agent-row.ts'
import { NOT_ASKED } from './shared.ts'

export const gemini: AgentRow = {
  name: 'gemini',
  title: 'Gemini CLI',
  maker: 'Google',
  programs: ['gemini'],
  version: ['--version'],
  tried: '0.61.0',
  protocol: 'acp',
  command: {
    args: ['-o', 'stream-json', '--approval-mode', 'auto_edit', '--allowed-tools', 'run_shell_command'],
    directories: '--include-directories',
    bare: {
      args: ['--extensions', 'none', '--allowed-mcp-server-names', 'bosun'],
      keeps: ['instructions', 'hooks', 'skills'],
    },
    prints: 'gemini',
    reportsCost: false,
    model: ['--model', '{model}'],
    effort: null,
    mcp: {
      kind: 'defaults_file',
      variable: 'GEMINI_CLI_SYSTEM_DEFAULTS_PATH',
      machineFile: '/etc/gemini-cli/system-defaults.json',
    },
  },
  acp: {
    start: ['--acp'],
    env: {},
    mode: 'autoEdit',
    reading: { mode: 'default', env: {}, meta: {} },
    model: ['--model', '{model}'],
    effort: null,
    authenticate: null,
    bare: {
      args: ['--extensions', 'none', '--allowed-mcp-server-names', 'bosun'],
      keeps: ['instructions', 'hooks', 'skills'],
    },
    usage: 'quota',
    reportsCost: false,
    // Its session ids are refused (0.61.0).
    continues: null,
    mcp: 'session',
  },
  smallModels: ['flash-lite', 'flash'],
  signIn: {
    checks: [
      { kind: 'variables', by: 'key', names: ['GEMINI_API_KEY', 'GOOGLE_API_KEY'] },
      {
        kind: 'variables',
        by: 'configuration',
        names: ['GOOGLE_GENAI_USE_VERTEXAI', 'GOOGLE_GENAI_USE_GCA'],
      },
      { kind: 'file', by: 'subscription', paths: ['~/.gemini/oauth_creds.json'], holds: /"refresh_token"/ },
      { kind: 'file', by: 'configuration', paths: ['~/.gemini/settings.json'], holds: /"selectedType"/ },
    ],
    fix: 'Run `gemini` and sign in, or set GEMINI_API_KEY.',
  },
  folders: ['~/.gemini'],
  caution: { command: NOT_ASKED, acp: null },
  resume: ['gemini', '--resume', '{session}'],
}
