/** Asks the brain what a request asks for. Without one nobody judges it. */
import { textsWanted } from '../../core/intake/analyse-project.ts'
import { filesAbout, mayHoldKeys } from '../../core/intake/files-about.ts'
import { isAgent } from '../../core/settings/brain-settings.ts'
import type { Work } from '../../core/intake/intake.ts'
import type { Judgement } from '../../core/intake/work.ts'
import { NO_CONTEXT, type ProjectContext } from '../../core/intake/project-context.ts'
import type { RequestText } from '../../core/intake/request-text.ts'
import type { QuotedData } from '../../core/thinking/question.ts'
import type { Story } from '../../core/spec/architect-messages.ts'
import {
  understand,
  type UnderstandInput,
  type UnderstoodRequest,
} from '../../core/thinking/questions/understand.ts'
import type { Host } from '../host/host.ts'
import { Kept } from '../host/kept.ts'
import { askingFor, askOnce, unjudged, type KeptAnswers } from './ask-brain.ts'
import { contextOf, type CommittedFiles } from './gather-context.ts'
import { triedBefore } from './kept-trials.ts'
import type { StartRequest } from './understand-request.ts'

export interface ToJudge extends StartRequest {
  readonly request: RequestText
  readonly committed: CommittedFiles | null
  readonly mayAsk: boolean
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
  const now = (): number => host.parts.clock.now()
  const about = [repository, asked.settings.brain]
  const { answer, by, fallback } = await askOnce(ask, { kept: keptAnswers.of(host), about, now })(
    understand,
    input,
  )
  if (by === 'nobody') return nobody(fallback ?? 'no model')
  const { stories, ...understanding } = answer
  return { judgement: { by, understanding: { ...understanding, ...filesOf(answer) } }, stories, why: '' }
}

/** What the work changes: where a model names that in the tasks alone, all that those name. */
function filesOf({ files, tests_to_add, stories }: UnderstoodRequest): Pick<Work, 'files' | 'tests_to_add'> {
  if (files.create.length + files.modify.length + tests_to_add.length > 0) return { files, tests_to_add }
  const tasks = stories.flatMap((story) => story.tasks)
  const all = (paths: readonly string[]): readonly string[] => [...new Set(paths)]
  const create = all(tasks.flatMap((task) => task.files.create))
  const modify = all(tasks.flatMap((task) => task.files.modify)).filter((path) => !create.includes(path))
  return { files: { create, modify }, tests_to_add: all(tasks.flatMap((task) => task.tests_to_add)) }
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

const keptAnswers = new Kept((): KeptAnswers => new Map())
