import { lstatSync, readFileSync, readlinkSync, realpathSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { Refusal } from '../lib/refusal.ts'
import { runProgram } from '../lib/process/run-program.ts'

type Env = Readonly<Record<string, string | undefined>>

const CEILINGS = 'GIT_CEILING_DIRECTORIES'
const TIMEOUT_MS = 10_000
const MAX_BYTES = 1_000_000

/**
 * The root of the git work tree around `from`, or null, as git itself sees it. Starting git takes longer than reading a
 * plan, so git is run only where looking at the files does not settle it.
 */
export async function findRepositoryRoot(from: string, env: Env = process.env): Promise<string | null> {
  const nearby = nearest(from, (folder) => exists(join(folder, '.git')))
  if (nearby === null) return null
  const hasCeilings = (env[CEILINGS] ?? '') !== ''
  return isDotGit(join(nearby, '.git')) && !hasCeilings ? nearby : askGit(from, nearby, env)
}

/** The same, but throws a refusal for a bare repository, which has no work tree. */
export async function findWorkTree(from: string): Promise<string | null> {
  const root = await findRepositoryRoot(from)
  if (root !== null) return root
  const bare = nearest(from, isGitDir)
  if (bare === null) return null
  throw new Refusal({
    code: 'usage',
    message: `${bare} is a bare repository; Bosun needs a work tree`,
    remedy: 'Clone it or add a work tree (git worktree add), then run Bosun there.',
  })
}

async function askGit(from: string, nearby: string, env: Env): Promise<string | null> {
  const { GIT_DIR: _dir, GIT_WORK_TREE: _tree, ...rest } = env
  const asked = await runProgram({
    command: 'git',
    args: ['rev-parse', '--show-toplevel'],
    cwd: from,
    env: { ...rest, LC_ALL: 'C' },
    timeoutMs: TIMEOUT_MS,
    maxBytes: MAX_BYTES,
  })
  if (asked.kind !== 'exited') return isDotGit(join(nearby, '.git')) ? nearby : null
  if (asked.code !== 0) return asked.stderr.includes('not a git repository') ? null : nearby
  const root = asked.stdout.replace(/\n$/, '')
  // Git answers with links resolved; the folder keeps the name by which it was reached.
  return nearest(from, (folder) => realPath(folder) === root) ?? root
}

/** A folder of git's own, or the file of a linked work tree that leads to one. */
function isDotGit(path: string): boolean {
  try {
    if (statSync(path).isDirectory()) return isGitDir(path)
    const [, linked] = /^gitdir: (.+?)\n?$/.exec(readFileSync(path, 'utf8')) ?? []
    return linked !== undefined && hasHead(resolve(dirname(path), linked))
  } catch {
    // What cannot be read is left to git.
    return false
  }
}

/** What git itself asks of a folder. */
function isGitDir(folder: string): boolean {
  return exists(join(folder, 'objects')) && exists(join(folder, 'refs')) && hasHead(folder)
}

function hasHead(folder: string): boolean {
  const head = join(folder, 'HEAD')
  try {
    if (lstatSync(head).isSymbolicLink()) return readlinkSync(head).startsWith('refs/')
    return /^(ref: *refs\/|[0-9a-f]{40})/.test(readFileSync(head, 'utf8'))
  } catch {
    // None, or none that can be read.
    return false
  }
}

function realPath(folder: string): string | null {
  try {
    return realpathSync.native(folder)
  } catch {
    // It is gone by now.
    return null
  }
}

/** The folder itself or the nearest one around it. */
function nearest(from: string, fits: (folder: string) => boolean): string | null {
  for (let folder = resolve(from); ; folder = dirname(folder)) {
    if (fits(folder)) return folder
    if (folder === dirname(folder)) return null
  }
}

/** Asked at once: a few of these take less time than one trip to the pool of threads. */
function exists(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined
  } catch {
    // What cannot be reached is not ours to work in, for whatever reason.
    return false
  }
}
