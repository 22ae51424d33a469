/** What the misbehaving agent is told to do, from its arguments or environment. */
import { readFileSync } from 'node:fs'
import { BEHAVIOURS, isBehaviour, type BehaviourName } from './behaviours.ts'

export interface AgentScript {
  /** One for each turn; the last one for those after it as well. */
  readonly behaviours: readonly BehaviourName[]
  /** Written by turns that work, in order. A path is taken from the session's folder. */
  readonly writes: readonly { readonly path: string; readonly text: string }[]
  /** For behaviours that wait. */
  readonly lateMs: number
  /** For behaviours that send much: how many, and how large. */
  readonly count: number
  readonly bytes: number
  /** Where to record what the client sends. */
  readonly log: string | null
}

const DEFAULTS: AgentScript = {
  behaviours: ['works'],
  writes: [{ path: 'work.txt', text: 'work\n' }],
  lateMs: 200,
  count: 200,
  bytes: 16 * 1024 * 1024,
  log: null,
}

/** `agent BEHAVIOUR[,BEHAVIOUR…] [LOG]` or `agent SCRIPT.json`; else ACP_BEHAVIOUR and ACP_LOG. */
export function scriptOf(args: readonly string[], env: NodeJS.ProcessEnv): AgentScript {
  const [what = env['ACP_BEHAVIOUR'] ?? 'works', log = env['ACP_LOG'] ?? null] = args
  const given: object = what.endsWith('.json')
    ? (JSON.parse(readFileSync(what, 'utf8')) as object)
    : { behaviours: what.split(','), log }
  const script: AgentScript = { ...DEFAULTS, ...given }
  const unknown = script.behaviours.filter((name) => !isBehaviour(name))
  if (unknown.length === 0) return script
  throw new Error(
    `unknown behaviour ${unknown.join(', ')}; known behaviours: ${Object.keys(BEHAVIOURS).join(', ')}`,
  )
}
