/** Gathers the context of a project from its newest commit. */
import { analyseProject, textsWanted, type ProjectFiles } from '../../core/intake/analyse-project.ts'
import type { ProjectContext } from '../../core/intake/project-context.ts'
import { context } from '../../core/thinking/questions/context.ts'
import { unjudged, type Ask } from './ask-brain.ts'
import { committedFiles, type CommittedFiles } from './committed-files.ts'

export interface ContextRequest {
  /** Root of the repository. */
  readonly repository: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** How commands ended when they last ran here. */
  readonly tried?: ProjectFiles['tried']
}

/** With a model the description is its own, within what the files show. */
export async function gatherContext(request: ContextRequest, ask: Ask = unjudged): Promise<ProjectContext> {
  const committed = await committedFiles(request.repository, request.env)
  return contextOf(committed, { tried: request.tried, ask })
}

export async function contextOf(
  committed: CommittedFiles,
  { tried = new Map(), ask = unjudged }: { readonly tried?: ProjectFiles['tried']; readonly ask?: Ask } = {},
): Promise<ProjectContext> {
  const { files } = committed
  const texts = await committed.texts(textsWanted(files))
  const found = analyseProject({ files, read: (path) => texts.get(path) ?? null, tried })
  if (ask === unjudged || isDescribed(found)) return found
  const { answer } = await ask(context, { found, files })
  return { ...found, ...answer }
}

/** Its own instructions describe a project better than a look at its files; without sources there is nothing to describe. */
const isDescribed = ({ instructions, languages }: ProjectContext): boolean =>
  languages.length === 0 || instructions.some(({ path }) => !path.includes('/'))
