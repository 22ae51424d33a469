/** OpenAI's Responses. */
import { z } from 'zod'
import type { ModelRequest, OfferedTool, ToolResult } from '../request.ts'
import { openAiFailure, openAiError } from './openai-failure.ts'
import { inputText, pieces, type Reply, type StreamEvent, type Wire } from './wire.ts'

const part = z.looseObject({ type: z.string(), text: z.string().optional() })
const content = z.union([z.string(), z.array(part)])
const schema = z.record(z.string(), z.unknown())

const item = z.looseObject({
  type: z.string().optional(),
  role: z.string().optional(),
  content: content.nullish(),
  call_id: z.string().optional(),
  output: z.unknown().optional(),
})

const tool = z.looseObject({
  type: z.string(),
  name: z.string().optional(),
  parameters: schema.nullish(),
  /** Of a namespace. */
  tools: z.unknown().optional(),
})

const body = z.looseObject({
  model: z.string(),
  stream: z.boolean().nullish(),
  instructions: z.string().nullish(),
  input: z.union([z.string(), z.array(item)]),
  tools: z.array(tool).nullish(),
  text: z.looseObject({ format: z.looseObject({ schema: schema.optional() }).nullish() }).nullish(),
})

const textOf = (from: z.infer<typeof content> | null | undefined): string =>
  typeof from === 'string' ? from : (from ?? []).flatMap(({ text }) => text ?? []).join('\n')

function resultText(output: unknown): string {
  if (typeof output === 'string') return output
  const parts = content.safeParse(output)
  return parts.success ? textOf(parts.data) : JSON.stringify(output ?? null)
}

function toolsOf(from: readonly z.infer<typeof tool>[], namespace: string | null): readonly OfferedTool[] {
  return from.flatMap(({ type, name, parameters, tools }): readonly OfferedTool[] => {
    if (type === 'namespace') return toolsOf(z.array(tool).parse(tools), name ?? null)
    // Tools without a name run at the provider.
    if (name === undefined || (type !== 'function' && type !== 'custom')) return []
    return [{ name, namespace, form: type, schema: parameters ?? {} }]
  })
}

function parse(from: unknown, { lane }: { readonly lane: string }): ModelRequest {
  const request = body.parse(from)
  const items =
    typeof request.input === 'string'
      ? [{ role: 'user', content: request.input, output: null }]
      : request.input
  const messages = items.flatMap((one) => {
    const { role, content: said } = one
    return role === undefined ? [] : [{ role, text: textOf(said) }]
  })
  const isSystem = ({ role }: { readonly role: string }) => role === 'system' || role === 'developer'
  return {
    wire: 'responses',
    model: request.model,
    isStream: request.stream === true,
    lane,
    system: [request.instructions ?? '', ...messages.filter(isSystem).map(({ text }) => text)].join('\n'),
    messages: messages
      .filter((message) => !isSystem(message))
      .map(({ role, text }) => ({ role: role === 'assistant' ? 'assistant' : 'user', text })),
    results: items.flatMap((one): readonly ToolResult[] =>
      'call_id' in one && one.output !== undefined && (one.type ?? '').endsWith('_output')
        ? [{ call: one.call_id ?? '', text: resultText(one.output), isError: false }]
        : [],
    ),
    tools: toolsOf(request.tools ?? [], null),
    answerSchema: request.text?.format?.schema ?? null,
  }
}

const response = (reply: Reply, status: string, output: readonly unknown[]) => ({
  id: `resp_${reply.id}`,
  object: 'response',
  created_at: 1_700_000_000,
  status,
  model: reply.model,
  output,
  parallel_tool_calls: true,
  error: null,
  incomplete_details: null,
  usage: status === 'completed' ? usageOf(reply) : null,
})

const usageOf = ({ usage }: Reply) => ({
  input_tokens: usage.input + usage.cached,
  input_tokens_details: { cached_tokens: usage.cached },
  output_tokens: usage.output,
  output_tokens_details: { reasoning_tokens: usage.reasoning },
  total_tokens: usage.input + usage.cached + usage.output,
})

/** An item of the answer: as it begins, what streams in, and as it ends. */
interface Output {
  readonly first: unknown
  readonly deltas: readonly StreamData[]
  readonly last: unknown
}
type StreamData = { readonly type: string } & Readonly<Record<string, unknown>>

const outputsOf = (reply: Reply): readonly Output[] => [
  ...(reply.thought === '' ? [] : [reasoning(reply)]),
  ...(reply.text === '' ? [] : [spoken(reply)]),
  ...reply.calls.map(called),
]

function reasoning({ id, thought }: Reply): Output {
  const head = { id: `rs_${id}`, type: 'reasoning' }
  const at = { item_id: head.id, summary_index: 0 }
  const text = { type: 'summary_text', text: thought }
  return {
    first: { ...head, summary: [] },
    deltas: [
      { type: 'response.reasoning_summary_part.added', ...at, part: { ...text, text: '' } },
      ...pieces(thought).map((delta) => ({ type: 'response.reasoning_summary_text.delta', ...at, delta })),
      { type: 'response.reasoning_summary_text.done', ...at, text: thought },
      { type: 'response.reasoning_summary_part.done', ...at, part: text },
    ],
    last: { ...head, summary: [text] },
  }
}

function spoken({ id, text }: Reply): Output {
  const head = { id: `msg_${id}`, type: 'message', role: 'assistant' }
  const at = { item_id: head.id, content_index: 0 }
  const said = { type: 'output_text', text, annotations: [] }
  return {
    first: { ...head, status: 'in_progress', content: [] },
    deltas: [
      { type: 'response.content_part.added', ...at, part: { ...said, text: '' } },
      ...pieces(text).map((delta) => ({ type: 'response.output_text.delta', ...at, delta })),
      { type: 'response.output_text.done', ...at, text },
      { type: 'response.content_part.done', ...at, part: said },
    ],
    last: { ...head, status: 'completed', content: [said] },
  }
}

function called(call: Reply['calls'][number]): Output {
  const isCustom = call.tool.form === 'custom'
  const [type, field, events] = isCustom
    ? (['custom_tool_call', 'input', 'response.custom_tool_call_input'] as const)
    : (['function_call', 'arguments', 'response.function_call_arguments'] as const)
  const text = inputText(call)
  const head = {
    id: `${isCustom ? 'ctc' : 'fc'}_${call.id}`,
    type,
    call_id: `call_${call.id}`,
    name: call.tool.name,
    ...(call.tool.namespace === null ? {} : { namespace: call.tool.namespace }),
  }
  return {
    first: { ...head, status: 'in_progress', [field]: '' },
    deltas: [
      ...pieces(text).map((delta) => ({ type: `${events}.delta`, item_id: head.id, delta })),
      { type: `${events}.done`, item_id: head.id, [field]: text },
    ],
    last: { ...head, status: 'completed', [field]: text },
  }
}

const whole = (reply: Reply): unknown =>
  response(
    reply,
    'completed',
    outputsOf(reply).map(({ last }) => last),
  )

function stream(reply: Reply): readonly StreamEvent[] {
  const outputs = outputsOf(reply)
  const all: readonly StreamData[] = [
    { type: 'response.created', response: response(reply, 'in_progress', []) },
    { type: 'response.in_progress', response: response(reply, 'in_progress', []) },
    ...outputs.flatMap(({ first, deltas, last }, output_index) => [
      { type: 'response.output_item.added', output_index, item: first },
      ...deltas.map((delta) => ({ ...delta, output_index })),
      { type: 'response.output_item.done', output_index, item: last },
    ]),
    { type: 'response.completed', response: whole(reply) },
  ]
  return all.map((data, sequence_number) => ({ event: data.type, data: { ...data, sequence_number } }))
}

export const responses: Wire = {
  name: 'responses',
  parse,
  whole,
  stream,
  failure: openAiFailure,
  errorEvent: (step, now) => ({
    event: 'response.failed',
    data: {
      type: 'response.failed',
      response: {
        id: 'resp_failed',
        object: 'response',
        status: 'failed',
        error: openAiError(step, now),
        output: [],
      },
    },
  }),
}
