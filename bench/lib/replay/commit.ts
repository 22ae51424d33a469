/** What a commit of a repository is, read with git; nothing in the repository changes. */
import { execFileSync } from 'node:child_process'

export interface Change {
  readonly path: string
  readonly kind: 'create' | 'modify' | 'delete'
  /** The first line with text that the commit adds to it; null where it adds none. */
  readonly line: number | null
}

export interface Commit {
  readonly sha: string
  readonly parent: string
  readonly subject: string
  readonly body: string
  readonly changes: readonly Change[]
}

const LARGE = 512 * 1024 * 1024

export function git(repository: string, ...args: readonly string[]): string {
  return execFileSync('git', ['-C', repository, ...args], {
    encoding: 'utf8',
    maxBuffer: LARGE,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

export function readCommit(repository: string, name: string): Commit {
  const [sha = '', parent = '', subject = '', ...body] = git(
    repository,
    'log',
    '-1',
    '--format=%H%n%P%n%s%n%b',
    name,
  ).split('\n')
  if (!/^[0-9a-f]+$/.test(parent)) throw new Error(`${name} has not exactly one parent`)
  const difference = [parent, sha, '--no-renames']
  const names = git(repository, 'diff', ...difference, '--name-status', '-z')
  const lines = firstLines(git(repository, '-c', 'core.quotePath=false', 'diff', ...difference, '-U0'))
  return { sha, parent, subject, body: body.join('\n').trim(), changes: changesOf(names, lines) }
}

/** The whole change, binary files included, as `git apply` takes it. */
export const patchOf = (repository: string, { parent, sha }: Commit): string =>
  git(repository, 'diff', '--binary', '--full-index', '--no-renames', parent, sha)

/** From `git diff --name-status -z`: a letter and a path in turn. */
export function changesOf(names: string, lines: ReadonlyMap<string, number>): readonly Change[] {
  const words = names.split('\0').filter((word) => word !== '')
  return words.flatMap((letter, at) => {
    const path = words[at + 1]
    if (at % 2 === 1 || path === undefined) return []
    const kind = letter === 'A' ? 'create' : letter === 'D' ? 'delete' : 'modify'
    return [{ path, kind, line: lines.get(path) ?? null } as const]
  })
}

/** From a diff without context: where each file gets its first new line that says something. */
export function firstLines(diff: string): ReadonlyMap<string, number> {
  const found = new Map<string, number>()
  let path = ''
  let [removed, added, line] = [0, 0, 0]
  for (const text of diff.split('\n')) {
    if (removed > 0 && text.startsWith('-')) removed--
    else if (added > 0 && text.startsWith('+')) {
      if (text.trim() !== '+' && !found.has(path)) found.set(path, line)
      added--
      line++
    } else {
      path = /^\+\+\+ b\/(.*?)\t?$/.exec(text)?.[1] ?? path
      const hunk = /^@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(text)
      if (hunk === null) continue
      removed = Number(hunk[1] ?? 1)
      line = Number(hunk[2])
      added = Number(hunk[3] ?? 1)
    }
  }
  return found
}
