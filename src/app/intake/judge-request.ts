/** Asks the brain what a request asks for. Without one nobody judges it. */
import { textsWanted } from '../../core/intake/analyse-project.ts'
import { filesAbout } from '../../core/intake/files-about.ts'
import { mayHoldKeys } from '../../core/intake/key-files.ts'
import { isAgent } from '../../core/settings/brain-settings.ts'
import type { AnsweredQuestion, SeenWork } from '../../core/intake/intake.ts'
import type { Decided, Judgement } from '../../core/intake/findings.ts'
import { NO_CONTEXT, type ProjectContext } from '../../core/intake/project-context.ts'
import type { RequestText } from '../../core/intake/request-text.ts'
import type { Settings } from '../../core/settings/settings.ts'
import type { QuotedData } from '../../core/thinking/question.ts'
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
  readonly seen: SeenWork | null
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
  const { text, fileName, request, repository, committed, decided, answers, seen, mayAsk } = asked
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
    shown:
      isAgent(asked.settings.brain) || committed === null ? null : await shownTo(text, committed, project),
    sources: committed === null ? null : project.languages.reduce((sum, one) => sum + one.files, 0),
    decided,
    answers,
    seen,
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

const MOST_FILES_SHOWN = 20
/** Characters of all files together, and of one. */
const MOST_SHOWN = 24_000
const LONGEST_SHOWN = 8000

/** A model by API reads what is quoted to it, and nothing else. */
async function shownTo(
  text: string,
  { files, texts }: CommittedFiles,
  { instructions }: ProjectContext,
): Promise<readonly QuotedData[]> {
  const quoted = new Set(instructions.map(({ path }) => path))
  const about = filesAbout(text, files, textsWanted(files))
    .filter((path) => !mayHoldKeys(path) && !quoted.has(path))
    .slice(0, MOST_FILES_SHOWN)
  const found = await texts(about)
  const shown: QuotedData[] = []
  let left = MOST_SHOWN
  for (const path of about) {
    const whole = found.get(path)
    if (whole === undefined || left <= 0) continue
    const part = whole.slice(0, Math.min(LONGEST_SHOWN, left))
    left -= part.length
    shown.push({ source: part.length < whole.length ? `${path} (its beginning)` : path, text: part })
  }
  return shown
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
