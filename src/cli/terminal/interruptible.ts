import type { Dialogue } from './terminal.ts'

/** Asks until Ctrl-C; from then on the answer is null, as at the end of the input. */
export function interruptible(dialogue: Dialogue, interrupted: AbortSignal): Dialogue['ask'] {
  const { promise, resolve } = Promise.withResolvers<null>()
  if (interrupted.aborted) resolve(null)
  else interrupted.addEventListener('abort', () => resolve(null), { once: true })
  return (question) => Promise.race([promise, dialogue.ask(question)])
}
