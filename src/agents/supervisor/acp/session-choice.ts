/** Sets the model and the effort of a session by the options that its agent offers. */
import { z } from 'zod'
import { quoted } from '../../../lib/text/quoted.ts'
import type { SessionChoice } from '../../with-choice.ts'
import type { Ask } from './open-session.ts'
import { messageOf } from './rpc-errors.ts'

export interface ChoiceParts {
  readonly session: string
  readonly choice: SessionChoice
  readonly ask: Ask
  readonly onNote: (text: string) => void
}

/** The settings want a model or an effort that the agent does not have. The agent works; it must not begin. */
export class ChoiceRefused extends Error {
  override readonly name = 'ChoiceRefused'
}

const MAX_VALUES = 1000
const value = z.object({ value: z.string().max(500), name: z.string().max(500).catch('') })
const optionSchema = z.object({
  id: z.string().max(200),
  category: z.string().max(200).nullish().catch(null),
  currentValue: z.string().max(500),
  options: z.array(z.unknown()).max(MAX_VALUES).catch([]),
})
const answerSchema = z.object({ configOptions: z.array(z.unknown()).max(100) })
const groupSchema = z.object({ options: z.array(z.unknown()).max(MAX_VALUES) })

interface Option {
  readonly id: string
  readonly category: string | null
  readonly current: string
  readonly values: readonly z.infer<typeof value>[]
}

const EFFORT_IDS = ['effort', 'reasoning_effort', 'thinking', 'thinking_level']

/** `answer` is what the agent answered when it opened the session. Returns the model that it uses, where it says so. */
export async function setChoice(answer: unknown, parts: ChoiceParts): Promise<string | null> {
  const { modelLike, effort } = parts.choice
  let options = optionsIn(answer)
  const isWanted = parts.choice.model === null && modelLike !== null
  const small = isWanted ? modelNamed(find(options, 'model'), modelLike) : null
  if (isWanted && small === null) parts.onNote(`${noSmall(modelLike)}, so it works with its own`)
  const model = parts.choice.model ?? small
  if (model !== null)
    options = await setOne(options, { ...parts, what: 'model', wanted: model, isMust: small === null })
  if (effort !== null)
    options = await setOne(options, {
      ...parts,
      what: 'effort',
      wanted: effort.level,
      isMust: effort.by === 'settings',
    })
  return find(options, 'model')?.current ?? model
}

const noSmall = (modelLike: readonly string[]): string =>
  modelLike.length === 0
    ? 'which of its models are small is not known'
    : `it lists no model like ${modelLike.join(' or ')}`

interface Setting extends ChoiceParts {
  readonly what: 'model' | 'effort'
  readonly wanted: string
  readonly isMust: boolean
}

/** Which efforts there are may depend on the model, so every answer brings the options again. */
async function setOne(options: readonly Option[], setting: Setting): Promise<readonly Option[]> {
  const { what, wanted, isMust, session, ask, onNote } = setting
  const option = find(options, what)
  const known = option === undefined ? undefined : matching(option, wanted)
  if (option === undefined || (known === undefined && !isMust)) {
    if (isMust)
      throw new ChoiceRefused(`it offers no choice of ${what === 'model' ? 'a model' : 'an effort'}`)
    return options
  }
  if (known?.value === option.current) return options
  try {
    const answer = await ask('session/set_config_option', {
      sessionId: session,
      configId: option.id,
      // Some know more names than they list, such as the family of a model.
      value: known?.value ?? wanted,
    })
    const now = optionsIn(answer)
    return now.length === 0 ? options.map((one) => (one === option ? { ...one, current: wanted } : one)) : now
  } catch (error) {
    const why = `it does not take ${what} ${quoted(wanted, 200)}${offered(option)} (${messageOf(error)})`
    if (isMust) throw new ChoiceRefused(why, { cause: error })
    onNote(why)
    return options
  }
}

/** The one that it uses, where that is such a model already. */
function modelNamed(option: Option | undefined, like: readonly string[]): string | null {
  const current = option?.values.filter((one) => one.value === option.current) ?? []
  for (const part of like) {
    const isLike = ({ value: id, name }: z.infer<typeof value>): boolean =>
      [id, name].some((text) => text.toLowerCase().includes(part))
    const found = [...current, ...(option?.values ?? [])].find(isLike)
    if (found !== undefined) return found.value
  }
  return null
}

function find(options: readonly Option[], what: Setting['what']): Option | undefined {
  const category = what === 'model' ? 'model' : 'thought_level'
  const ids = what === 'model' ? ['model'] : EFFORT_IDS
  return (
    options.find((option) => option.category === category) ??
    options.find((option) => ids.includes(option.id.toLowerCase()))
  )
}

const matching = ({ values }: Option, wanted: string): z.infer<typeof value> | undefined =>
  values.find((one) => one.value === wanted) ??
  values.find((one) => [one.value, one.name].some((text) => text.toLowerCase() === wanted.toLowerCase()))

const MOST_OFFERED = 30

function offered({ values }: Option): string {
  if (values.length === 0) return ''
  const names = values.slice(0, MOST_OFFERED).map((one) => quoted(one.value, 200))
  const more = values.length > MOST_OFFERED ? ` and ${values.length - MOST_OFFERED} more` : ''
  return `; it offers ${names.join(', ')}${more}`
}

/** What cannot be read is no option. Values may stand in groups. */
function optionsIn(answer: unknown): readonly Option[] {
  const { configOptions = [] } = answerSchema.safeParse(answer).data ?? {}
  return configOptions.flatMap((one) => {
    const { data } = optionSchema.safeParse(one)
    if (data === undefined) return []
    const listed = data.options.flatMap((entry) => groupSchema.safeParse(entry).data?.options ?? [entry])
    const values = listed.flatMap((entry) => value.safeParse(entry).data ?? [])
    return [{ id: data.id, category: data.category ?? null, current: data.currentValue, values }]
  })
}
