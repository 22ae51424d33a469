/** What a request asks for, by its method and path. Everything before the known ending is the base address of the agent. */
import type { WireName } from './request.ts'
import type { Address } from './wires/wire.ts'

export type Route =
  | {
      readonly kind: 'model'
      readonly wire: WireName
      readonly address: Address
      readonly framing: 'sse' | 'array'
    }
  | { readonly kind: 'count_tokens'; readonly answer: unknown }
  | { readonly kind: 'list_models'; readonly answer: unknown }
  | { readonly kind: 'alive' }
  | { readonly kind: 'unknown' }

const MODELS = ['scripted-model', 'scripted-small-model']
const COUNTED = 42

/** `/lane/NAME/v1/messages` is `/v1/messages` in the lane NAME. */
export const laneOf = (path: string): string => /^\/lane\/([^/]+)\//.exec(path)?.[1] ?? ''

export function routeOf(method: string, url: URL): Route {
  const path = url.pathname
  if (method === 'GET' || method === 'HEAD') return readRoute(path)
  if (method !== 'POST') return { kind: 'unknown' }
  const address: Address = { lane: laneOf(path), model: '', isStream: false }
  if (path.endsWith('/messages/count_tokens'))
    return { kind: 'count_tokens', answer: { input_tokens: COUNTED } }
  if (path.endsWith('/messages')) return { kind: 'model', wire: 'anthropic', address, framing: 'sse' }
  if (path.endsWith('/responses')) return { kind: 'model', wire: 'responses', address, framing: 'sse' }
  if (path.endsWith('/chat/completions')) return { kind: 'model', wire: 'chat', address, framing: 'sse' }
  const [, model = '', verb = ''] = /\/models\/([^/:]+):(\w+)$/.exec(path) ?? []
  const framing = url.searchParams.get('alt') === 'sse' ? 'sse' : 'array'
  switch (verb) {
    case 'generateContent':
      return { kind: 'model', wire: 'gemini', address: { ...address, model }, framing }
    case 'streamGenerateContent':
      return { kind: 'model', wire: 'gemini', address: { ...address, model, isStream: true }, framing }
    case 'countTokens':
      return { kind: 'count_tokens', answer: { totalTokens: COUNTED } }
    default:
      return { kind: 'unknown' }
  }
}

function readRoute(path: string): Route {
  if (path === '/' || path.endsWith('/health')) return { kind: 'alive' }
  const isGemini = path.includes('/v1beta/')
  if (path.endsWith('/models')) {
    const answer = isGemini
      ? { models: MODELS.map(geminiModel) }
      : {
          object: 'list',
          data: MODELS.map(model),
          has_more: false,
          first_id: MODELS[0],
          last_id: MODELS.at(-1),
        }
    return { kind: 'list_models', answer }
  }
  const name = /\/models\/([^/]+)$/.exec(path)?.[1]
  if (name === undefined) return { kind: 'unknown' }
  return { kind: 'list_models', answer: isGemini ? geminiModel(name) : model(name) }
}

/** What OpenAI and Anthropic say of a model, in one: each has its own fields. */
const model = (id: string) => ({
  id,
  object: 'model',
  type: 'model',
  created: 1_700_000_000,
  created_at: '2023-11-14T22:13:20Z',
  owned_by: 'scripted',
  display_name: id,
})

const geminiModel = (id: string) => ({
  name: `models/${id}`,
  displayName: id,
  inputTokenLimit: 1_000_000,
  outputTokenLimit: 65_536,
  supportedGenerationMethods: ['generateContent', 'countTokens'],
})
