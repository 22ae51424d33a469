/** Has the daemon understand a request, with what the person decided and answered so far. */
import type { StartInput } from '../../app/intake/read-input.ts'
import type { Daemon } from '../../client/daemon.ts'
import { environmentHere } from '../../config/caller-environment.ts'
import type { IntakeAnswer, IntakeRequest } from '../../protocol/intake.ts'
import type { Call } from '../command.ts'
import type { Overrides } from './overrides.ts'

/** What the person has said beside the request. */
export interface Said {
  readonly decided: Overrides
  readonly answers: readonly { readonly question: string; readonly answer: string }[]
  /** What they saw when they gave the last of these answers. */
  readonly understood: IntakeRequest['understood']
  /** How often questions were answered. */
  readonly round: number
  /** False: no model is asked. */
  readonly judge: boolean
}

export type Understand = (said: Said) => Promise<IntakeAnswer>

/** An agent reads the code before it answers. */
const PATIENCE_MS = 6 * 60_000

export function understanding(
  call: Call,
  daemon: Daemon,
  { text, fileName }: StartInput,
  /** Hangs up on a model that is asked. */
  interruption: () => AbortSignal | undefined = () => undefined,
): Understand {
  return async ({ decided, answers, understood, round, judge }) => {
    const { cwd, env } = call.terminal
    const { path, variables } = await environmentHere(cwd, env)
    const request: IntakeRequest = {
      cwd,
      text,
      file_name: fileName,
      ...decided,
      answers: [...answers],
      understood,
      round,
      judge,
      // Agents are looked for where the caller would find them.
      variables: { ...variables, PATH: path },
    }
    return daemon.post('/api/intake', request, {
      patienceMs: PATIENCE_MS,
      signal: judge ? interruption() : undefined,
    })
  }
}

/** What the person sees before they answer; null where no model judged it: then it is in their words already. */
export const seenIn = ({ judged_by, title, work }: IntakeAnswer): Said['understood'] =>
  judged_by === null
    ? null
    : {
        title,
        criteria: [...work.criteria],
        files: { create: [...work.files.create], modify: [...work.files.modify] },
        tests_to_add: [...work.tests_to_add],
        constraints: [...work.constraints],
        out_of_scope: [...work.out_of_scope],
      }

/** The defaults of its questions as answers; null where one has none. */
export function defaultsOf({ questions }: Pick<IntakeAnswer, 'questions'>): Said['answers'] | null {
  const taken = questions
    .filter(({ by }) => by !== 'lines')
    .map(({ text, options, default: usual }) => {
      const option = options.find(({ key }) => key === usual)
      return option === undefined ? null : { question: text, answer: option.label }
    })
  return taken.some((one) => one === null) ? null : taken.filter((one) => one !== null)
}
