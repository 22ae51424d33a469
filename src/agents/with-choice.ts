/** Runs an agent with the model and the effort that were chosen for it, or without the user's own set-up, as far as it can. */
import type { Effort } from '../core/choice/choose-agent.ts'
import { isRecord, type Fields } from '../lib/text/json.ts'
import type { AgentProfile, ChoiceArguments, ChosenAgent } from './agent-table.ts'

export interface Choice {
  readonly model: string | null
  /** Of the model to look for where none is named; absent: the agent's own. */
  readonly size?: 'small' | 'large' | undefined
  readonly effort: Effort | null
}

/** What the session of an agent has to set. */
export interface SessionChoice {
  readonly model: string | null
  /** Where a small model is wanted and none is named, what the names of such models hold; null: it keeps its own. */
  readonly modelLike: readonly string[] | null
  readonly effort: Effort | null
}

/** Any agent: over the protocol it may offer both in its session, as a command nothing is known of it. */
const argumentsOf = ({ arguments: own, protocol }: AgentProfile): ChoiceArguments =>
  own ?? (protocol === 'acp' ? { model: 'session', effort: 'session' } : { model: null, effort: null })

/** What cannot be set is left to the agent, and reported. */
export function withChoice(chosen: ChosenAgent, { model, size, effort }: Choice): ChosenAgent {
  const takes = argumentsOf(chosen)
  // The table's own choice is no reason to pass an argument that an older version may not know.
  const isSet =
    effort !== null && (takes.effort === 'session' || (takes.effort !== null && effort.by === 'settings'))
  const isSmall = model === null && size === 'small'
  const isAcp = chosen.protocol === 'acp'
  const notes = [
    ...notSettable(chosen, { model, effort }),
    ...(isSmall && !isAcp ? ['as a command it works with its own model'] : []),
  ].map((what) => `; ${what}`)
  return {
    ...chosen,
    choiceArguments: [...filled(takes.model, model), ...(isSet ? filled(takes.effort, effort.level) : [])],
    model: takes.model === null ? null : model,
    ...(isSmall && isAcp ? { modelLike: chosen.smallModels ?? [] } : {}),
    effort: isSet ? effort : null,
    why: `${chosen.why ?? ''}${notes.join('')}`,
  }
}

/** What the settings want and the agent cannot be given, one line each. */
export function notSettable(chosen: ChosenAgent, { model, effort }: Choice): readonly string[] {
  const takes = argumentsOf(chosen)
  const way = chosen.protocol === 'acp' ? 'over ACP' : 'as a command'
  return [
    ...(model !== null && takes.model === null ? [`${chosen.name} takes no model ${way}`] : []),
    ...(effort?.by === 'settings' && takes.effort === null ? [`${chosen.name} takes no effort ${way}`] : []),
  ]
}

/** Which of them the session has to set. */
export const sessionChoice = (chosen: ChosenAgent): SessionChoice => {
  const { model, effort } = argumentsOf(chosen)
  return {
    model: model === 'session' ? (chosen.model ?? null) : null,
    modelLike: chosen.modelLike ?? null,
    effort: effort === 'session' ? (chosen.effort ?? null) : null,
  }
}

function filled(words: readonly string[] | 'session' | null, value: string | null): readonly string[] {
  if (words === null || words === 'session' || value === null) return []
  return words.map((word) => word.replace(/\{(?:model|effort)\}/, () => value))
}

/** Without the user's own instructions, MCP servers, hooks and skills, as far as the agent can do without. */
export function withoutOwnSetup(chosen: ChosenAgent): ChosenAgent {
  const { bare } = chosen
  if (bare === undefined) return chosen
  return {
    ...chosen,
    command: [...chosen.command, ...(bare.args ?? [])],
    env: { ...chosen.env, ...bare.env },
    ...(bare.meta === undefined
      ? {}
      : { acp: { ...chosen.acp, meta: merged(chosen.acp?.meta ?? {}, bare.meta) } }),
  }
}

function merged(one: Fields, other: Fields): Fields {
  const both = Object.entries(other).map(([key, value]) => {
    const before = one[key]
    return [key, isRecord(before) && isRecord(value) ? merged(before, value) : value]
  })
  return { ...one, ...Object.fromEntries(both) }
}
