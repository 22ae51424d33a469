/**
 * The coding agents that Bosun knows, in the order in which it takes them where the settings name none. What stands
 * here was tried with the real programs (`npm run test:agents`).
 */
import type { Environment } from '../../lib/process/built-environment.ts'
import type { AgentRow, SignInCheck, SignedInBy } from './agent-row.ts'

/** Keys of model providers, for agents that work with any of them. */
const PROVIDER_KEYS = [
  'ANTHROPIC_API_KEY',
  'OPENAI_API_KEY',
  'GEMINI_API_KEY',
  'GOOGLE_API_KEY',
  'OPENROUTER_API_KEY',
  'DEEPSEEK_API_KEY',
  'GROQ_API_KEY',
  'MISTRAL_API_KEY',
  'XAI_API_KEY',
]

/** Of agents that run as plain commands, which cannot ask, or that ask for nothing by default. */
const NOT_ASKED = 'it runs commands without asking: what it may do is what your user may do'

const BY_SESSION = { model: 'session', effort: 'session' } as const

const claude: AgentRow = {
  name: 'claude',
  title: 'Claude Code',
  maker: 'Anthropic',
  tried: '2.1.325',
  command: {
    command: [
      'claude',
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
    arguments: { model: ['--model', '{model}'], effort: ['--effort', '{effort}'] },
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
    session: { mode: 'acceptEdits', usage: 'sum', continues: 'resume' },
    reading: {
      mode: 'default',
      meta: {
        claudeCode: {
          options: {
            disallowedTools: ['Edit', 'MultiEdit', 'Write', 'NotebookEdit', 'WebFetch', 'WebSearch'],
          },
        },
      },
    },
    arguments: BY_SESSION,
    bare: {
      meta: { claudeCode: { options: { settingSources: ['project', 'local'], strictMcpConfig: true } } },
      keeps: [],
    },
    reportsCost: true,
  },
  smallModels: ['haiku'],
  signIn: {
    checks: [
      variables('key', 'ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN'),
      variables('subscription', 'CLAUDE_CODE_OAUTH_TOKEN'),
      variables('configuration', 'CLAUDE_CODE_USE_BEDROCK', 'CLAUDE_CODE_USE_VERTEX'),
      file(
        'subscription',
        /"claudeAiOauth"/,
        '$CLAUDE_CONFIG_DIR/.credentials.json',
        '~/.claude/.credentials.json',
      ),
      { kind: 'program', args: ['auth', 'status'], reads: 'claude_auth_status' },
    ],
    fix: 'Run `claude auth login`, or set ANTHROPIC_API_KEY.',
  },
  folders: ['~/.claude', '~/.claude.json'],
  caution: { command: NOT_ASKED, acp: null },
  resume: ['claude', '--resume', '{session}'],
}

const codex: AgentRow = {
  name: 'codex',
  title: 'Codex',
  maker: 'OpenAI',
  tried: '0.166.0',
  command: {
    command: ['codex', 'exec', '--json', '--skip-git-repo-check', '--sandbox', 'workspace-write', '-'],
    directories: '--add-dir',
    bare: { args: ['--disable', 'hooks'], keeps: ['instructions', 'mcp', 'skills'] },
    prints: 'codex',
    arguments: { model: ['--model', '{model}'], effort: ['-c', 'model_reasoning_effort="{effort}"'] },
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
    session: { usage: 'sum', continues: 'load' },
    reading: { env: { INITIAL_AGENT_MODE: 'read-only' } },
    arguments: BY_SESSION,
    bare: { keeps: ['instructions', 'mcp', 'hooks', 'skills'] },
    // Only a server in its configuration is not hidden behind a search.
    mcp: { kind: 'json_variable', variable: 'CODEX_CONFIG', under: 'mcp_servers' },
  },
  smallModels: ['mini'],
  signIn: {
    checks: [
      variables('key', 'CODEX_API_KEY'),
      file('configuration', /^\s*model_provider\s*=/m, '$CODEX_HOME/config.toml', '~/.codex/config.toml'),
      { kind: 'program', args: ['login', 'status'], reads: 'codex_login_status' },
    ],
    fix: 'Run `codex login`, or set CODEX_API_KEY.',
  },
  folders: ['~/.codex'],
  ownSandbox: {
    nests: true,
    off: {
      words: { 'workspace-write': 'danger-full-access' },
      env: { INITIAL_AGENT_MODE: 'agent-full-access' },
    },
  },
  caution: { command: null, acp: null },
  resume: ['codex', 'resume', '{session}'],
}

const opencode: AgentRow = {
  name: 'opencode',
  title: 'OpenCode',
  maker: 'Anomaly',
  tried: '1.18.33',
  command: {
    command: ['opencode', 'run'],
    bare: { env: { OPENCODE_PURE: '1' }, keeps: ['instructions', 'mcp', 'skills'] },
    arguments: { model: ['--model', '{model}'], effort: ['--variant', '{effort}'] },
    mcp: { kind: 'json_variable', variable: 'OPENCODE_CONFIG_CONTENT', under: 'mcp' },
  },
  // It may ignore SIGTERM, and its commands outlive it.
  acp: {
    start: ['opencode', 'acp'],
    // By default it asks for nothing.
    env: { OPENCODE_PERMISSION: JSON.stringify({ bash: 'ask', webfetch: 'ask' }) },
    session: { usage: 'last_step', continues: 'load' },
    reading: {
      env: { OPENCODE_PERMISSION: JSON.stringify({ edit: 'deny', bash: 'ask', webfetch: 'deny' }) },
    },
    arguments: BY_SESSION,
    bare: { env: { OPENCODE_PURE: '1' }, keeps: ['instructions', 'mcp', 'skills'] },
    reportsCost: true,
  },
  smallModels: [],
  signIn: {
    checks: [
      variables('configuration', 'OPENCODE_CONFIG_CONTENT', 'OPENCODE_CONFIG'),
      ...authFile('$XDG_DATA_HOME/opencode/auth.json', '~/.local/share/opencode/auth.json'),
      file(
        'configuration',
        /"provider"/,
        '$XDG_CONFIG_HOME/opencode/opencode.json',
        '~/.config/opencode/opencode.json',
      ),
      variables('key', ...PROVIDER_KEYS, 'OPENCODE_API_KEY'),
    ],
    fix: 'Run `opencode auth login`, or set the key of your provider.',
  },
  folders: ['~/.config/opencode', '~/.local/share/opencode', '~/.local/state/opencode', '~/.cache/opencode'],
  caution: { command: NOT_ASKED, acp: null },
  resume: ['opencode', '--session', '{session}'],
}

/** Gemini CLI, and Qwen Code, which came from it, without the user's own extensions. */
const WITHOUT_EXTENSIONS = {
  args: ['--extensions', 'none', '--allowed-mcp-server-names', 'bosun'],
  keeps: ['instructions', 'hooks', 'skills'],
} as const

const gemini: AgentRow = {
  name: 'gemini',
  title: 'Gemini CLI',
  maker: 'Google',
  tried: '0.61.0',
  command: {
    command: ['gemini', '--approval-mode', 'auto_edit', '--allowed-tools', 'run_shell_command'],
    directories: '--include-directories',
    bare: WITHOUT_EXTENSIONS,
    arguments: { model: ['--model', '{model}'], effort: null },
    mcp: {
      kind: 'defaults_file',
      variable: 'GEMINI_CLI_SYSTEM_DEFAULTS_PATH',
      machineFile: '/etc/gemini-cli/system-defaults.json',
    },
  },
  acp: {
    start: ['gemini', '--acp'],
    // Its session ids are refused (0.61.0).
    session: { mode: 'autoEdit', usage: 'quota', continues: null },
    reading: { mode: 'default' },
    arguments: { model: ['--model', '{model}'], effort: null },
    bare: WITHOUT_EXTENSIONS,
  },
  smallModels: ['flash-lite', 'flash'],
  signIn: {
    checks: [
      variables('key', 'GEMINI_API_KEY', 'GOOGLE_API_KEY'),
      variables('configuration', 'GOOGLE_GENAI_USE_VERTEXAI', 'GOOGLE_GENAI_USE_GCA'),
      file('subscription', /"refresh_token"/, '~/.gemini/oauth_creds.json'),
      file('configuration', /"selectedType"/, '~/.gemini/settings.json'),
    ],
    fix: 'Run `gemini` and sign in, or set GEMINI_API_KEY.',
  },
  folders: ['~/.gemini'],
  // A container.
  ownSandbox: { nests: false, off: { env: { GEMINI_SANDBOX: 'false' } } },
  caution: { command: NOT_ASKED, acp: null },
  resume: ['gemini', '--resume', '{session}'],
}

/** The tools of a server in its session stay hidden behind a search. */
const QWEN_MCP = {
  kind: 'defaults_file',
  variable: 'QWEN_CODE_SYSTEM_DEFAULTS_PATH',
  machineFile: '/etc/qwen-code/system-defaults.json',
} as const

const qwen: AgentRow = {
  name: 'qwen',
  title: 'Qwen Code',
  package: '@qwen-code/qwen-code',
  maker: 'Alibaba',
  tried: '0.24.4',
  command: {
    command: ['qwen', '--approval-mode', 'auto-edit', '--allowed-tools', 'run_shell_command'],
    bare: WITHOUT_EXTENSIONS,
    arguments: { model: ['--model', '{model}'], effort: null },
    mcp: QWEN_MCP,
  },
  acp: {
    start: ['qwen', '--acp'],
    session: { mode: 'default', usage: 'steps', continues: 'load' },
    reading: { mode: 'default' },
    arguments: BY_SESSION,
    bare: WITHOUT_EXTENSIONS,
    mcp: QWEN_MCP,
  },
  smallModels: ['flash'],
  signIn: {
    checks: [
      variables(
        'key',
        'OPENAI_API_KEY',
        'DASHSCOPE_API_KEY',
        'BAILIAN_CODING_PLAN_API_KEY',
        'BAILIAN_TOKEN_PLAN_API_KEY',
      ),
      file('subscription', /"refresh_token"/, '~/.qwen/oauth_creds.json'),
      file('configuration', /"selectedType"/, '~/.qwen/settings.json'),
    ],
    fix: 'Run `qwen` and use /auth, or set OPENAI_API_KEY, OPENAI_BASE_URL and OPENAI_MODEL.',
  },
  folders: ['~/.qwen'],
  // A container.
  ownSandbox: { nests: false, off: { env: { QWEN_SANDBOX: 'false' } } },
  caution: { command: NOT_ASKED, acp: null },
  resume: ['qwen', '--resume', '{session}'],
}

const goose: AgentRow = {
  name: 'goose',
  title: 'goose',
  maker: 'AAIF',
  tried: '1.52.0',
  command: {
    command: ['goose', 'run', '--no-session', '--with-builtin', 'developer', '-i', '-'],
    bare: { args: ['--no-profile'], keeps: ['instructions'] },
    arguments: { model: ['--model', '{model}'], effort: null },
    mcp: { kind: 'command_option', option: '--with-extension' },
  },
  // Its commands outlive it.
  acp: {
    start: ['goose', 'acp', '--with-builtin', 'developer'],
    env: { GOOSE_MODE: 'approve' },
    session: { usage: 'last_step', continues: 'load' },
    reading: { env: { GOOSE_MODE: 'approve' } },
    arguments: BY_SESSION,
    bare: { keeps: ['instructions', 'mcp', 'skills'] },
  },
  smallModels: [],
  signIn: {
    checks: [
      variables('configuration', 'GOOSE_PROVIDER'),
      file(
        'configuration',
        /^\s*(GOOSE_PROVIDER|active_provider)\s*:/m,
        '$XDG_CONFIG_HOME/goose/config.yaml',
        '~/.config/goose/config.yaml',
      ),
    ],
    fix: 'Run `goose configure`, or set GOOSE_PROVIDER, GOOSE_MODEL and the key of your provider.',
  },
  folders: ['~/.config/goose', '~/.local/share/goose', '~/.local/state/goose'],
  caution: { command: null, acp: null },
  resume: ['goose', 'session', '--resume', '--session-id', '{session}'],
}

const pi: AgentRow = {
  name: 'pi',
  title: 'pi',
  package: '@earendil-works/pi-coding-agent',
  maker: 'Earendil',
  tried: '0.87.1',
  command: {
    command: ['pi', '-p', '--mode', 'json'],
    bare: { args: ['--no-extensions', '--no-skills', '--no-prompt-templates'], keeps: ['instructions'] },
    prints: 'pi',
    reportsCost: true,
    arguments: { model: ['--model', '{model}'], effort: ['--thinking', '{effort}'] },
  },
  acp: {
    start: {
      package: 'pi-acp',
      version: '0.0.34',
      integrity:
        'sha512-MrCp37UbpUzkTkzTIMJQf1RYrT+kr4fgGDGFoLmBN26UupuCZp0XxVIY+7XYsMo3yDnzDeZUJ0jPyM3Si6Bkkg==',
      entry: 'dist/index.js',
      programIn: 'PI_ACP_PI_COMMAND',
    },
    session: { usage: 'none', continues: 'load', mcp: 'none', errorsIn: 'pi' },
    reading: {},
    arguments: BY_SESSION,
    bare: { keeps: ['instructions', 'hooks', 'skills'] },
  },
  smallModels: [],
  signIn: {
    checks: [
      ...authFile('$PI_CODING_AGENT_DIR/auth.json', '~/.pi/agent/auth.json'),
      file('configuration', /"providers"/, '$PI_CODING_AGENT_DIR/models.json', '~/.pi/agent/models.json'),
      variables('key', ...PROVIDER_KEYS),
    ],
    fix: 'Run `pi` and use /login, or set the key of your provider.',
  },
  // The inner one has a variable of its own.
  folders: ['~/.pi', '~/.pi/agent'],
  caution: { command: NOT_ASKED, acp: NOT_ASKED },
  resume: ['pi', '--session', '{session}'],
}

function variables(by: SignedInBy, ...names: readonly string[]): SignInCheck {
  return { kind: 'variables', by, names }
}

function file(by: SignedInBy, holds: RegExp, ...paths: readonly string[]): SignInCheck {
  return { kind: 'file', by, paths, holds }
}

/** A file with the sign-ins of several providers: that of a subscription counts first. */
function authFile(...paths: readonly string[]): readonly SignInCheck[] {
  return [file('subscription', /"oauth"/, ...paths), file('key', /"type"/, ...paths)]
}

export const AGENT_ROWS: readonly AgentRow[] = [claude, codex, opencode, gemini, qwen, goose, pi]

/** Also for an agent that is started by a command of the user's own: which one it is, the variables need not know. */
export const READING_ENV: Environment = Object.assign({}, ...AGENT_ROWS.map(({ acp }) => acp.reading.env))
