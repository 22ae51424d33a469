/** Objects and refs as Bosun reads and makes them: held against git itself. */
import fc from 'fast-check'
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { bytePath, fromText } from '../../src/workspaces/git/byte-path.ts'
import { GitFailed } from '../../src/workspaces/git/git.ts'
import { commitTree } from '../../src/workspaces/git/trees.ts'
import { NOW, openLab, userRepository, type Lab } from './lab.ts'

const CONTENTS = ['one', 'two', 'three', 'new']
const NAMES = ['a', 'a.b', 'a-b', 'ab', 'é', 'x y', 'src']
const path = fc
  .array(fc.constantFrom(...NAMES), { minLength: 1, maxLength: 3 })
  .map((names) => names.join('/'))
const entry = fc.record({
  path,
  mode: fc.constantFrom('100644', '100755', '120000', '160000'),
  content: fc.constantFrom(...CONTENTS.slice(0, 3)),
})
const files = fc.array(entry, { maxLength: 8 })

interface Entry {
  readonly path: string
  readonly mode: string
  readonly content: string
}

/** Makes a tree with these entries by git alone; of two that cannot be together the later one stays. */
function treesByGit(lab: Lab): (entries: readonly Entry[]) => string {
  const index = join(lab.state, 'index-of-test')
  const run = (args: readonly string[], input = ''): string =>
    execFileSync('git', [`--git-dir=${lab.quarantine.place.gitDir}`, ...args], {
      input,
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], GIT_INDEX_FILE: index },
    }).trim()
  const blobs = new Map(CONTENTS.map((text) => [text, run(['hash-object', '-w', '--stdin'], text)]))
  return (entries) => {
    rmSync(index, { force: true })
    const lines = entries.map(({ path: at, mode, content }) => {
      const sha = mode === '160000' ? lab.user.base.commit : blobs.get(content)
      return `${mode} ${sha}\t${at}\0`
    })
    run(['update-index', '-z', '--index-info'], lines.join(''))
    return run(['write-tree'])
  }
}

test('two trees differ where git says they do, in its order', async () => {
  const lab = await openLab(userRepository())
  const treeByGit = treesByGit(lab)
  await fc.assert(
    fc.asyncProperty(files, files, async (before, after) => {
      const [old, young] = [treeByGit(before), treeByGit(after)]
      const differences = await lab.quarantine.trees.differences(old, young)
      const byGit = execFileSync(
        'git',
        [
          `--git-dir=${lab.quarantine.place.gitDir}`,
          'diff-tree',
          '-r',
          '-z',
          '--full-index',
          '--no-renames',
          old,
          young,
        ],
        { encoding: 'latin1', env: { PATH: process.env['PATH'] } },
      )
      const lines = differences.map(({ path: at, before: went, after: came }) => {
        const nothing = { mode: '000000', sha: '0'.repeat(40) }
        const [one, other] = [went ?? nothing, came ?? nothing]
        return `:${one.mode} ${other.mode} ${one.sha} ${other.sha} ${at}`
      })
      const parts = byGit.split('\0')
      const listed = parts.flatMap((line, at) =>
        at % 2 === 1 || line === '' ? [] : [`${line.slice(0, -2)} ${parts[at + 1] ?? ''}`],
      )
      expect(lines).toEqual(listed)
    }),
    { numRuns: 40 },
  )
})

test('a tree with a file more is the tree git would write, whatever was in its place', async () => {
  const lab = await openLab(userRepository())
  const treeByGit = treesByGit(lab)
  await fc.assert(
    fc.asyncProperty(files, path, async (entries, at) => {
      const tree = treeByGit(entries)
      const made = await lab.quarantine.trees.write(tree, [
        { path: fromText(at), content: Buffer.from('new') },
      ])
      expect(made).toBe(treeByGit([...entries, { path: at, mode: '100644', content: 'new' }]))
    }),
    { numRuns: 40 },
  )
  expect(lab.look('fsck', '--strict', '--no-dangling')).toBe('')
})

test('a commit is, byte for byte, the one git makes of the same values', async () => {
  const lab = await openLab(userRepository())
  const { tree, commit: parent } = lab.user.base
  for (const [name, message] of [
    ['Ada', 'One line'],
    [' Ada <x> "é", ', 'Zwei\n\nZeilen\n'],
  ] as const) {
    const author = { name, email: '<ada@example.org>' }
    const made = await commitTree(lab.quarantine, {
      tree,
      parents: [parent, parent],
      message,
      author,
      atMs: NOW,
    })
    const date = `@${NOW / 1000} +0000`
    const byGit = execFileSync(
      'git',
      [`--git-dir=${lab.quarantine.place.gitDir}`, 'commit-tree', tree, '-p', parent, '-p', parent],
      {
        input: message,
        encoding: 'utf8',
        stdio: ['pipe', 'pipe', 'ignore'],
        env: {
          PATH: process.env['PATH'],
          GIT_AUTHOR_NAME: name,
          GIT_AUTHOR_EMAIL: author.email,
          GIT_AUTHOR_DATE: date,
          GIT_COMMITTER_NAME: 'Bosun',
          GIT_COMMITTER_EMAIL: 'bosun@localhost',
          GIT_COMMITTER_DATE: date,
        },
      },
    )
    expect(made).toBe(byGit.trim())
  }
  expect(lab.look('fsck', '--strict', '--no-dangling')).toBe('')
})

test('a repository with names of 64 digits gets objects of its own kind', async () => {
  const lab = await openLab(userRepository({ init: ['--object-format=sha256'] }))
  const tree = await lab.quarantine.trees.write(lab.user.base.tree, [
    { path: fromText('docs/é.md'), content: Buffer.from('x') },
  ])
  expect(tree).toHaveLength(64)
  expect(lab.look('ls-tree', '-r', '--name-only', '-z', tree)).toContain('docs/é.md')
  expect((await lab.quarantine.trees.at(tree, bytePath('src/deep/b.js')))?.mode).toBe('100644')
  expect(await lab.quarantine.trees.at(tree, bytePath('src/a.js/b'))).toBeNull()
})

test('of two concurrent updates of a ref the second one returns the value of the first', async () => {
  const lab = await openLab(userRepository())
  const { commit, tree } = lab.user.base
  const others = await Promise.all(
    ['a', 'b'].map((message) =>
      commitTree(lab.quarantine, {
        tree,
        parents: [commit],
        message,
        author: { name: 'A', email: 'a@b' },
        atMs: NOW,
      }),
    ),
  )
  const set = await Promise.all(
    others.map((other) => lab.quarantine.setRef('refs/plans/shop/tip', other, null)),
  )
  expect(new Set(set).size).toBe(1)
  expect(await lab.quarantine.refValue('refs/plans/shop/tip')).toBe(set[0])
  expect(await lab.quarantine.setRef('refs/plans/shop/other', commit, null)).toBe(commit)
  await expect(lab.quarantine.setRef('refs/plans/shop/tip/below', commit, null)).rejects.toThrow(GitFailed)
})

test('who asks a git that was killed hears of it, and the next question is answered', async () => {
  const lab = await openLab(userRepository())
  const known = gitsBelow(lab.quarantine.place.gitDir)
  const catFile = lab.git.resident(['cat-file', '--batch-command', '--buffer'], lab.quarantine.place)
  const anything = (bytes: Buffer) => ({ value: bytes.toString() })
  const ask = (name: string) => catFile.ask(`info ${name}\nflush\n`, anything)
  expect(await ask(lab.user.base.commit)).toContain(' commit ')
  const [pid] = gitsBelow(lab.quarantine.place.gitDir).filter((one) => !known.includes(one))
  const silent = catFile.ask('', anything)
  process.kill(pid ?? 0, 'SIGKILL')
  await expect(silent).rejects.toThrow(GitFailed)
  expect(await ask(lab.user.base.tree)).toContain(' tree ')
})

/** Processes of git that answer questions about this repository. */
function gitsBelow(gitDir: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      const command = commandOf(name)
      return command.includes(gitDir) && command.includes('cat-file')
    })
    .map(Number)
}

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    // It has ended since its name was read.
    return ''
  }
}
