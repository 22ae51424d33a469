/**
 * The user's repository. It is looked at here and written to only by publish.ts. What cannot be worked with is
 * refused in one line; what works but differs from what the user may expect is a notice.
 */
import { existsSync } from 'node:fs'
import { Refusal } from '../lib/refusal.ts'
import { GitFailed, type Git, type GitOutcome, type GitPlace, type Identity } from './git/git.ts'
import { gitFailure } from './git/git.ts'
import { isOn, readSettings, noticesOf, type GitSettings, type Notice } from './survey/user-notices.ts'
import { workingBranch } from './landing/publish.ts'

export type ObjectFormat = 'sha1' | 'sha256'

export interface UserRepository {
  /** The root of the work tree Bosun was started in. */
  readonly root: string
  /** The repository proper, the same for all its work trees. */
  readonly place: GitPlace
  readonly objectFormat: ObjectFormat
  readonly base: {
    readonly commit: string
    readonly tree: string
    /** Its full name, `refs/heads/main`; null where HEAD is detached. */
    readonly branch: string | null
  }
  /** Who the user is in this repository; null where git does not know. */
  readonly identity: Identity | null
  /** Looked for when it is asked for: it takes a look at every file. */
  notices(): Promise<readonly Notice[]>
}

const OLDEST_GIT = { major: 2, minor: 38 }

/** Opens the repository that holds `from`, or throws the Refusal that says why not. Changes nothing in it. */
export async function openUserRepository(git: Git, from: string): Promise<UserRepository> {
  if (!existsSync(from)) {
    throw refuse(`${from} does not exist`, {
      code: 'not_found',
      remedy: 'Move the repository back to that path',
    })
  }
  const shape = shapeOf(git, from)
  // A git that is too old may not understand the question, which says nothing about the repository.
  shape.catch(() => undefined)
  await requireGit(git)
  const { root, gitDir, format, isShallow } = await shape
  const place: GitPlace = { gitDir }
  const asUser = (...args: string[]) => git.lineOrNull({ args, cwd: root, settings: 'user' })
  const [commit, branch, settings, identity] = await Promise.all([
    asUser('rev-parse', '--verify', '--quiet', 'HEAD^{commit}'),
    asUser('symbolic-ref', '--quiet', 'HEAD'),
    readSettings(git, root),
    readIdentity(git, root),
  ])
  // Settings of the user may trust a folder of another user; Bosun's own git trusts none.
  const asked = commit === null ? '--is-bare-repository' : `${commit}^{tree}`
  const [tree = ''] = shapeLines(await git.run({ args: ['rev-parse', asked], at: place }), from)
  if (commit === null) {
    throw refuse(`${root} has no commits yet`, {
      remedy: "Create the first one: git commit --allow-empty -m 'Start'",
    })
  }
  requireWholeHistory(settings, root)
  return {
    root,
    place,
    objectFormat: format === 'sha256' ? 'sha256' : 'sha1',
    base: { commit, tree, branch },
    identity,
    notices: () => noticesOf({ git, root, commit, branch, settings, isShallow }),
  }
}

interface Shape {
  readonly root: string
  readonly gitDir: string
  readonly format: string
  readonly isShallow: boolean
}

/** What kind of repository it is and where, all asked at once. */
async function shapeOf(git: Git, from: string): Promise<Shape> {
  const ask = (...args: string[]) => git.run({ args: ['rev-parse', ...args], cwd: from, settings: 'user' })
  const where = ['--path-format=absolute', '--git-common-dir', '--show-toplevel']
  const kind = ['--is-bare-repository', '--is-inside-work-tree', '--is-shallow-repository']
  const outcome = await ask(...kind, '--show-object-format', ...where)
  // Without a work tree, git fails only after it has printed the other answers.
  const lines = outcome.kind === 'exited' ? outcome.stdout.toString('utf8').split('\n') : []
  const [bare, inside, shallow, format = '', gitDir = '', root = '', ...rest] = lines
  if (bare === 'true') {
    throw refuse(`${from} is a bare repository; Bosun needs a work tree`, {
      remedy: 'Clone it and run Bosun in the clone',
    })
  }
  if (inside === 'false') {
    throw refuse(`${from} is inside a .git directory`, { remedy: 'Run Bosun in the work tree' })
  }
  shapeLines(outcome, from)
  // One line each, unless a folder has a line end in its name.
  const isShallow = shallow === 'true'
  if (rest.length === 1) return { format, isShallow, gitDir, root }
  const alone = async (...args: string[]) => shapeLines(await ask('--path-format=absolute', ...args), from)
  const [gitDirLines, rootLines] = [await alone('--git-common-dir'), await alone('--show-toplevel')]
  return { format, isShallow, gitDir: gitDirLines.join('\n'), root: rootLines.join('\n') }
}

/** Refuses a plan for whose branches the user's own leave no room: git keeps `a` and `a/b` apart from each other. */
export async function requireRoomForBranches(
  git: Git,
  user: UserRepository,
  /** Once a plan has begun, the branch of its name is its own, or publishing detects that it is not. */
  plan: { readonly id: string; readonly hasBegun: boolean },
): Promise<void> {
  const above = ['refs/heads/feat', `refs/heads/feat/${plan.id}`]
  const own = workingBranch(plan.id)
  const args = ['for-each-ref', '--format=%(refname)', ...above, own]
  const taken = (await git.line({ args, at: user.place })).split('\n')
  const isOwn = (name: string): boolean => name === own || name.startsWith(`${own}/`)
  // Git names all that is below one of these, branches of other plans too.
  const inTheWay = taken.find((name) => above.includes(name) || (!plan.hasBegun && isOwn(name)))
  if (inTheWay !== undefined) {
    const short = inTheWay.slice('refs/heads/'.length)
    throw refuse(`the branch ${short} blocks Bosun's branches feat/${plan.id}/…`, {
      code: 'conflict',
      remedy: `Rename it: git branch -m ${short} ${short.replaceAll('/', '-')}-branch`,
    })
  }
}

/** In a partial clone git fetches what is missing over the network, in the middle of anything. */
function requireWholeHistory(settings: GitSettings, root: string): void {
  const partial = [...settings].find(
    ([key]) =>
      (key.startsWith('remote.') && key.endsWith('.promisor') && isOn(settings, key)) ||
      key === 'extensions.partialclone',
  )
  if (partial === undefined) return
  const remote =
    partial[0] === 'extensions.partialclone' ? partial[1] : partial[0].split('.').slice(1, -1).join('.')
  throw refuse(`${root} is a partial clone of ${remote}; objects may be missing`, {
    remedy: `Fetch them once: git config --unset remote.${remote}.partialclonefilter; git fetch --refetch ${remote}; git config --unset remote.${remote}.promisor`,
  })
}

/** Who the user is in this folder; null where git would have to guess. */
export async function readIdentity(git: Git, root: string): Promise<Identity | null> {
  const outcome = await git.run({
    args: ['-c', 'user.useConfigOnly=true', 'var', 'GIT_AUTHOR_IDENT'],
    cwd: root,
    settings: 'user',
  })
  // Git ends with an error where it would have to guess.
  if (outcome.kind !== 'exited' || outcome.code !== 0) return null
  const [, name, email] = /^(.*) <(.*)> \d+ [+-]\d+$/m.exec(outcome.stdout.toString('utf8')) ?? []
  return name === undefined || email === undefined ? null : { name, email }
}

async function requireGit(git: Git): Promise<void> {
  const outcome = await git.run({ args: ['--version'] })
  requireVersion(outcome)
}

/** Refuses an old version; a git that cannot report one fails with its own error. */
export function requireVersion(outcome: GitOutcome): void {
  if (outcome.kind !== 'exited' && outcome.kind !== 'not_started') throw new GitFailed(['--version'], outcome)
  const version = outcome.kind === 'exited' ? outcome.stdout.toString('utf8').trim() : outcome.reason
  const [, major, minor] = /(\d+)\.(\d+)/.exec(outcome.kind === 'exited' ? version : '') ?? []
  if (major === undefined) {
    if (outcome.kind === 'exited' && outcome.code !== 0) throw new GitFailed(['--version'], outcome)
    throw refuse(`cannot read git's version: ${version === '' ? 'it printed nothing' : version}`, {
      remedy: gitFailure(outcome, 'Run git --version here, and check that the disk is not full').remedy,
    })
  }
  const fits =
    Number(major) > OLDEST_GIT.major ||
    (Number(major) === OLDEST_GIT.major && Number(minor) >= OLDEST_GIT.minor)
  if (!fits) {
    throw refuse(`Bosun needs git ${OLDEST_GIT.major}.${OLDEST_GIT.minor} or newer; found: ${version}`, {
      remedy: 'Install a newer git',
    })
  }
}

/** The lines git printed about a repository, or the Refusal for a folder that is none to work with. */
function shapeLines(outcome: GitOutcome, from: string): string[] {
  if (outcome.kind !== 'exited') throw new GitFailed(['rev-parse'], outcome)
  if (outcome.code === 0) return outcome.stdout.toString('utf8').replace(/\n$/, '').split('\n')
  if (outcome.stderr.includes('dubious ownership')) {
    throw refuse(`${from} belongs to another user, so git does not trust it`, {
      remedy: 'Run Bosun as the user who owns it',
    })
  }
  if (outcome.stderr.includes('not a git repository')) {
    throw refuse(`${from} is not in a git repository`, {
      code: 'not_found',
      remedy: "Create one: git init && git add -A && git commit -m 'Start'",
    })
  }
  throw refuse(`git cannot read the repository of ${from}: ${outcome.stderr.split('\n')[0] ?? ''}`, {
    remedy: 'Check the repository: git fsck',
  })
}

function refuse(
  message: string,
  more: { remedy: string; code?: 'failed' | 'not_found' | 'conflict' },
): Refusal {
  return new Refusal({ code: more.code ?? 'failed', message, remedy: more.remedy })
}
