/** OpenAI's Chat Completions, which many other providers speak. */
import { z } from 'zod'
import type { ModelRequest } from '../request.ts'
import { openAiError, openAiFailure } from './openai-failure.ts'
import { inputText, pieces, type Reply, type StreamEvent, type Wire } from './wire.ts'

const content = z.union([
  z.string(),
  z.array(z.looseObject({ type: z.string(), text: z.string().optional() })),
])
const schema = z.record(z.string(), z.unknown())

const body = z.looseObject({
  model: z.string(),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().optional() }).nullish(),
  messages: z
    .array(
      z.looseObject({ role: z.string(), content: content.nullish(), tool_call_id: z.string().optional() }),
    )
    .min(1),
  tools: z
    .array(
      z.looseObject({
        type: z.literal('function'),
        function: z.looseObject({ name: z.string(), parameters: schema.nullish() }),
      }),
    )
    .nullish(),
  response_format: z
    .looseObject({ type: z.string(), json_schema: z.looseObject({ schema: schema.optional() }).optional() })
    .nullish(),
})

const textOf = (from: z.infer<typeof content> | null | undefined): string =>
  typeof from === 'string' ? from : (from ?? []).flatMap(({ text }) => text ?? []).join('\n')

function parse(from: unknown, { lane }: { readonly lane: string }): ModelRequest {
  const request = body.parse(from)
  const said = request.messages.map(({ role, content, tool_call_id }) => ({
    role,
    text: textOf(content),
    call: tool_call_id ?? '',
  }))
  return {
    wire: 'chat',
    model: request.model,
    isStream: request.stream === true,
    lane,
    system: said
      .filter(({ role }) => role === 'system' || role === 'developer')
      .map(({ text }) => text)
      .join('\n'),
    messages: said.flatMap(({ role, text }) =>
      (role === 'user' || role === 'assistant') && text !== '' ? [{ role, text } as const] : [],
    ),
    results: said.flatMap(({ role, call, text }) =>
      role === 'tool' ? [{ call, text, isError: false }] : [],
    ),
    tools: (request.tools ?? []).map(({ function: { name, parameters } }) => ({
      name,
      namespace: null,
      form: 'function',
      schema: parameters ?? {},
    })),
    answerSchema:
      request.response_format?.json_schema?.schema ??
      (request.response_format?.type === 'json_object' ? { type: 'object' } : null),
  }
}

const head = ({ id, model }: Reply, object: string) => ({
  id: `chatcmpl-${id}`,
  object,
  created: 1_700_000_000,
  model,
  system_fingerprint: 'fp_scripted',
})

const usageOf = ({ usage }: Reply) => ({
  prompt_tokens: usage.input + usage.cached,
  completion_tokens: usage.output,
  total_tokens: usage.input + usage.cached + usage.output,
  prompt_tokens_details: { cached_tokens: usage.cached },
  completion_tokens_details: { reasoning_tokens: usage.reasoning },
})

const finishReason = ({ calls }: Reply): string => (calls.length > 0 ? 'tool_calls' : 'stop')

const callOf = (call: Reply['calls'][number], text: string) => ({
  id: `call_${call.id}`,
  type: 'function',
  function: { name: call.tool.name, arguments: text },
})

const whole = (reply: Reply): unknown => ({
  ...head(reply, 'chat.completion'),
  choices: [
    {
      index: 0,
      message: {
        role: 'assistant',
        content: reply.text === '' ? null : reply.text,
        ...(reply.thought === '' ? {} : { reasoning_content: reply.thought }),
        ...(reply.calls.length === 0
          ? {}
          : { tool_calls: reply.calls.map((call) => callOf(call, inputText(call))) }),
      },
      logprobs: null,
      finish_reason: finishReason(reply),
    },
  ],
  usage: usageOf(reply),
})

/** The usage comes in a chunk of its own without choices; clients that did not ask for it skip that. */
function stream(reply: Reply): readonly StreamEvent[] {
  const chunk = (delta: Readonly<Record<string, unknown>>, finish_reason: string | null = null) => ({
    ...head(reply, 'chat.completion.chunk'),
    choices: [{ index: 0, delta, logprobs: null, finish_reason }],
  })
  const chunks: readonly unknown[] = [
    chunk({ role: 'assistant', content: '' }),
    ...pieces(reply.thought).map((reasoning_content) => chunk({ reasoning_content })),
    ...pieces(reply.text).map((content) => chunk({ content })),
    ...reply.calls.flatMap((call, index) => [
      chunk({ tool_calls: [{ index, ...callOf(call, '') }] }),
      ...pieces(inputText(call)).map((text) =>
        chunk({ tool_calls: [{ index, function: { arguments: text } }] }),
      ),
    ]),
    chunk({}, finishReason(reply)),
    { ...head(reply, 'chat.completion.chunk'), choices: [], usage: usageOf(reply) },
  ]
  return [...chunks, '[DONE]'].map((data) => ({ event: null, data }))
}

export const chat: Wire = {
  name: 'chat',
  parse,
  whole,
  stream,
  failure: openAiFailure,
  errorEvent: (step, now) => ({ event: null, data: { error: openAiError(step, now) } }),
}
