/** A model whose answers and errors name the secrets that Bosun holds instead of holding them. */
import type { Redactor } from '../lib/text/redactor.ts'
import { ModelError, type Model } from '../ports/brain.ts'

export const hidingModel = (model: Model, hide: Redactor): Model => ({
  service: model.service,
  isRetried: model.isRetried,
  usdOfFailure: model.usdOfFailure,
  nameOf: (size) => model.nameOf(size),
  check: async (signal) => hide.inAll(await model.check(signal)),
  async ask(request, signal) {
    try {
      const reply = await model.ask(request, signal)
      return { ...reply, text: hide.text(reply.text) }
    } catch (error) {
      throw error instanceof ModelError ? new ModelError(hide.text(error.message), error.failure) : error
    }
  },
})
