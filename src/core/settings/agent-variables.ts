/** Which variables each agent gets: those of its settings, and those it takes from the environment of the user. */
import { roleAgents } from './role-settings.ts'
import type { Settings } from './settings.ts'

type Agents = Readonly<Record<string, Settings['agents'][string]>>
export type Variables = Readonly<Record<string, string>>

interface Known {
  /** Taken from the user's environment: how the agent signs in, and where its settings and its provider are. */
  readonly takes: string
  /** Set where the user does not. */
  readonly env?: Variables
}

const PROVIDERS =
  'ANTHROPIC_API_KEY OPENAI_API_KEY GEMINI_API_KEY GOOGLE_API_KEY OPENROUTER_API_KEY DEEPSEEK_API_KEY XAI_API_KEY GROQ_API_KEY MISTRAL_API_KEY'
const CLOUDS =
  'AWS_PROFILE AWS_REGION AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY AWS_SESSION_TOKEN AWS_BEARER_TOKEN_BEDROCK ' +
  'GOOGLE_APPLICATION_CREDENTIALS GOOGLE_CLOUD_PROJECT GOOGLE_CLOUD_LOCATION'

/** By the name of their program, which is also the name of the agent. */
const KNOWN: Readonly<Record<string, Known>> = {
  claude: {
    takes:
      'ANTHROPIC_API_KEY ANTHROPIC_AUTH_TOKEN ANTHROPIC_BASE_URL ANTHROPIC_CUSTOM_HEADERS ANTHROPIC_MODEL ' +
      'ANTHROPIC_DEFAULT_OPUS_MODEL ANTHROPIC_DEFAULT_SONNET_MODEL ANTHROPIC_DEFAULT_HAIKU_MODEL ' +
      'CLAUDE_CODE_OAUTH_TOKEN CLAUDE_CONFIG_DIR CLAUDE_CODE_USE_BEDROCK CLAUDE_CODE_USE_VERTEX ' +
      `ANTHROPIC_VERTEX_PROJECT_ID CLOUD_ML_REGION ${CLOUDS}`,
    env: { CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1', DISABLE_AUTOUPDATER: '1' },
  },
  codex: { takes: 'OPENAI_API_KEY OPENAI_BASE_URL CODEX_API_KEY CODEX_HOME' },
  opencode: {
    takes: `OPENCODE_API_KEY OPENCODE_CONFIG OPENCODE_CONFIG_DIR OPENCODE_CONFIG_CONTENT ${PROVIDERS} ${CLOUDS}`,
    env: { OPENCODE_DISABLE_AUTOUPDATE: '1' },
  },
  gemini: {
    takes:
      'GEMINI_API_KEY GOOGLE_API_KEY GOOGLE_GEMINI_BASE_URL GOOGLE_GENAI_USE_VERTEXAI GOOGLE_GENAI_USE_GCA ' +
      `GEMINI_MODEL ${CLOUDS}`,
    // A clone is no folder that its user could have trusted, and the launcher ignores requests to end.
    env: { GEMINI_CLI_TRUST_WORKSPACE: 'true', GEMINI_CLI_NO_RELAUNCH: 'true' },
  },
  qwen: {
    takes:
      'OPENAI_API_KEY OPENAI_BASE_URL OPENAI_MODEL DASHSCOPE_API_KEY BAILIAN_CODING_PLAN_API_KEY ' +
      'BAILIAN_TOKEN_PLAN_API_KEY OPENROUTER_API_KEY',
  },
  goose: {
    takes:
      'GOOSE_PROVIDER GOOSE_MODEL GOOSE_DISABLE_KEYRING OPENAI_HOST OPENAI_BASE_PATH ANTHROPIC_HOST OLLAMA_HOST ' +
      `DATABRICKS_HOST DATABRICKS_TOKEN ${PROVIDERS} ${CLOUDS}`,
    // It cannot ask where there is no terminal.
    env: { GOOSE_MODE: 'auto' },
  },
  // It would look for updates at its start.
  pi: { takes: `PI_CODING_AGENT_DIR ${PROVIDERS}`, env: { PI_OFFLINE: '1' } },
}

/** The agents that plans with these settings may use: those of the settings, and known ones, which need no entry. */
export function possibleAgents({ agents, roles }: Pick<Settings, 'agents' | 'roles'>): Agents {
  const named = Object.values(roleAgents(roles))
  const isAny = Object.keys(agents).length === 0
  const known = Object.keys(KNOWN).filter((name) => isAny || named.includes(name))
  const builtIn = known.map((name) => ({ [name]: { protocol: 'command' as const, command: [name] } }))
  return Object.assign({}, ...builtIn, agents)
}

/** The names of all variables that these agents take from the user's environment. */
export const takenNames = (agents: Agents): readonly string[] => [
  ...new Set(Object.values(agents).flatMap(namesOf)),
]

/** What each agent gets, by its name. `from` is the environment of the user. */
export function agentVariables(
  agents: Agents,
  from: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, Variables>> {
  const of = (agent: Agents[string]): Variables => {
    const taken = namesOf(agent).flatMap((name) => {
      const value = from[name]
      return value === undefined ? [] : [[name, value] as const]
    })
    return { ...knownOf(agent)?.env, ...Object.fromEntries(taken), ...agent.env }
  }
  return Object.fromEntries(Object.entries(agents).map(([name, agent]) => [name, of(agent)]))
}

/** The settings as the log may hold them: without the values of variables, which may be keys. */
export function withoutValues(settings: Settings): Settings {
  const agents = Object.entries(settings.agents).map(([name, agent]) => {
    const kept = { ...agent }
    delete kept.env
    return [name, kept] as const
  })
  return { ...settings, agents: Object.fromEntries(agents) }
}

const namesOf = (agent: Agents[string]): readonly string[] => [
  ...(knownOf(agent)?.takes.split(' ') ?? []),
  ...(agent.env_from ?? []),
]

function knownOf({ command }: Agents[string]): Known | undefined {
  const program = (command[0] ?? '').split('/').at(-1) ?? ''
  return Object.hasOwn(KNOWN, program) ? KNOWN[program] : undefined
}
