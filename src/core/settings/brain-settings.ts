/** Which combinations of settings under `brain` make sense. A setting without effect misleads its author. */
import type { Settings } from './settings.ts'

type Brain = Settings['brain']
export type BrainProvider = Brain['provider']

export interface BrainProblem {
  readonly path: readonly string[]
  readonly message: string
  readonly remedy: string
}

/** The variables that hold the key of a provider, the usual one first. */
export const KEY_VARIABLES: Readonly<Record<BrainProvider, readonly string[]>> = {
  auto: [],
  none: [],
  anthropic: ['ANTHROPIC_API_KEY'],
  openai: ['OPENAI_API_KEY'],
  google: ['GOOGLE_GENERATIVE_AI_API_KEY', 'GEMINI_API_KEY'],
  compatible: ['OPENAI_COMPATIBLE_API_KEY', 'OPENAI_API_KEY'],
  agent: [],
}

/** Of the user's environment, what the brain takes. */
export function brainVariables(
  { brain }: Pick<Settings, 'brain'>,
  from: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string>> {
  const found = KEY_VARIABLES[brain.provider].flatMap((name) => {
    const value = from[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  return Object.fromEntries(found)
}

export interface BrainFinding {
  readonly provider: BrainProvider
  readonly models: { readonly small: string; readonly large: string } | null
  /** Where the key is: its variable, the command that prints it, or null where there is none. */
  readonly key: string | null
}

export function brainFinding(brain: Brain, env: Readonly<Record<string, string | undefined>>): BrainFinding {
  const variable = KEY_VARIABLES[brain.provider].find((name) => (env[name] ?? '') !== '') ?? null
  const key = brain.key_command === null ? variable : 'brain.key_command'
  return { provider: brain.provider, models: brainModels(brain), key }
}

const EXAMPLES: Readonly<Record<BrainProvider, string>> = {
  auto: '',
  none: '',
  anthropic: 'claude-sonnet-5-5',
  openai: 'gpt-5.5',
  google: 'gemini-3.8-flash',
  compatible: 'qwen3:8b',
  agent: '',
}

const EVERYBODY: readonly BrainProvider[] = ['auto', 'anthropic', 'openai', 'google', 'compatible', 'agent']

/** Keys that only some providers use. */
const USED_BY: Readonly<Record<string, readonly BrainProvider[]>> = {
  base_url: ['anthropic', 'openai', 'google', 'compatible'],
  key_command: ['anthropic', 'openai', 'google', 'compatible'],
  small: EVERYBODY,
  large: EVERYBODY,
  timeout: EVERYBODY,
  budget_usd: EVERYBODY,
  prices: EVERYBODY,
}

export function brainProblems(settings: Settings, defaults: Settings): readonly BrainProblem[] {
  const { brain, prices } = settings
  return [
    ...unusedKeys(brain, defaults.brain),
    ...urlProblems(brain),
    ...keyProblems(brain),
    ...modelProblems(brain),
    ...budgetProblems(brain, { ...prices, ...brain.prices }),
  ]
}

/** The model of each size; one serves for both where only one is named. Null where none is. */
export function brainModels({
  small,
  large,
}: Brain): { readonly small: string; readonly large: string } | null {
  const one = large ?? small
  return one === null ? null : { small: small ?? one, large: one }
}

function unusedKeys(brain: Brain, defaults: Brain): readonly BrainProblem[] {
  return Object.entries(USED_BY).flatMap(([key, providers]) => {
    const [now, before] = [brain, defaults].map((one) => (one as Readonly<Record<string, unknown>>)[key])
    if (now === before || providers.includes(brain.provider)) return []
    const message = `brain.${key} has no effect while brain.provider is ${brain.provider}`
    return [
      {
        path: ['brain', key],
        message,
        remedy: `Remove it, or set brain.provider to ${providers.join(', ')}.`,
      },
    ]
  })
}

function urlProblems({ provider, base_url: url }: Brain): readonly BrainProblem[] {
  const path = ['brain', 'base_url']
  if (url === null) {
    if (provider !== 'compatible') return []
    const remedy = 'Set it with its version, such as http://127.0.0.1:11434/v1 (Ollama).'
    return [{ path, message: 'brain.provider: compatible needs brain.base_url', remedy }]
  }
  const form = /^https?:\/\/([^/?#\s]+)(\/[^?#\s]*)?$/.exec(url)
  if (form === null) {
    const remedy = 'Write an address with http:// or https://, without ? and #.'
    return [{ path, message: 'brain.base_url is not the URL of a service', remedy }]
  }
  if (form[1]?.includes('@') !== true) return []
  const remedy = 'Remove the part before @; give the key in the environment or by brain.key_command.'
  return [{ path, message: 'brain.base_url contains a user name or a key', remedy }]
}

/** As the keys of the usual providers begin. */
const KEY_TEXT = /\b(?:sk-|AIza|gsk_|xai-)[\w-]{16,}/

function keyProblems({ key_command: command }: Brain): readonly BrainProblem[] {
  if (command === null || !KEY_TEXT.test([command].flat().join(' '))) return []
  const remedy = 'bosun.yaml must not contain keys: let the command ask a key store, or set a variable.'
  return [{ path: ['brain', 'key_command'], message: 'brain.key_command holds a key', remedy }]
}

function modelProblems(brain: Brain): readonly BrainProblem[] {
  const { provider } = brain
  if (provider === 'none' || isAgent(brain) || brainModels(brain) !== null) return []
  return [
    {
      path: ['brain', 'provider'],
      message: `brain.provider: ${provider} needs a model`,
      remedy: `Set brain.large, for example to ${EXAMPLES[provider]}, and brain.small for quick questions.`,
    },
  ]
}

/** An agent may report what it costs; of other providers only the prices say it. */
function budgetProblems(brain: Brain, prices: Readonly<Record<string, unknown>>): readonly BrainProblem[] {
  const models = brainModels(brain)
  if (brain.budget_usd === null || models === null || isAgent(brain)) return []
  const unpriced = [...new Set(Object.values(models))].filter((model) => !Object.hasOwn(prices, model))
  return unpriced.map((model) => ({
    path: ['brain', 'budget_usd'],
    message: `brain.budget_usd needs the price of ${model}`,
    remedy: `Set brain.prices: { ${JSON.stringify(model)}: { input: …, output: … } } in US dollars per million tokens.`,
  }))
}

/** Whether an installed agent answers. */
export const isAgent = ({ provider }: Pick<Brain, 'provider'>): boolean =>
  provider === 'auto' || provider === 'agent'

/** Whether nobody but the user judges. With `auto` it depends on the agents found. */
export const isWithoutBrain = ({ brain: { provider } }: Pick<Settings, 'brain'>): boolean =>
  provider === 'none'
