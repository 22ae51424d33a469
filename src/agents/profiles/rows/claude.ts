import type { AgentRow } from '../agent-row.ts'
import { NOT_ASKED } from './shared.ts'

export const claude: AgentRow = {
  name: 'claude',
  title: 'Claude Code',
  maker: 'Anthropic',
  programs: ['claude'],
  version: ['--version'],
  tried: '2.1.325',
  protocol: 'acp',
  command: {
    args: [
      '-p',
      '--output-format',
      'stream-json',
      '--verbose',
      '--permission-mode',
      'acceptEdits',
      '--allowedTools',
      'Bash,Edit,Write,Read,mcp__bosun',
    ],
    directories: '--add-dir',
    bare: { args: ['--setting-sources', 'project,local', '--strict-mcp-config'], keeps: [] },
    prints: 'claude',
    reportsCost: true,
    model: ['--model', '{model}'],
    effort: ['--effort', '{effort}'],
    mcp: { kind: 'file_option', option: '--mcp-config' },
  },
  // Its inner program lives about 2 s longer than the adapter.
  acp: {
    start: {
      package: '@agentclientprotocol/claude-agent-acp',
      version: '0.99.1',
      integrity:
        'sha512-tK5lNtoI85IS0K8PVKYK86t/ARgCS1AjEw+u6QSNmdu0tbhyeB6FTNzFnGNIgsL/3xYwrQUMFDC6osT1aIPReQ==',
      entry: 'dist/index.js',
      programIn: 'CLAUDE_CODE_EXECUTABLE',
    },
    // Otherwise the tools of an MCP server are hidden behind a search.
    env: { ENABLE_TOOL_SEARCH: 'false' },
    mode: 'acceptEdits',
    reading: {
      mode: 'default',
      env: {},
      meta: {
        claudeCode: {
          options: {
            disallowedTools: ['Edit', 'MultiEdit', 'Write', 'NotebookEdit', 'WebFetch', 'WebSearch'],
          },
        },
      },
    },
    model: 'session',
    effort: 'session',
    authenticate: null,
    bare: {
      meta: { claudeCode: { options: { settingSources: ['project', 'local'], strictMcpConfig: true } } },
      keeps: [],
    },
    usage: 'sum',
    reportsCost: true,
    continues: 'resume',
    mcp: 'session',
  },
  smallModels: ['haiku'],
  signIn: {
    checks: [
      { kind: 'variables', by: 'key', names: ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN'] },
      { kind: 'variables', by: 'subscription', names: ['CLAUDE_CODE_OAUTH_TOKEN'] },
      {
        kind: 'variables',
        by: 'configuration',
        names: ['CLAUDE_CODE_USE_BEDROCK', 'CLAUDE_CODE_USE_VERTEX'],
      },
      {
        kind: 'file',
        by: 'subscription',
        paths: ['$CLAUDE_CONFIG_DIR/.credentials.json', '~/.claude/.credentials.json'],
        holds: /"claudeAiOauth"/,
      },
      { kind: 'program', args: ['auth', 'status'], reads: 'claude_auth_status' },
    ],
    fix: 'Run `claude auth login`, or set ANTHROPIC_API_KEY.',
  },
  folders: ['~/.claude', '~/.claude.json'],
  caution: { command: NOT_ASKED, acp: null },
  resume: ['claude', '--resume', '{session}'],
}
