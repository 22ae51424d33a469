/** Anthropic's Messages. */
import { z } from 'zod'
import type { ModelRequest, ToolResult } from '../request.ts'
import type { FailStep } from '../script.ts'
import {
  inputText,
  pieces,
  secondsOf,
  type HttpFailure,
  type Reply,
  type StreamEvent,
  type Wire,
} from './wire.ts'

const block = z.looseObject({
  type: z.string(),
  text: z.string().optional(),
  tool_use_id: z.string().optional(),
  is_error: z.boolean().nullish(),
  /** Of a tool's result. */
  content: z.unknown().optional(),
})
type Block = z.infer<typeof block>

const content = z.union([z.string(), z.array(block)])

const body = z.looseObject({
  model: z.string(),
  max_tokens: z.number(),
  stream: z.boolean().optional(),
  system: content.optional(),
  messages: z.array(z.looseObject({ role: z.string(), content })).min(1),
  tools: z
    .array(
      z.looseObject({
        name: z.string(),
        type: z.string().nullish(),
        input_schema: z.record(z.string(), z.unknown()).optional(),
      }),
    )
    .optional(),
  output_config: z
    .looseObject({ format: z.looseObject({ schema: z.unknown().optional() }).nullish() })
    .nullish(),
  output_format: z.looseObject({ schema: z.unknown().optional() }).nullish(),
})

const blocksOf = (from: string | readonly Block[] | undefined): readonly Block[] =>
  typeof from === 'string' ? [{ type: 'text', text: from, content: null }] : (from ?? [])

const textOf = (from: string | readonly Block[] | undefined): string =>
  blocksOf(from)
    .flatMap((one) => (one.type === 'text' && one.text !== undefined ? [one.text] : []))
    .join('\n')

const resultsOf = (blocks: readonly Block[]): readonly ToolResult[] =>
  blocks.flatMap((one) =>
    one.type === 'tool_result'
      ? [
          {
            call: one.tool_use_id ?? '',
            text: textOf(content.safeParse(one.content).data),
            isError: one.is_error === true,
          },
        ]
      : [],
  )

function parse(from: unknown, { lane }: { readonly lane: string }): ModelRequest {
  const request = body.parse(from)
  const schema = request.output_config?.format?.schema ?? request.output_format?.schema
  return {
    wire: 'anthropic',
    model: request.model,
    isStream: request.stream === true,
    lane,
    system: textOf(request.system),
    messages: request.messages.flatMap((message) => {
      const text = textOf(message.content)
      return text === '' ? [] : [{ role: message.role === 'assistant' ? 'assistant' : 'user', text } as const]
    }),
    results: request.messages.flatMap((message) => resultsOf(blocksOf(message.content))),
    // Tools without a schema run at the provider.
    tools: (request.tools ?? []).flatMap(({ name, input_schema }) =>
      input_schema === undefined
        ? []
        : [{ name, namespace: null, form: 'function' as const, schema: input_schema }],
    ),
    answerSchema: typeof schema === 'object' && schema !== null ? { ...schema } : null,
  }
}

const usageOf = ({ usage }: Reply, output: number) => ({
  input_tokens: usage.input,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: usage.cached,
  output_tokens: output,
})

const stopReason = ({ calls }: Reply): string => (calls.length > 0 ? 'tool_use' : 'end_turn')

const message = (reply: Reply, blocks: readonly unknown[]) => ({
  id: `msg_${reply.id}`,
  type: 'message',
  role: 'assistant',
  model: reply.model,
  content: blocks,
  stop_sequence: null,
})

const SIGNATURE = 'c2NyaXB0ZWQ='

const whole = (reply: Reply): unknown => ({
  ...message(reply, [
    ...(reply.thought === '' ? [] : [{ type: 'thinking', thinking: reply.thought, signature: SIGNATURE }]),
    ...(reply.text === '' ? [] : [{ type: 'text', text: reply.text }]),
    ...reply.calls.map(({ id, tool, input }) => ({
      type: 'tool_use',
      id: `toolu_${id}`,
      name: tool.name,
      input,
    })),
  ]),
  stop_reason: stopReason(reply),
  usage: usageOf(reply, reply.usage.output),
})

function stream(reply: Reply): readonly StreamEvent[] {
  const blocks: readonly (readonly [start: unknown, deltas: readonly unknown[]])[] = [
    ...(reply.thought === ''
      ? []
      : [
          [
            { type: 'thinking', thinking: '', signature: '' },
            [
              ...pieces(reply.thought).map((thinking) => ({ type: 'thinking_delta', thinking })),
              { type: 'signature_delta', signature: SIGNATURE },
            ],
          ] as const,
        ]),
    ...(reply.text === ''
      ? []
      : [
          [
            { type: 'text', text: '' },
            pieces(reply.text).map((text) => ({ type: 'text_delta', text })),
          ] as const,
        ]),
    ...reply.calls.map(
      (call) =>
        [
          { type: 'tool_use', id: `toolu_${call.id}`, name: call.tool.name, input: {} },
          pieces(inputText(call)).map((partial_json) => ({ type: 'input_json_delta', partial_json })),
        ] as const,
    ),
  ]
  const started = { ...message(reply, []), stop_reason: null, usage: usageOf(reply, 1) }
  return [
    event({ type: 'message_start', message: started }),
    event({ type: 'ping' }),
    ...blocks.flatMap(([start, deltas], index) => [
      event({ type: 'content_block_start', index, content_block: start }),
      ...deltas.map((delta) => event({ type: 'content_block_delta', index, delta })),
      event({ type: 'content_block_stop', index }),
    ]),
    event({
      type: 'message_delta',
      delta: { stop_reason: stopReason(reply), stop_sequence: null },
      usage: usageOf(reply, reply.usage.output),
    }),
    event({ type: 'message_stop' }),
  ]
}

const event = (data: { readonly type: string } & Readonly<Record<string, unknown>>): StreamEvent => ({
  event: data.type,
  data,
})

const FAILURES = {
  signed_out: [401, 'authentication_error', 'invalid x-api-key'],
  limited: [429, 'rate_limit_error', 'This request would exceed your rate limit.'],
  overloaded: [529, 'overloaded_error', 'Overloaded'],
  broken: [500, 'api_error', 'Internal server error'],
} as const

function failure(step: FailStep, now: number): HttpFailure {
  const [status] = FAILURES[step.why]
  return { status, headers: limitHeaders(step, now), body: errorBody(step) }
}

function limitHeaders({ resetMs, limit }: FailStep, now: number): Readonly<Record<string, string>> {
  if (resetMs === null) return {}
  const retry = { 'retry-after': String(secondsOf(resetMs)) }
  return limit === 'usage'
    ? {
        ...retry,
        'anthropic-ratelimit-unified-status': 'rejected',
        'anthropic-ratelimit-unified-representative-claim': 'five_hour',
        'anthropic-ratelimit-unified-reset': String(secondsOf(now + resetMs)),
      }
    : {
        ...retry,
        'anthropic-ratelimit-requests-limit': '50',
        'anthropic-ratelimit-requests-remaining': '0',
        'anthropic-ratelimit-requests-reset': new Date(now + resetMs).toISOString(),
      }
}

function errorBody({ why }: FailStep) {
  const [, type, text] = FAILURES[why]
  return { type: 'error', error: { type, message: text }, request_id: 'req_scripted' }
}

export const anthropic: Wire = {
  name: 'anthropic',
  parse,
  whole,
  stream,
  failure,
  errorEvent: (step) => event(errorBody(step)),
}
