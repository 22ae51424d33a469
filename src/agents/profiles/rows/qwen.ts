import type { AgentRow } from '../agent-row.ts'
import { NOT_ASKED } from './shared.ts'

export const qwen: AgentRow = {
  name: 'qwen',
  title: 'Qwen Code',
  maker: 'Alibaba',
  programs: ['qwen'],
  version: ['--version'],
  tried: '0.24.4',
  protocol: 'acp',
  command: {
    args: ['-o', 'stream-json', '--approval-mode', 'auto-edit', '--allowed-tools', 'run_shell_command'],
    directories: null,
    bare: {
      args: ['--extensions', 'none', '--allowed-mcp-server-names', 'bosun'],
      keeps: ['instructions', 'hooks', 'skills'],
    },
    prints: 'qwen',
    reportsCost: false,
    model: ['--model', '{model}'],
    effort: null,
    mcp: {
      kind: 'defaults_file',
      variable: 'QWEN_CODE_SYSTEM_DEFAULTS_PATH',
      machineFile: '/etc/qwen-code/system-defaults.json',
    },
  },
  acp: {
    start: ['--acp'],
    env: {},
    mode: 'default',
    reading: { mode: 'default', env: {}, meta: {} },
    model: 'session',
    effort: 'session',
    authenticate: null,
    bare: {
      args: ['--extensions', 'none', '--allowed-mcp-server-names', 'bosun'],
      keeps: ['instructions', 'hooks', 'skills'],
    },
    usage: 'steps',
    reportsCost: false,
    continues: 'load',
    // The tools of a server in its session stay hidden behind a search.
    mcp: {
      kind: 'defaults_file',
      variable: 'QWEN_CODE_SYSTEM_DEFAULTS_PATH',
      machineFile: '/etc/qwen-code/system-defaults.json',
    },
  },
  smallModels: ['flash'],
  signIn: {
    checks: [
      {
        kind: 'variables',
        by: 'key',
        names: [
          'OPENAI_API_KEY',
          'DASHSCOPE_API_KEY',
          'BAILIAN_CODING_PLAN_API_KEY',
          'BAILIAN_TOKEN_PLAN_API_KEY',
        ],
      },
      { kind: 'file', by: 'subscription', paths: ['~/.qwen/oauth_creds.json'], holds: /"refresh_token"/ },
      { kind: 'file', by: 'configuration', paths: ['~/.qwen/settings.json'], holds: /"selectedType"/ },
    ],
    fix: 'Run `qwen` and use /auth, or set OPENAI_API_KEY, OPENAI_BASE_URL and OPENAI_MODEL.',
  },
  folders: ['~/.qwen'],
  caution: { command: NOT_ASKED, acp: null },
  resume: ['qwen', '--resume', '{session}'],
}
