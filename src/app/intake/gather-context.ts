/** Gathers the context of a project from its newest commit. */
import { analyseProject, textsWanted, type ProjectFiles } from '../../core/intake/analyse-project.ts'
import type { ProjectContext } from '../../core/intake/project-context.ts'
import { context } from '../../core/thinking/questions/context.ts'
import { unjudged, type Ask } from './ask-brain.ts'
import { captureProgram } from '../../lib/process/run-program.ts'

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

/**
 * Lists and reads the newest commit of a repository, within limits. Plumbing only: nothing is checked out, fetched or
 * run, links are not followed, and the user's work tree is not looked at.
 */
const TIMEOUT_MS = 30_000
const MOST_LISTING = 256 * 1024 * 1024
const MOST_FILES = 200_000
const MOST_TEXT = 256 * 1024

export interface CommittedFiles {
  /** Ordinary files, sorted by path. */
  readonly files: readonly string[]
  /** Texts by path; without those that are no text, too long or not there. */
  readonly texts: (paths: readonly string[]) => Promise<ReadonlyMap<string, string>>
}

type Env = Readonly<Record<string, string | undefined>>

interface Entry {
  readonly path: string
  readonly sha: string
  readonly size: number
}

/** A repository without a commit has no files; so has a folder that is none. */
export async function committedFiles(repository: string, env: Env): Promise<CommittedFiles> {
  const listed = await git(repository, env, ['ls-tree', '-r', '-z', '-l', '--full-tree', 'HEAD'])
  const entries = listed === null ? [] : entriesIn(listed)
  const byPath = new Map(entries.map((entry) => [entry.path, entry]))
  return {
    files: entries.map(({ path }) => path),
    texts: async (paths) => {
      const wanted = paths.flatMap((path) => byPath.get(path) ?? []).filter(({ size }) => size <= MOST_TEXT)
      if (wanted.length === 0) return new Map()
      const input = wanted.map(({ sha }) => `${sha}\n`).join('')
      const output = await git(repository, env, ['cat-file', '--batch'], input)
      return output === null ? new Map() : textsIn(output, wanted)
    },
  }
}

async function git(cwd: string, env: Env, args: readonly string[], input = ''): Promise<Buffer | null> {
  const outcome = await captureProgram({
    command: 'git',
    args: ['-c', 'core.fsmonitor=false', '--no-replace-objects', ...args],
    cwd,
    env: { ...env, LC_ALL: 'C', GIT_OPTIONAL_LOCKS: '0', GIT_NO_LAZY_FETCH: '1' },
    timeoutMs: TIMEOUT_MS,
    maxBytes: MOST_LISTING,
    input,
  })
  return outcome.kind === 'exited' && outcome.code === 0 ? outcome.stdout : null
}

function entriesIn(listing: Buffer): readonly Entry[] {
  const entries: Entry[] = []
  for (const row of listing.toString('utf8').split('\0')) {
    if (entries.length >= MOST_FILES) break
    const [, mode, sha, size, path] = /^(\d{6}) blob ([0-9a-f]+) +(\d+)\t([\s\S]+)$/.exec(row) ?? []
    const isFile = mode === '100644' || mode === '100755'
    if (!isFile || sha === undefined || path === undefined || path.includes('\uFFFD')) continue
    entries.push({ path, sha, size: Number(size) })
  }
  return entries
}

/** `<sha> blob <size>`, a line end, the bytes, a line end; in the order of the questions. */
function textsIn(output: Buffer, wanted: readonly Entry[]): ReadonlyMap<string, string> {
  const texts = new Map<string, string>()
  let at = 0
  for (const { path } of wanted) {
    const end = output.indexOf(0x0a, at)
    if (end === -1) break
    const [, kind, size] = /^\S+ (\w+) (\d+)$/.exec(output.toString('latin1', at, end)) ?? []
    if (size === undefined) {
      at = end + 1
      continue
    }
    const content = output.subarray(end + 1, end + 1 + Number(size))
    at = end + 1 + Number(size) + 1
    if (kind === 'blob' && !content.includes(0)) texts.set(path, content.toString('utf8'))
  }
  return texts
}
