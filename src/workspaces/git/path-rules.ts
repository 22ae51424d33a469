/** Which names and links may enter a tree. Pure; the names are text. */

export const PATH_LIMIT_BYTES = 1000

/** Characters a Mac's file system leaves out when it compares names. */
const UNSEEN = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff\u200b\u2060-\u2064\u00ad]/gu

/** A letter or digit of ASCII but the one `git` begins with: what comes after it makes no difference. */
const BEGINS_PLAINLY = /^[a-fh-zA-FH-Z0-9_-]/

/** Files git reads by name. As links they would be read from elsewhere, and as folders git calls them damage. */
const READ_BY_NAME = /^\.git(modules|attributes|ignore)$/i

export type NameProblem = 'git_name' | 'bad_name' | 'path_too_long'

/** The problem of a path that would be committed, or null. */
export function nameProblem(path: string): NameProblem | null {
  // What is no valid UTF-8 was decoded with replacement characters.
  if (path.includes('\u{fffd}') || path.includes('\\')) return 'bad_name'
  const names = path.split('/')
  if (names.some((name) => name === '' || name === '.' || name === '..')) return 'bad_name'
  if (names.some(isGitName)) return 'git_name'
  if (names.slice(0, -1).some((name) => READ_BY_NAME.test(name))) return 'bad_name'
  return Buffer.byteLength(path) > PATH_LIMIT_BYTES ? 'path_too_long' : null
}

/** Whether some file system takes this name for `.git`: by case, by unseen characters, by short name, by a tail. */
export function isGitName(name: string): boolean {
  if (BEGINS_PLAINLY.test(name)) return false
  const plain = name.replace(UNSEEN, '').normalize('NFKC').toLowerCase()
  return /^(\.git|git~\d+)[ .]*(:.*)?$/.test(plain)
}

export type LinkProblem = 'link_leaves_tree' | 'link_read_by_git'

/** The problem of a symbolic link at `path`, or null. The target is checked as text and not followed. */
export function linkProblem(path: string, target: string): LinkProblem | null {
  if (READ_BY_NAME.test(path.split('/').at(-1) ?? '')) return 'link_read_by_git'
  if (target.startsWith('/')) return 'link_leaves_tree'
  const at = path.split('/').slice(0, -1)
  for (const step of target.split('/')) {
    if (step === '' || step === '.') continue
    if (step !== '..') at.push(step)
    else if (at.pop() === undefined) return 'link_leaves_tree'
  }
  return at.some(isGitName) ? 'link_leaves_tree' : null
}
