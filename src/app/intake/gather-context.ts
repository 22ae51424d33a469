/** Gathers the context of a project from its newest commit. */
import { analyseProject, textsWanted, type ProjectFiles } from '../../core/intake/analyse-project.ts'
import type { ProjectContext } from '../../core/intake/project-context.ts'
import { context } from '../../core/thinking/questions/context.ts'
import { byRules, type Ask } from './ask-brain.ts'
import { committedFiles, type CommittedFiles } from './committed-files.ts'

export interface ContextRequest {
  /** Root of the repository. */
  readonly repository: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** How commands ended when they last ran here. */
  readonly tried?: ProjectFiles['tried']
}

/** With a model the description is its own, within what the files show. */
export async function gatherContext(request: ContextRequest, ask: Ask = byRules): Promise<ProjectContext> {
  const committed = await committedFiles(request.repository, request.env)
  const found = await contextOf(committed, request.tried)
  if (ask === byRules) return found
  const { answer } = await ask(context, { found, files: committed.files })
  return { ...found, ...answer }
}

export async function contextOf(
  committed: CommittedFiles,
  tried: ProjectFiles['tried'] = new Map(),
): Promise<ProjectContext> {
  const { files } = committed
  const texts = await committed.texts(textsWanted(files))
  return analyseProject({ files, read: (path) => texts.get(path) ?? null, tried: tried ?? new Map() })
}
