/** Gives a new project its first commit, which is empty: the index and the files of the folder are not touched. */
import { readdirSync, realpathSync } from 'node:fs'
import { Refusal } from '../lib/refusal.ts'
import type { NewProject } from '../ports/repositories.ts'
import type { Git, Identity } from './git/git.ts'
import { readIdentity } from './user-repository.ts'
import { orElse } from '../lib/or-else.ts'

export interface NewProjectPlace {
  readonly git: Git
  readonly cwd: string
  /** Of the work tree around `cwd`; null outside of any. */
  readonly root: string | null
  readonly home: string
}

/** Null where there is a commit to start from, and where git itself has to say what is wrong. */
export async function findNewProject({ git, cwd, root, home }: NewProjectPlace): Promise<NewProject | null> {
  const folder = root ?? cwd
  if (root !== null && (await hasCommits(git, root))) return null
  return {
    folder,
    lacks: root === null ? 'repository' : 'commit',
    hasFiles: readdirSync(folder).some((name) => name !== '.git'),
    async create() {
      if (root === null) refuseSharedFolder(folder, home)
      const identity = await readIdentity(git, folder)
      if (identity === null) throw unknownUser()
      if (root === null) await git.read({ args: ['init', '--quiet'], cwd: folder, settings: 'user' })
      await commitNothing(git, folder, identity)
    },
  }
}

/** Commits on other branches count too: then the user has left them on purpose. */
async function hasCommits(git: Git, root: string): Promise<boolean> {
  const asked = { cwd: root, settings: 'user' } as const
  const head = await git.run({ args: ['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'], ...asked })
  if (head.kind !== 'exited' || head.code !== 1) return true
  return (await git.line({ args: ['for-each-ref', '--count=1'], ...asked })) !== ''
}

async function commitNothing(git: Git, folder: string, { name, email }: Identity): Promise<void> {
  const at = { cwd: folder, settings: 'user' } as const
  const tree = await git.line({ args: ['hash-object', '-w', '-t', 'tree', '--stdin'], input: '', ...at })
  const env = {
    GIT_AUTHOR_NAME: name,
    GIT_AUTHOR_EMAIL: email,
    GIT_COMMITTER_NAME: name,
    GIT_COMMITTER_EMAIL: email,
  }
  const commit = await git.line({ args: ['commit-tree', '-m', 'Start', tree], env, ...at })
  // The empty old value: a commit that came meanwhile stays.
  await git.read({ args: ['update-ref', '-m', 'commit (initial): Start', 'HEAD', commit, ''], env, ...at })
}

/** All that a user has would be in the repository. */
function refuseSharedFolder(folder: string, home: string): void {
  const real = realpathSync(folder)
  // A home that does not exist is not the current folder.
  const realHome = orElse(() => realpathSync(home), null)
  if (real !== '/' && real !== realHome) return
  throw new Refusal({
    code: 'usage',
    message: `${folder} is ${real === '/' ? 'the root of the file system' : 'your home folder'}; a project needs a folder of its own`,
    remedy: 'Create one and start there: mkdir my-project && cd my-project',
  })
}

const unknownUser = (): Refusal =>
  new Refusal({
    code: 'failed',
    message: 'git does not know who you are, so it cannot create a commit',
    remedy:
      'Set your name and address, then start again: git config --global user.name "Your Name" && git config --global user.email you@example.com',
  })
