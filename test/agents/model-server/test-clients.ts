/** A client per wire format, written without the server's code, which reads what it sends as real clients do. */

export interface Question {
  readonly prompt: string
  readonly isStream: boolean
  readonly tools?: readonly { readonly name: string; readonly schema: object }[]
}

export interface Answer {
  readonly text: string
  readonly thought: string
  readonly calls: readonly { readonly name: string; readonly input: unknown }[]
  /** All tokens in, cached ones included; of which cached; all tokens out. */
  readonly usage: readonly [input: number, cached: number, output: number]
  readonly stop: string
}

export interface TestClient {
  readonly path: (question: Question) => string
  readonly body: (question: Question) => object
  readonly read: (text: string, question: Question) => Answer
}

type Key = string | number

const at = (from: unknown, ...keys: readonly Key[]): unknown =>
  keys.reduce<unknown>((value, key) => (value as Record<Key, unknown> | null | undefined)?.[key], from)
const textAt = (from: unknown, ...keys: readonly Key[]): string => {
  const found = at(from, ...keys)
  return typeof found === 'string' ? found : ''
}
const numberAt = (from: unknown, ...keys: readonly Key[]): number => Number(at(from, ...keys))
const listAt = (from: unknown, ...keys: readonly Key[]): readonly unknown[] => {
  const found = at(from, ...keys)
  return Array.isArray(found) ? found : []
}
const parsed = (text: string): unknown => JSON.parse(text)

export const eventsOf = (text: string): readonly { readonly event: string; readonly data: string }[] =>
  text
    .split('\n\n')
    .filter((one) => one.trim() !== '')
    .map((one) => ({
      event: /^event: (.*)$/m.exec(one)?.[1] ?? '',
      data: /^data: (.*)$/m.exec(one)?.[1] ?? '',
    }))

const dataOf = (text: string): readonly unknown[] =>
  eventsOf(text)
    .filter(({ data }) => data !== '[DONE]')
    .map(({ data }) => parsed(data))

const anthropic: TestClient = {
  path: () => '/v1/messages',
  body: ({ prompt, isStream, tools = [] }) => ({
    model: 'm',
    max_tokens: 100,
    stream: isStream,
    messages: [{ role: 'user', content: [{ type: 'text', text: prompt }] }],
    tools: tools.map(({ name, schema }) => ({ name, input_schema: schema })),
  }),
  read: (text, { isStream }) => {
    const message = isStream ? messageOf(dataOf(text)) : parsed(text)
    const of = (type: string) => listAt(message, 'content').filter((block) => at(block, 'type') === type)
    const cached = numberAt(message, 'usage', 'cache_read_input_tokens')
    return {
      text: of('text')
        .map((block) => textAt(block, 'text'))
        .join(''),
      thought: of('thinking')
        .map((block) => textAt(block, 'thinking'))
        .join(''),
      calls: of('tool_use').map((block) => ({ name: textAt(block, 'name'), input: at(block, 'input') })),
      usage: [
        numberAt(message, 'usage', 'input_tokens') + cached,
        cached,
        numberAt(message, 'usage', 'output_tokens'),
      ],
      stop: textAt(message, 'stop_reason'),
    }
  },
}

/** The message that the events add up to. */
function messageOf(events: readonly unknown[]): object {
  const blocks = events
    .filter((event) => at(event, 'type') === 'content_block_start')
    .map((event) => {
      const index = at(event, 'index')
      const deltas = events.filter(
        (one) => at(one, 'type') === 'content_block_delta' && at(one, 'index') === index,
      )
      const streamed = (field: string) => deltas.map((one) => textAt(one, 'delta', field)).join('')
      const json = streamed('partial_json')
      return {
        type: at(event, 'content_block', 'type'),
        name: at(event, 'content_block', 'name'),
        text: streamed('text'),
        thinking: streamed('thinking'),
        input: json === '' ? null : parsed(json),
      }
    })
  const last = events.find((event) => at(event, 'type') === 'message_delta')
  return { content: blocks, usage: at(last, 'usage'), stop_reason: at(last, 'delta', 'stop_reason') }
}

const responses: TestClient = {
  path: () => '/v1/responses',
  body: ({ prompt, isStream, tools = [] }) => ({
    model: 'm',
    stream: isStream,
    input: [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: prompt }] }],
    tools: tools.map(({ name, schema }) => ({ type: 'function', name, parameters: schema })),
  }),
  read: (text, { isStream }) => {
    const events = isStream ? dataOf(text) : []
    const response = isStream ? at(events.at(-1), 'response') : parsed(text)
    // Clients take the items as they are done, and the response for its usage alone.
    const items = isStream
      ? events
          .filter((event) => at(event, 'type') === 'response.output_item.done')
          .map((event) => at(event, 'item'))
      : listAt(response, 'output')
    const of = (type: string) => items.filter((item) => at(item, 'type') === type)
    return {
      text: of('message')
        .map((item) => textAt(item, 'content', 0, 'text'))
        .join(''),
      thought: of('reasoning')
        .map((item) => textAt(item, 'summary', 0, 'text'))
        .join(''),
      calls: of('function_call').map((item) => ({
        name: textAt(item, 'name'),
        input: parsed(textAt(item, 'arguments')),
      })),
      usage: [
        numberAt(response, 'usage', 'input_tokens'),
        numberAt(response, 'usage', 'input_tokens_details', 'cached_tokens'),
        numberAt(response, 'usage', 'output_tokens'),
      ],
      stop: textAt(response, 'status'),
    }
  },
}

const chat: TestClient = {
  path: () => '/v1/chat/completions',
  body: ({ prompt, isStream, tools = [] }) => ({
    model: 'm',
    stream: isStream,
    messages: [
      { role: 'system', content: 'You are tested.' },
      { role: 'user', content: prompt },
    ],
    tools: tools.map(({ name, schema }) => ({ type: 'function', function: { name, parameters: schema } })),
  }),
  read: (text, { isStream }) => {
    const chunks = isStream ? dataOf(text) : [parsed(text)]
    const choices = chunks.flatMap((chunk) => listAt(chunk, 'choices'))
    const parts = choices.map((choice) => at(choice, isStream ? 'delta' : 'message'))
    const calls: { name: string; json: string }[] = []
    for (const piece of parts.flatMap((part) => listAt(part, 'tool_calls'))) {
      const name = textAt(piece, 'function', 'name')
      if (name !== '') calls.push({ name, json: '' })
      const last = calls.at(-1)
      if (last !== undefined) last.json += textAt(piece, 'function', 'arguments')
    }
    const usage = at(chunks.at(-1), 'usage')
    return {
      text: parts.map((part) => textAt(part, 'content')).join(''),
      thought: parts.map((part) => textAt(part, 'reasoning_content')).join(''),
      calls: calls.map(({ name, json }) => ({ name, input: parsed(json) })),
      usage: [
        numberAt(usage, 'prompt_tokens'),
        numberAt(usage, 'prompt_tokens_details', 'cached_tokens'),
        numberAt(usage, 'completion_tokens'),
      ],
      stop: textAt(choices.at(-1), 'finish_reason'),
    }
  },
}

const gemini: TestClient = {
  path: ({ isStream }) =>
    `/v1beta/models/m:${isStream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
  body: ({ prompt, tools = [] }) => ({
    systemInstruction: { role: 'user', parts: [{ text: 'You are tested.' }] },
    contents: [{ role: 'user', parts: [{ text: prompt }] }],
    tools: [
      { functionDeclarations: tools.map(({ name, schema }) => ({ name, parametersJsonSchema: schema })) },
    ],
  }),
  read: (text, { isStream }) => {
    const chunks = isStream ? dataOf(text) : [parsed(text)]
    const candidates = chunks.flatMap((chunk) => listAt(chunk, 'candidates'))
    const parts = candidates.flatMap((one) => listAt(one, 'content', 'parts'))
    const isThought = (part: unknown) => at(part, 'thought') === true
    const usage = at(chunks.at(-1), 'usageMetadata')
    return {
      text: parts
        .filter((part) => !isThought(part))
        .map((part) => textAt(part, 'text'))
        .join(''),
      thought: parts
        .filter(isThought)
        .map((part) => textAt(part, 'text'))
        .join(''),
      calls: parts
        .filter((part) => at(part, 'functionCall') !== undefined)
        .map((part) => ({
          name: textAt(part, 'functionCall', 'name'),
          input: at(part, 'functionCall', 'args'),
        })),
      usage: [
        numberAt(usage, 'promptTokenCount'),
        numberAt(usage, 'cachedContentTokenCount'),
        numberAt(usage, 'candidatesTokenCount') + numberAt(usage, 'thoughtsTokenCount'),
      ],
      stop: textAt(candidates.at(-1), 'finishReason'),
    }
  },
}

export const CLIENTS = { anthropic, responses, chat, gemini } as const
