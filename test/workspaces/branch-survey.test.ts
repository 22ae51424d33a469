import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { aTask } from '../helpers/plan-builder.ts'
import { surveyBranches } from '../../src/workspaces/survey/branch-survey.ts'
import { openUserRepository } from '../../src/workspaces/user-repository.ts'
import { sh, testGit, userRepository, write } from './lab.ts'
import { tempFolder } from '../helpers/temp-folder.ts'

const task = (id: string, create: string[], modify: string[] = []) =>
  aTask(id, { files: { create, modify, delete: [] } })
const TASKS = [task('1', ['src/login.js']), task('2', [], ['src/a.js'])]

/** Makes a branch with one commit for each set of files, and goes back. */
function branch(root: string, name: string, ...commits: Readonly<Record<string, string>>[]): void {
  const back = sh(root, 'symbolic-ref', '--short', 'HEAD')
  sh(root, 'checkout', '-q', '-b', name)
  for (const [at, files] of commits.entries()) {
    write(root, files)
    sh(root, 'add', '-A')
    sh(root, 'commit', '-q', '-m', `${name} ${at + 1}`)
  }
  sh(root, 'checkout', '-q', back)
}

async function survey(root: string, tasks = TASKS) {
  const git = testGit()
  const user = await openUserRepository(git, root)
  const { signal } = new AbortController()
  return surveyBranches({ git, user, plan: 'shop', base: user.base.commit, tasks, signal })
}

const noticed = async (root: string, tasks = TASKS) =>
  (await survey(root, tasks)).noticed.map(
    ({ name, ahead, tasks: at }) =>
      `${name} ${ahead} ${at.map(({ task: id, files }) => `${id}:${files.join()}`).join(' ')}`,
  )

describe('a branch is noticed', () => {
  test('where it is ahead and touches what a task expects, with its commits and its last subject', async () => {
    const root = userRepository()
    branch(root, 'login', { 'src/login.js': '1\n' }, { 'src/login.js': '2\n', 'src/a.js': 'x\n' })
    const { noticed, more, trouble } = await survey(root)
    expect([more, trouble]).toEqual([0, null])
    expect(noticed).toMatchObject([
      {
        name: 'login',
        sha: sh(root, 'rev-parse', 'login'),
        ahead: 2,
        isWhole: true,
        subject: 'login 2',
        tasks: [
          { task: '1', files: ['src/login.js'] },
          { task: '2', files: ['src/a.js'] },
        ],
      },
    ])
  })

  test('of a remote as well, once where a local one stands at the same commit', async () => {
    const origin = userRepository()
    branch(origin, 'theirs', { 'src/a.js': 'x\n' })
    branch(origin, 'both', { 'src/login.js': 'x\n' })
    const root = join(tempFolder(), 'clone')
    sh(origin, 'clone', '-q', origin, root)
    sh(root, 'branch', '--no-track', 'mine', 'origin/both')
    expect(await noticed(root)).toEqual(['mine 1 1:src/login.js', 'origin/theirs 1 2:src/a.js'])
  })

  test('although it deletes the file, or the base has gone on since', async () => {
    const root = userRepository()
    sh(root, 'checkout', '-q', '-b', 'gone')
    sh(root, 'rm', '-q', 'src/a.js')
    sh(root, 'commit', '-q', '-m', 'No a')
    sh(root, 'checkout', '-q', 'main')
    write(root, { 'docs/notes.md': 'more\n' })
    sh(root, 'commit', '-q', '-a', '-m', 'Notes')
    expect(await noticed(root)).toEqual(['gone 1 2:src/a.js'])
  })

  test('by what it changed itself, not by what it merged from the base', async () => {
    const root = userRepository()
    branch(root, 'docs', { 'docs/notes.md': 'x\n' })
    write(root, { 'src/a.js': 'base went on\n' })
    sh(root, 'commit', '-q', '-a', '-m', 'On')
    sh(root, 'checkout', '-q', 'docs')
    sh(root, 'merge', '-q', '--no-edit', 'main')
    sh(root, 'checkout', '-q', 'main')
    expect(await noticed(root)).toEqual([])
    expect(await noticed(root, [task('1', [], ['docs/notes.md'])])).toEqual(['docs 2 1:docs/notes.md'])
  })
})

describe('a branch is not noticed', () => {
  test('that was merged, or squashed: its files are the same in the base', async () => {
    const root = userRepository()
    branch(root, 'merged', { 'src/a.js': 'm\n' })
    sh(root, 'merge', '-q', '--no-ff', '--no-edit', 'merged')
    branch(root, 'squashed', { 'src/login.js': 's\n' })
    sh(root, 'merge', '-q', '--squash', 'squashed')
    sh(root, 'commit', '-q', '-m', 'Squashed')
    expect(await noticed(root)).toEqual([])
  })

  test('that Bosun made for this plan, here or at a remote', async () => {
    const root = userRepository()
    branch(root, 'feat/shop/working', { 'src/a.js': 'x\n' })
    branch(root, 'temporary', { 'src/a.js': 'y\n' })
    sh(root, 'update-ref', 'refs/remotes/origin/feat/shop/working', 'temporary')
    sh(root, 'branch', '-q', '-D', 'temporary')
    expect(await noticed(root)).toEqual([])
  })

  test('that has a history of its own', async () => {
    const root = userRepository()
    sh(root, 'checkout', '-q', '--orphan', 'pages')
    sh(root, 'commit', '-q', '-m', 'Pages')
    sh(root, 'checkout', '-q', 'main')
    expect(await noticed(root)).toEqual([])
  })

  test('that touches something else', async () => {
    const root = userRepository()
    branch(root, 'other', { 'src/deep/b.js': 'x\n' })
    expect(await noticed(root)).toEqual([])
    expect(await noticed(root, [])).toEqual([])
  })
})

describe('whatever a repository holds', () => {
  test('a file named like a commit is a file', async () => {
    const root = userRepository()
    const odd = 'a'.repeat(40)
    branch(root, 'odd', { [odd]: 'x\n', 'src/a.js': 'x\n' })
    expect(await noticed(root, [task('1', [odd], ['src/a.js'])])).toEqual([`odd 1 1:${odd},src/a.js`])
  })

  test('names are kept as they are, bounded, and subjects without what is not seen', async () => {
    const root = userRepository()
    const name = `ignore-all-\`rm\`-\u202e${'x'.repeat(150)}`
    branch(root, name, { 'src/a.js': 'x\n' })
    sh(root, 'checkout', '-q', name)
    sh(root, 'commit', '-q', '--amend', '-m', `\u001b[31mred ${'y'.repeat(5000)}\nbody`)
    sh(root, 'checkout', '-q', 'main')
    const { noticed } = await survey(root)
    expect(noticed[0]?.name).toBe(name)
    expect(noticed[0]?.subject).toMatch(/^\[31mred y{110,120}…$/)
  })

  test('a branch whose commit is missing hides no other, and one that is damaged stops nothing', async () => {
    const root = userRepository()
    branch(root, 'good', { 'src/a.js': 'x\n' })
    branch(root, 'bad', { 'src/login.js': 'x\n' }, { 'src/login.js': 'y\n' })
    const remove = (sha: string) =>
      rmSync(join(root, '.git/objects', sha.slice(0, 2), sha.slice(2)), { force: true })
    remove(sh(root, 'rev-parse', 'bad'))
    expect(await noticed(root)).toEqual(['good 1 2:src/a.js'])
    sh(root, 'update-ref', '-d', 'refs/heads/bad')
    branch(root, 'worse', { 'src/login.js': 'z\n' }, { 'src/login.js': 'w\n' })
    remove(sh(root, 'rev-parse', 'worse~1'))
    expect(await survey(root)).toMatchObject({
      noticed: [],
      trouble: expect.stringContaining('git rev-list'),
    })
  })

  test('settings of the repository run nothing', async () => {
    const root = userRepository({ files: { 'src/a.js': '1\n', '.gitattributes': '*.js diff=evil\n' } })
    branch(root, 'x', { 'src/a.js': '2\n' })
    const trap = `touch ${join(root, 'ran')}; false`
    for (const key of [
      'diff.evil.command',
      'diff.evil.textconv',
      'diff.external',
      'gpg.program',
      'core.pager',
    ])
      sh(root, 'config', key, trap)
    sh(root, 'config', 'log.showSignature', 'true')
    expect(await noticed(root)).toEqual(['x 1 2:src/a.js'])
    expect(() => rmSync(join(root, 'ran'))).toThrow('ENOENT')
  })

  test('where history is cut short, what there is is looked at', async () => {
    const origin = userRepository()
    write(origin, { 'docs/notes.md': 'x\n' })
    sh(origin, 'commit', '-q', '-a', '-m', 'Second')
    branch(origin, 'login', { 'src/login.js': 'x\n' }, { 'src/login.js': 'y\n' })
    const root = join(tempFolder(), 'clone')
    sh(origin, 'clone', '-q', '--depth', '1', '--no-single-branch', `file://${origin}`, root)
    expect((await survey(root)).trouble).toBeNull()
  })

  test('more branches and expected files than fit are counted, and those that make something come first', async () => {
    const root = userRepository()
    const base = sh(root, 'rev-parse', 'main')
    const many = 260
    const input = Array.from({ length: many }, (_, at) =>
      [
        `commit refs/heads/b${String(at).padStart(3, '0')}`,
        `committer A <a@b> ${1_800_000_000 + at} +0000`,
        'data 1\nx',
        `from ${base}`,
        `M 100644 inline ${at === many - 1 ? 'src/login.js' : 'src/a.js'}\ndata 2\n${at % 10}\n`,
        '',
      ].join('\n'),
    ).join('')
    execFileSync('git', ['fast-import', '--quiet'], { cwd: root, input })
    const { noticed, more } = await survey(root)
    expect([noticed.length, noticed[0]?.name, noticed[1]?.name]).toEqual([20, 'b259', 'b258'])
    expect(more).toBe(many - 20)
    // With more paths than git is asked about at once, the same is found.
    const wide = [
      ...TASKS,
      task(
        '3',
        Array.from({ length: 1500 }, (_, at) => `gen/${at}.js`),
      ),
    ]
    expect((await survey(root, wide)).noticed).toEqual(noticed)
  })
})
