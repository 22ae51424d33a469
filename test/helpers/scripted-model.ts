/** A model that replies as scripted, in order; the last step is repeated. */
import { ModelError, type Model, type ModelReply, type ModelRequest } from '../../src/ports/brain.ts'

export const HANG = Symbol('hang')
export type ModelStep = string | ModelError | typeof HANG

export interface ScriptedModel extends Model {
  readonly requests: readonly ModelRequest[]
}

export function scriptedModel(...steps: readonly ModelStep[]): ScriptedModel {
  const requests: ModelRequest[] = []
  return {
    service: 'acme',
    isRetried: true,
    usdOfFailure: 0,
    requests,
    nameOf: (size) => `acme-${size}`,
    async ask(request, signal) {
      const step = steps[Math.min(requests.length, steps.length - 1)] ?? ''
      requests.push(request)
      if (step instanceof ModelError) throw step
      if (step !== HANG) return replyOf(step, request)
      return new Promise<never>((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
      })
    },
    check: async () => ({ service: 'acme', ok: true, why: null }),
  }
}

const replyOf = (text: string, { size }: ModelRequest): ModelReply => ({
  text,
  model: `acme-${size}`,
  tokensIn: 1000,
  tokensOut: 100,
  tokensCached: 0,
})
