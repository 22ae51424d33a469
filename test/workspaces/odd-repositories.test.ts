/** What becomes of each odd state a user's repository can be in. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Refusal } from '../../src/lib/refusal.ts'
import { commitOnce, withFiles } from '../../src/workspaces/landing/commits.ts'
import { Git, surroundingsIn } from '../../src/workspaces/git/git.ts'
import { publish, workingBranch } from '../../src/workspaces/landing/publish.ts'
import { openUserRepository, requireRoomForBranches } from '../../src/workspaces/user-repository.ts'
import { tempFolder } from '../helpers/temp-folder.ts'
import { FILES, NOW, openLab, sh, takeSnapshot, testGit, userRepository, write } from './lab.ts'

const REFUSED: readonly [string, () => string, RegExp][] = [
  ['no repository', () => tempFolder(), /is not in a git repository/],
  ['no folder any more', () => join(tempFolder(), 'gone'), /gone does not exist/],
  [
    'no commit',
    () => {
      const root = tempFolder()
      sh(root, 'init', '-q')
      return root
    },
    /has no commits yet/,
  ],
  [
    'a bare repository',
    () => {
      const root = tempFolder()
      sh(root, 'clone', '-q', '--bare', userRepository(), 'bare.git')
      return join(root, 'bare.git')
    },
    /is a bare repository/,
  ],
  ['a git dir', () => join(userRepository(), '.git'), /is inside a .git directory/],
  [
    'a partial clone',
    () => {
      const root = userRepository()
      sh(root, 'config', 'remote.origin.promisor', 'true')
      sh(root, 'config', 'remote.origin.url', 'ext::false')
      return root
    },
    /is a partial clone.*origin/,
  ],
  [
    'a damaged repository',
    () => {
      const root = userRepository()
      write(root, { '.git/config': '[core\n' })
      return root
    },
    /git cannot read the repository/,
  ],
]

test.each(REFUSED)('%s is refused in one line with a remedy', async (_, make, message) => {
  const error = await openUserRepository(testGit(), make()).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(Refusal)
  if (!(error instanceof Refusal)) return
  expect(error.message).toMatch(message)
  expect(error.message).not.toContain('\n')
  expect(error.remedy).not.toBe('')
})

test.runIf(process.getuid?.() === 0)('a repository of another user is refused', async () => {
  const root = userRepository()
  execFileSync('chown', ['-R', '12345', root])
  await expect(openUserRepository(testGit(), root)).rejects.toThrow(/belongs to another user/)
})

test('a missing object of the base is refused when it is fetched', async () => {
  const root = userRepository()
  const blob = sh(root, 'rev-parse', 'HEAD:src/a.js')
  rmSync(join(root, '.git/objects', blob.slice(0, 2), blob.slice(2)))
  await expect(openLab(root)).rejects.toThrow(/^cannot read commit \w+ from \S+: \w+: [^\n]*$/)
})

test.each(['feat', 'feat/shop'])('a branch named %s is refused', async (name) => {
  const root = userRepository()
  const user = await openUserRepository(testGit(), root)
  const plan = { id: 'shop', hasBegun: true }
  await requireRoomForBranches(testGit(), user, plan)
  sh(root, 'branch', name)
  await expect(requireRoomForBranches(testGit(), user, plan)).rejects.toThrow(`the branch ${name} blocks`)
})

test.each(['feat/shop/working', 'feat/shop/working/mine'])(
  'a branch named %s is refused before the plan begins, and left to what lands afterwards',
  async (name) => {
    const root = userRepository()
    const user = await openUserRepository(testGit(), root)
    const room = (hasBegun: boolean): Promise<void> =>
      requireRoomForBranches(testGit(), user, { id: 'shop', hasBegun })
    for (const other of ['feat/other/working', 'feat/shop/workings', 'feat/mine']) sh(root, 'branch', other)
    await room(false)
    sh(root, 'branch', name)
    await expect(room(false)).rejects.toThrow(`the branch ${name} blocks`)
    await room(true)
  },
)

const WORKS: readonly [string, () => string, readonly string[]][] = [
  ['an ordinary repository', () => userRepository(), []],
  ['a folder below the root', () => join(userRepository(), 'src/deep'), []],
  ['a path with spaces and other letters', () => userRepository({ name: "my shöp's: «repo»" }), []],
  ['SHA-256', () => userRepository({ init: ['--object-format=sha256'] }), []],
  [
    'a detached HEAD',
    () => {
      const root = userRepository()
      sh(root, 'checkout', '-q', '--detach')
      return root
    },
    ['detached'],
  ],
  [
    'a dirty tree',
    () => {
      const root = userRepository()
      write(root, { 'src/a.js': 'dirty', 'untracked.txt': 'x' })
      return root
    },
    ['dirty'],
  ],
  [
    'a shallow clone',
    () => {
      const from = userRepository()
      write(from, { 'src/a.js': 'second\n' })
      sh(from, 'commit', '-q', '-am', 'Second')
      const root = tempFolder()
      sh(root, 'clone', '-q', '--depth=1', `file://${from}`, 'shop')
      return join(root, 'shop')
    },
    ['shallow', 'no_identity'],
  ],
  [
    'a linked work tree',
    () => {
      const root = join(tempFolder(), 'linked')
      sh(userRepository(), 'worktree', 'add', '-q', '-b', 'topic', root)
      return root
    },
    [],
  ],
  [
    'signing and sign-off asked for',
    () => {
      const root = userRepository({ files: { ...FILES, '.github/dco.yml': 'require: {}\n' } })
      sh(root, 'config', 'commit.gpgSign', 'true')
      sh(root, 'config', 'gpg.program', '/bin/false')
      return root
    },
    ['unsigned', 'no_sign_off'],
  ],
  [
    'replaced objects',
    () => {
      const root = userRepository()
      const other = sh(root, 'commit-tree', '-m', 'Other', 'HEAD^{tree}')
      sh(root, 'replace', 'HEAD', other)
      return root
    },
    [],
  ],
  [
    'a repository that borrows objects of another',
    () => {
      const root = tempFolder()
      sh(root, 'clone', '-q', '--shared', userRepository(), 'shop')
      return join(root, 'shop')
    },
    ['no_identity'],
  ],
  [
    'a merge under way',
    () => {
      const root = userRepository()
      sh(root, 'checkout', '-q', '-b', 'other')
      write(root, { 'README.md': 'other' })
      sh(root, 'commit', '-q', '-am', 'Other')
      sh(root, 'checkout', '-q', 'main')
      sh(root, 'merge', '-q', '--no-ff', '--no-commit', 'other')
      return root
    },
    ['dirty'],
  ],
]

test.each(WORKS)('%s works from its commit to a published branch', async (_, make, notices) => {
  const root = make()
  const before = { refs: sh(root, 'for-each-ref'), status: sh(root, 'status', '--porcelain', '--branch') }
  const lab = await openLab(root)
  expect((await lab.user.notices()).map((one) => one.kind)).toEqual(notices)
  const clone = await lab.clone()
  expect(sh(clone.path, 'status', '--porcelain')).toBe('')
  write(clone.path, { 'src/new.js': 'new\n' })
  const taken = await takeSnapshot(clone, { atMs: NOW })
  expect(taken).toMatchObject({ ok: true, changed: ['src/new.js'] })
  if (!taken.ok) return
  const tree = await withFiles(lab.quarantine, taken.tree, [
    { path: 'docs/reviews/task-1-review.md', content: '# Review\n' },
  ])
  const sha = await commitOnce(
    lab.quarantine,
    { plan: 'shop', task: 'task-1', attempt: 1 },
    {
      tree,
      parents: [lab.user.base.commit],
      message: 'New\n',
      author: lab.user.identity ?? { name: 'Bosun', email: 'bosun@localhost' },
      atMs: NOW,
    },
  )
  const updates = [{ ref: workingBranch('shop'), to: sha, from: null }]
  const job = { git: lab.git, user: lab.user, quarantine: lab.quarantine, updates, reason: 'task-1' }
  expect(await publish(job)).toEqual({ ok: true })
  expect(sh(root, 'show', '--format=', '--name-only', 'feat/shop/working').split('\n')).toEqual([
    'docs/reviews/task-1-review.md',
    'src/new.js',
  ])
  sh(root, 'update-ref', '-d', workingBranch('shop'), sha)
  expect(sh(root, 'for-each-ref')).toBe(before.refs)
  expect(sh(root, 'status', '--porcelain', '--branch')).toBe(before.status)
  expect(sh(root, 'fsck', '--strict', '--no-dangling')).toBe('')
})

test('the author is who the user is in that repository, also by their own settings', async () => {
  const root = userRepository()
  expect((await openUserRepository(testGit(), root)).identity).toEqual({
    name: 'Ada',
    email: 'ada@example.org',
  })
  sh(root, 'config', '--unset', 'user.name')
  sh(root, 'config', '--unset', 'user.email')
  const anonymous = await openUserRepository(testGit(), root)
  expect(anonymous.identity).toBeNull()
  expect(await anonymous.notices()).toMatchObject([{ kind: 'no_identity' }])
  const home = tempFolder('home')
  write(home, { '.gitconfig': '[user]\n\tname = Grace\n\temail = grace@example.org\n' })
  expect((await openUserRepository(testGit(home), root)).identity).toEqual({
    name: 'Grace',
    email: 'grace@example.org',
  })
})

test.each([
  ['XDG_CONFIG_HOME', 'git/config', ''],
  ['GIT_CONFIG_GLOBAL', 'mine.ini', 'mine.ini'],
])('settings that %s says are elsewhere are the own settings of the user', async (name, file, below) => {
  const root = userRepository()
  sh(root, 'config', '--unset', 'user.name')
  sh(root, 'config', '--unset', 'user.email')
  const folder = tempFolder('settings')
  write(folder, { [file]: '[user]\n\tname = Grace\n\temail = grace@example.org\n' })
  const env = { PATH: process.env['PATH'], HOME: '/nonexistent', [name]: join(folder, below) }
  const { identity } = await openUserRepository(new Git(surroundingsIn(env)), root)
  expect(identity).toEqual({ name: 'Grace', email: 'grace@example.org' })
})

test('variables of git around Bosun change nothing', async () => {
  const root = userRepository()
  const elsewhere = join(tempFolder(), 'elsewhere')
  mkdirSync(elsewhere)
  process.env['GIT_DIR'] = elsewhere
  process.env['GIT_INDEX_FILE'] = join(elsewhere, 'index')
  try {
    expect((await openUserRepository(testGit(), root)).root).toBe(root)
  } finally {
    delete process.env['GIT_DIR']
    delete process.env['GIT_INDEX_FILE']
  }
})
