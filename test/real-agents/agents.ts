/**
 * The real agents, one row each: what to install, how to lead it to a model server on this machine, and how to start it
 * as a command that reads its task on stdin and as an ACP agent. Adding an agent to the tests is adding a row.
 */
import { join } from 'node:path'
import type { WireName } from '../agents/model-server/request.ts'

export interface Installation {
  /** With its exact version: without, npm takes an old one where the newest wants a newer Node. */
  readonly spec: string
  /** Adapters bring an agent of their own as an optional dependency, hundreds of megabytes of it. */
  readonly omitsOptional?: boolean
}

/** Where one agent is tried. */
export interface Place {
  /** Of the model server, without a path. */
  readonly url: string
  /** Its HOME. Not under the temporary folder: Codex refuses to run commands then. */
  readonly home: string
  /** The file of an installed package. */
  readonly file: (spec: string, path: string) => string
}

export interface RealAgent {
  readonly name: string
  readonly installations: readonly Installation[]
  /** The format it asks the model server in. */
  readonly wire: WireName
  readonly env: (place: Place) => Readonly<Record<string, string>>
  /** Text by path under its home. */
  readonly files?: (place: Place) => Readonly<Record<string, string>>
  readonly command: (place: Place) => readonly string[]
  readonly acp: (place: Place) => {
    readonly argv: readonly string[]
    readonly env?: Readonly<Record<string, string>>
    /** To authenticate with, before a session is opened. */
    readonly method?: string
    readonly mode?: string
    /** What the usage at the end of a turn counts, where there is any. */
    readonly usage: 'sum' | 'last_step' | 'quota' | 'none'
    /** Whose session files hold its errors, where it does not report them. */
    readonly errorsIn?: 'pi'
  }
  /** Continues a session with the prompt on stdin: what its user does by hand after a takeover, without a terminal. */
  readonly takeover: (place: Place, session: string) => readonly string[]
  /** Whether it asks its client before it runs a command such as `git push`. */
  readonly asksPermission: boolean
  /** Where it continues a session over ACP: in any folder, or only where the session began. */
  readonly continues: 'anywhere' | 'same_folder' | 'unreliably'
  readonly troubles: Troubles
}

/**
 * What a turn over ACP comes to when the provider fails: a stop reason or an error, as JSON-RPC has it; `silent` when it
 * neither ends nor says anything for half a minute; `recovers` when the work is done all the same.
 */
export interface Troubles {
  readonly signedOut: string
  /** A limit that ends in two hours. */
  readonly limited: string
  readonly overloaded: string
  /** Of the first answer alone. */
  readonly cutOff: string
  /** `silent` where a cancel is not heeded as long as the model does not answer. */
  readonly cancelled: string
}

/** Unknown to every agent, so that none of them assumes things about it. */
const MODEL = 'scripted-model'
const KEY = 'scripted-key'

// Of Claude Code and OpenCode the program of this platform alone: the package around it needs an install script.
const CLAUDE = '@anthropic-ai/claude-code-linux-x64@2.1.325'
const CLAUDE_ACP = '@agentclientprotocol/claude-agent-acp@0.99.1'
const CODEX = '@openai/codex@0.166.0'
const CODEX_ACP = '@agentclientprotocol/codex-acp@2.6.0'
const OPENCODE = 'opencode-linux-x64@1.18.33'
const GEMINI = '@google/gemini-cli@0.61.0'
const QWEN = '@qwen-code/qwen-code@0.24.4'
const GOOSE = '@aaif/goose-binary-linux-x64@1.52.0'
const PI = '@earendil-works/pi-coding-agent@0.87.1'
const PI_ACP = 'pi-acp@0.0.34'

const claudeBin = ({ file }: Place) => file(CLAUDE, 'claude')
const codexBin = ({ file }: Place) => file(CODEX, 'bin/codex.js')
const piBin = ({ file }: Place) => file(PI, 'dist/cli.js')

const claude: RealAgent = {
  name: 'claude',
  installations: [{ spec: CLAUDE }, { spec: CLAUDE_ACP, omitsOptional: true }],
  wire: 'anthropic',
  env: ({ url }) => ({
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: KEY,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    CLAUDE_CODE_MAX_RETRIES: '2',
    DISABLE_AUTOUPDATER: '1',
    ENABLE_TOOL_SEARCH: 'false',
  }),
  command: (place) => [
    claudeBin(place),
    '-p',
    '--permission-mode',
    'acceptEdits',
    '--allowedTools',
    'Bash,Edit,Write,Read',
  ],
  acp: (place) => ({
    argv: [process.execPath, place.file(CLAUDE_ACP, 'dist/index.js')],
    env: { CLAUDE_CODE_EXECUTABLE: claudeBin(place) },
    usage: 'sum',
    mode: 'acceptEdits',
  }),
  takeover: (place, session) => [claudeBin(place), '-p', '--resume', session],
  asksPermission: true,
  continues: 'anywhere',
  troubles: {
    signedOut: 'error -32000',
    limited: 'error -32603',
    overloaded: 'error -32603',
    cutOff: 'recovers',
    cancelled: 'cancelled',
  },
}

const codexProvider = ({ url }: Place) => ({
  name: 'scripted',
  base_url: `${url}/v1`,
  env_key: 'SCRIPTED_KEY',
  wire_api: 'responses',
})

function codexExec(place: Place): readonly string[] {
  const provider = Object.entries(codexProvider(place)).map(([key, value]) => `${key}="${value}"`)
  return [
    process.execPath,
    codexBin(place),
    'exec',
    '--skip-git-repo-check',
    '--sandbox',
    'workspace-write',
    '--model',
    MODEL,
    '-c',
    'model_provider="scripted"',
    '-c',
    `model_providers.scripted={${provider.join(',')}}`,
    '-c',
    'analytics.enabled=false',
  ]
}

const codex: RealAgent = {
  name: 'codex',
  installations: [{ spec: CODEX }, { spec: CODEX_ACP, omitsOptional: true }],
  wire: 'responses',
  env: () => ({ SCRIPTED_KEY: KEY, NO_BROWSER: '1' }),
  command: (place) => [...codexExec(place), '-'],
  takeover: (place, session) => [...codexExec(place), 'resume', session, '-'],
  asksPermission: false,
  continues: 'anywhere',
  acp: (place) => ({
    argv: [process.execPath, place.file(CODEX_ACP, 'dist/index.js')],
    env: {
      CODEX_PATH: codexBin(place),
      CODEX_CONFIG: JSON.stringify({
        model: MODEL,
        model_provider: 'scripted',
        model_providers: { scripted: codexProvider(place) },
        analytics: { enabled: false },
      }),
      MODEL_PROVIDER: 'scripted',
      // Its default mode asks a reviewing model, not the client.
      INITIAL_AGENT_MODE: 'workspace-write',
    },
    usage: 'sum',
  }),
  troubles: {
    signedOut: 'error -32000',
    limited: 'error -32603',
    overloaded: 'end_turn',
    cutOff: 'recovers',
    cancelled: 'cancelled',
  },
}

const opencode: RealAgent = {
  name: 'opencode',
  installations: [{ spec: OPENCODE }],
  wire: 'chat',
  env: ({ url }) => ({
    OPENCODE_CONFIG_CONTENT: JSON.stringify({
      model: `scripted/${MODEL}`,
      small_model: `scripted/${MODEL}`,
      provider: {
        scripted: {
          npm: '@ai-sdk/openai-compatible',
          name: 'Scripted',
          options: { baseURL: `${url}/v1`, apiKey: KEY },
          models: { [MODEL]: { name: MODEL, tool_call: true, limit: { context: 200_000, output: 8000 } } },
        },
      },
    }),
    OPENCODE_DISABLE_AUTOUPDATE: '1',
    OPENCODE_DISABLE_MODELS_FETCH: '1',
    OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
  }),
  command: ({ file }) => [file(OPENCODE, 'bin/opencode'), 'run'],
  acp: ({ file }) => ({
    argv: [file(OPENCODE, 'bin/opencode'), 'acp'],
    env: { OPENCODE_PERMISSION: JSON.stringify({ bash: 'ask', webfetch: 'ask' }) },
    usage: 'last_step',
  }),
  takeover: ({ file }, session) => [file(OPENCODE, 'bin/opencode'), 'run', '--session', session],
  asksPermission: true,
  continues: 'anywhere',
  troubles: {
    signedOut: 'error -32603',
    limited: 'silent',
    overloaded: 'silent',
    cutOff: 'recovers',
    cancelled: 'cancelled',
  },
}

const gemini: RealAgent = {
  name: 'gemini',
  installations: [{ spec: GEMINI }],
  wire: 'gemini',
  env: ({ url }) => ({
    GEMINI_API_KEY: KEY,
    GOOGLE_GEMINI_BASE_URL: url,
    GEMINI_CLI_TRUST_WORKSPACE: 'true',
    // Its launcher ignores SIGTERM.
    GEMINI_CLI_NO_RELAUNCH: 'true',
    GEMINI_TELEMETRY_ENABLED: 'false',
  }),
  files: () => ({
    '.gemini/settings.json': JSON.stringify({
      security: { auth: { selectedType: 'gemini-api-key' } },
      privacy: { usageStatisticsEnabled: false },
      general: { enableAutoUpdate: false },
    }),
  }),
  command: ({ file }) => [
    process.execPath,
    file(GEMINI, 'bundle/gemini.js'),
    '--approval-mode',
    'auto_edit',
    '--model',
    MODEL,
  ],
  acp: ({ file }) => ({
    argv: [process.execPath, file(GEMINI, 'bundle/gemini.js'), '--acp', '--model', MODEL],
    method: 'gemini-api-key',
    mode: 'autoEdit',
    usage: 'quota',
  }),
  takeover: (place, session) => [...gemini.command(place), '--resume', session],
  asksPermission: true,
  // It refused the same session once and took it another time.
  continues: 'unreliably',
  troubles: {
    signedOut: 'error 401',
    limited: 'error 429',
    overloaded: 'silent',
    cutOff: 'error 500',
    cancelled: 'cancelled',
  },
}

const qwen: RealAgent = {
  name: 'qwen',
  installations: [{ spec: QWEN }],
  wire: 'chat',
  env: ({ url }) => ({ OPENAI_BASE_URL: `${url}/v1`, OPENAI_API_KEY: KEY, OPENAI_MODEL: MODEL }),
  files: () => ({
    '.qwen/settings.json': JSON.stringify({
      security: { auth: { selectedType: 'openai' } },
      privacy: { usageStatisticsEnabled: false },
    }),
  }),
  command: ({ file }) => [process.execPath, file(QWEN, 'cli.js'), '--approval-mode', 'yolo'],
  acp: ({ file }) => ({
    argv: [process.execPath, file(QWEN, 'cli.js'), '--acp'],
    method: 'openai',
    usage: 'none',
  }),
  takeover: (place, session) => [...qwen.command(place), '--resume', session],
  asksPermission: true,
  continues: 'same_folder',
  troubles: {
    signedOut: 'error -32603',
    limited: 'silent',
    overloaded: 'silent',
    cutOff: 'recovers',
    cancelled: 'cancelled',
  },
}

export const goose: RealAgent = {
  name: 'goose',
  installations: [{ spec: GOOSE }],
  wire: 'chat',
  env: ({ url }) => ({
    GOOSE_PROVIDER: 'openai',
    GOOSE_MODEL: MODEL,
    OPENAI_HOST: url,
    OPENAI_API_KEY: KEY,
    GOOSE_DISABLE_KEYRING: '1',
    GOOSE_MODE: 'auto',
  }),
  command: ({ file }) => [
    file(GOOSE, 'bin/goose'),
    'run',
    '--no-session',
    '--no-profile',
    '--with-builtin',
    'developer',
    '-i',
    '-',
  ],
  acp: ({ file }) => ({
    argv: [file(GOOSE, 'bin/goose'), 'acp', '--with-builtin', 'developer'],
    env: { GOOSE_MODE: 'approve' },
    usage: 'last_step',
  }),
  takeover: ({ file }, session) => [
    file(GOOSE, 'bin/goose'),
    'run',
    '--resume',
    '--session-id',
    session,
    '--no-profile',
    '--with-builtin',
    'developer',
    '-i',
    '-',
  ],
  asksPermission: true,
  continues: 'anywhere',
  troubles: {
    signedOut: 'error -32000',
    limited: 'silent',
    overloaded: 'end_turn',
    cutOff: 'end_turn',
    cancelled: 'silent',
  },
}

const pi: RealAgent = {
  name: 'pi',
  installations: [{ spec: PI }, { spec: PI_ACP }],
  wire: 'chat',
  env: ({ home }) => ({ PI_CODING_AGENT_DIR: join(home, '.pi/agent'), PI_OFFLINE: '1' }),
  files: ({ url }) => ({
    '.pi/agent/models.json': JSON.stringify({
      providers: {
        scripted: {
          baseUrl: `${url}/v1`,
          apiKey: KEY,
          api: 'openai-completions',
          models: [{ id: MODEL }],
        },
      },
    }),
    '.pi/agent/settings.json': JSON.stringify({ defaultProvider: 'scripted', defaultModel: MODEL }),
  }),
  command: (place) => [process.execPath, piBin(place), '-p'],
  acp: (place) => ({
    argv: [process.execPath, place.file(PI_ACP, 'dist/index.js')],
    env: { PI_ACP_PI_COMMAND: piBin(place) },
    usage: 'none',
    errorsIn: 'pi',
  }),
  takeover: (place, session) => [process.execPath, piBin(place), '-p', '--session', session],
  asksPermission: false,
  continues: 'anywhere',
  troubles: {
    signedOut: 'end_turn',
    limited: 'end_turn',
    overloaded: 'end_turn',
    cutOff: 'recovers',
    cancelled: 'cancelled',
  },
}

export const REAL_AGENTS: readonly RealAgent[] = [goose, pi, claude, codex, opencode, gemini, qwen]
