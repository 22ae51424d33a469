/** Gemini's generateContent and streamGenerateContent. */
import { z } from 'zod'
import type { ModelRequest } from '../request.ts'
import type { FailStep } from '../script.ts'
import {
  pieces,
  secondsOf,
  type Address,
  type HttpFailure,
  type Reply,
  type StreamEvent,
  type Wire,
} from './wire.ts'

const schema = z.record(z.string(), z.unknown())

const part = z.looseObject({
  text: z.string().optional(),
  thought: z.boolean().optional(),
  functionResponse: z
    .looseObject({ id: z.string().optional(), name: z.string().optional(), response: z.unknown().optional() })
    .optional(),
})
const contents = z.looseObject({ role: z.string().optional(), parts: z.array(part).optional() })

const body = z.looseObject({
  contents: z.array(contents).min(1),
  systemInstruction: z.union([z.string(), contents]).nullish(),
  tools: z
    .array(
      z.looseObject({
        functionDeclarations: z
          .array(
            z.looseObject({
              name: z.string(),
              parameters: schema.optional(),
              parametersJsonSchema: schema.optional(),
            }),
          )
          .optional(),
      }),
    )
    .nullish(),
  generationConfig: z
    .looseObject({
      responseMimeType: z.string().optional(),
      responseSchema: schema.optional(),
      responseJsonSchema: schema.optional(),
    })
    .nullish(),
})

const textOf = (from: z.infer<typeof contents>): string =>
  (from.parts ?? []).flatMap(({ text, thought }) => (thought === true ? [] : (text ?? []))).join('\n')

function parse(from: unknown, { lane, model, isStream }: Address): ModelRequest {
  const request = body.parse(from)
  const { systemInstruction: system, generationConfig: config } = request
  return {
    wire: 'gemini',
    model,
    isStream,
    lane,
    system: typeof system === 'string' ? system : textOf(system ?? {}),
    messages: request.contents.flatMap((one) => {
      const text = textOf(one)
      return text === '' ? [] : [{ role: one.role === 'model' ? 'assistant' : 'user', text } as const]
    }),
    results: request.contents
      .flatMap(({ parts }) => parts ?? [])
      .flatMap(({ functionResponse }) => {
        if (functionResponse === undefined) return []
        const { id, name, response } = functionResponse
        const isError = typeof response === 'object' && response !== null && 'error' in response
        return [{ call: id ?? name ?? '', text: JSON.stringify(response ?? null), isError }]
      }),
    tools: (request.tools ?? [])
      .flatMap(({ functionDeclarations }) => functionDeclarations ?? [])
      .map(({ name, parameters, parametersJsonSchema }) => ({
        name,
        namespace: null,
        form: 'function',
        schema: parametersJsonSchema ?? parameters ?? {},
      })),
    answerSchema:
      config?.responseJsonSchema ??
      config?.responseSchema ??
      (config?.responseMimeType === 'application/json' ? { type: 'object' } : null),
  }
}

type Part = Readonly<Record<string, unknown>>

function chunk(reply: Reply, parts: readonly Part[], more: Readonly<Record<string, unknown>> = {}) {
  return {
    candidates: [{ content: { role: 'model', parts }, index: 0, ...more }],
    modelVersion: reply.model,
    responseId: reply.id,
  }
}

const usageOf = ({ usage }: Reply) => ({
  promptTokenCount: usage.input + usage.cached,
  cachedContentTokenCount: usage.cached,
  candidatesTokenCount: usage.output - usage.reasoning,
  thoughtsTokenCount: usage.reasoning,
  totalTokenCount: usage.input + usage.cached + usage.output,
})

const callParts = ({ calls }: Reply): readonly Part[] =>
  calls.map(({ id, tool, input }) => ({ functionCall: { id: `call_${id}`, name: tool.name, args: input } }))

const whole = (reply: Reply): unknown => ({
  ...chunk(
    reply,
    [
      ...(reply.thought === '' ? [] : [{ text: reply.thought, thought: true }]),
      ...(reply.text === '' ? [] : [{ text: reply.text }]),
      ...callParts(reply),
    ],
    { finishReason: 'STOP' },
  ),
  usageMetadata: usageOf(reply),
})

/** Calls are never cut into pieces; what the last chunk has is all that ends the stream. */
function stream(reply: Reply): readonly StreamEvent[] {
  const chunks: readonly unknown[] = [
    ...pieces(reply.thought).map((text) => chunk(reply, [{ text, thought: true }])),
    ...pieces(reply.text).map((text) => chunk(reply, [{ text }])),
    ...callParts(reply).map((one) => chunk(reply, [one])),
    { ...chunk(reply, [{ text: '' }], { finishReason: 'STOP' }), usageMetadata: usageOf(reply) },
  ]
  return chunks.map((data) => ({ event: null, data }))
}

const FAILURES = {
  signed_out: [401, 'UNAUTHENTICATED', 'API key not valid. Please pass a valid API key.'],
  limited: [429, 'RESOURCE_EXHAUSTED', 'You exceeded your current quota.'],
  overloaded: [503, 'UNAVAILABLE', 'The model is overloaded. Please try again later.'],
  broken: [500, 'INTERNAL', 'An internal error has occurred.'],
} as const

function errorBody({ why, resetMs, limit }: FailStep) {
  const [code, status, message] = FAILURES[why]
  const type = (name: string) => `type.googleapis.com/google.rpc.${name}`
  const quotaId =
    limit === 'usage'
      ? 'GenerateRequestsPerDayPerProjectPerModel'
      : 'GenerateRequestsPerMinutePerProjectPerModel'
  const details =
    resetMs === null
      ? []
      : [
          { '@type': type('QuotaFailure'), violations: [{ quotaId, quotaValue: '50' }] },
          { '@type': type('RetryInfo'), retryDelay: `${secondsOf(resetMs)}s` },
        ]
  return { error: { code, message, status, details } }
}

function failure(step: FailStep): HttpFailure {
  const headers = step.resetMs === null ? {} : { 'retry-after': String(secondsOf(step.resetMs)) }
  return { status: FAILURES[step.why][0], headers, body: errorBody(step) }
}

export const gemini: Wire = {
  name: 'gemini',
  parse,
  whole,
  stream,
  failure,
  errorEvent: (step) => ({ event: null, data: errorBody(step) }),
}
