/** Asks the brain what a request asks for. Without one nobody judges it. */
import type { AnsweredQuestion } from '../../core/intake/intake.ts'
import type { Decided, Judgement } from '../../core/intake/findings.ts'
import { NO_CONTEXT } from '../../core/intake/project-context.ts'
import type { RequestText } from '../../core/intake/request-text.ts'
import type { Settings } from '../../core/settings/settings.ts'
import type { Story } from '../../core/spec/architect-messages.ts'
import {
  understand,
  type UnderstandInput,
  type UnderstoodRequest,
} from '../../core/thinking/questions/understand.ts'
import type { Host } from '../host/host.ts'
import { askingFor, unjudged, type Answered } from './ask-brain.ts'
import type { CommittedFiles } from './committed-files.ts'
import { contextOf } from './gather-context.ts'
import { triedBefore } from './kept-trials.ts'

export interface ToJudge {
  readonly text: string
  readonly fileName: string | null
  readonly request: RequestText
  readonly repository: string | null
  readonly committed: CommittedFiles | null
  readonly settings: Settings
  readonly variables: Readonly<Record<string, string>>
  readonly signal: AbortSignal
  readonly decided: Decided
  readonly answers: readonly AnsweredQuestion[]
  readonly mayAsk: boolean
  readonly mayJudge: boolean
}

export interface Judged {
  readonly judgement: Judgement | null
  readonly stories: readonly Story[]
  /** Why nobody judged it. */
  readonly why: string
}

export async function judgeRequest(host: Host, asked: ToJudge): Promise<Judged> {
  const { text, fileName, request, repository, committed, decided, answers, mayAsk } = asked
  const nobody = (why: string): Judged => ({ judgement: null, stories: [], why })
  if (!asked.mayJudge) return nobody('no model was asked')
  if (request.lines === 0) return nobody('it has no words')
  const ask = await askingFor(host, asked)
  if (ask === unjudged)
    return nobody(repository === null ? 'outside of a repository no model is asked' : 'no model')
  const project =
    committed === null || repository === null
      ? NO_CONTEXT
      : await contextOf(committed, { tried: await triedBefore(host, repository) })
  const input: UnderstandInput = {
    text,
    title: request.title,
    fileName,
    project,
    files: committed?.files ?? null,
    sources: committed === null ? null : project.languages.reduce((sum, one) => sum + one.files, 0),
    decided,
    answers,
    mayAsk,
  }
  const kept = keptAnswers(host)
  const key = JSON.stringify([repository, asked.settings.brain, input])
  const { answer, by, fallback } = kept.get(key) ?? (await ask(understand, input))
  if (by === 'nobody') return nobody(fallback ?? 'no model')
  kept.keep(key, { answer, by, fallback })
  const { stories, ...understanding } = answer
  return { judgement: { by, understanding }, stories, why: '' }
}

type Kept = Answered<UnderstoodRequest>

const MOST_KEPT = 10
/** The code may change meanwhile. */
const KEPT_MS = 10 * 60_000

/** A person who corrects the title or the workflow asks nothing new: the newest answers are kept for a while. */
class KeptAnswers {
  readonly #now: () => number
  readonly #kept = new Map<string, { readonly at: number; readonly answer: Kept }>()

  constructor(now: () => number) {
    this.#now = now
  }

  get(key: string): Kept | undefined {
    const kept = this.#kept.get(key)
    return kept === undefined || this.#now() - kept.at > KEPT_MS ? undefined : kept.answer
  }

  keep(key: string, answer: Kept): void {
    if (this.get(key) !== undefined) return
    this.#kept.delete(key)
    this.#kept.set(key, { at: this.#now(), answer })
    const [oldest] = this.#kept.keys()
    if (this.#kept.size > MOST_KEPT && oldest !== undefined) this.#kept.delete(oldest)
  }
}

const ofHosts = new WeakMap<Host, KeptAnswers>()

function keptAnswers(host: Host): KeptAnswers {
  const known = ofHosts.get(host) ?? new KeptAnswers(() => host.parts.clock.now())
  ofHosts.set(host, known)
  return known
}
