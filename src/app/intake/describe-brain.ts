/** Who is asked about a request, what that may cost and how long it takes: shown before it is asked. */
import { brainModels, isAgent, isWithoutBrain } from '../../core/settings/brain-settings.ts'
import type { Settings } from '../../core/settings/settings.ts'

/** A request with the list of the files and what is quoted of some, and the answer. */
const TOKENS_IN = 13_000
const TOKENS_OUT = 2000

/** Null where nobody is asked. */
export function describeBrain(settings: Settings): string | null {
  const { brain, prices } = settings
  if (isWithoutBrain(settings)) return null
  const model = brainModels(brain)?.large ?? null
  if (isAgent(brain))
    return 'asking the coding agent, which reads the code: about 20k tokens or more, one to three minutes'
  const price = model === null ? undefined : { ...prices, ...brain.prices }[model]
  const cost =
    price === undefined
      ? ''
      : ` (about $${((price.input * TOKENS_IN + price.output * TOKENS_OUT) / 1_000_000).toFixed(2)})`
  return `asking ${brain.provider}/${model ?? 'its model'}: about ${(TOKENS_IN + TOKENS_OUT) / 1000}k tokens${cost}, usually under a minute`
}
