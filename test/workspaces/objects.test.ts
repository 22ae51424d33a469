/** Objects and refs that Bosun reads and makes without a git process each: held against git itself. */
import fc from 'fast-check'
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { bytePath, fromText } from '../../src/workspaces/git/byte-path.ts'
import { commitTree } from '../../src/workspaces/git/commit-tree.ts'
import { GitFailed } from '../../src/workspaces/git/git.ts'
import { ObjectReader } from '../../src/workspaces/git/object-reader.ts'
import { rawLine, treeContent } from '../../src/workspaces/git/trees.ts'
import { NOW, openLab, sh, userRepository, type Lab } from './lab.ts'

const NAMES = ['a', 'a.b', 'a-b', 'ab', 'é', 'x y', 'src']
const path = fc
  .array(fc.constantFrom(...NAMES), { minLength: 1, maxLength: 3 })
  .map((names) => names.join('/'))
const entry = fc.record({
  path,
  mode: fc.constantFrom('100644', '100755', '120000', '160000'),
  content: fc.constantFrom('one', 'two', 'three'),
})
const files = fc.array(entry, { maxLength: 8 })

/** A tree with these entries, made by git alone; of two that cannot be together the later one stays. */
function treeByGit(lab: Lab, entries: readonly { path: string; mode: string; content: string }[]): string {
  const run = (args: string[], input: string): string =>
    execFileSync('git', [`--git-dir=${lab.quarantine.place.gitDir}`, ...args], {
      input,
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], GIT_INDEX_FILE: join(lab.state, 'index-of-test') },
    }).trim()
  run(['read-tree', '--empty'], '')
  for (const { path: at, mode, content } of entries) {
    const sha = mode === '160000' ? lab.user.base.commit : run(['hash-object', '-w', '--stdin'], content)
    run(['update-index', '--add', '--replace', '--cacheinfo', `${mode},${sha},${at}`], '')
  }
  return run(['write-tree'], '')
}

test('two trees differ where git says they do, in its order and with its letters', async () => {
  const lab = await openLab(userRepository())
  await fc.assert(
    fc.asyncProperty(files, files, async (before, after) => {
      const [old, young] = [treeByGit(lab, before), treeByGit(lab, after)]
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
      expect(differences.map(rawLine).join('')).toBe(byGit)
    }),
    { numRuns: 40 },
  )
})

test('a tree with a file more is the tree git would write, whatever was in its place', async () => {
  const lab = await openLab(userRepository())
  await fc.assert(
    fc.asyncProperty(files, path, async (entries, at) => {
      const tree = treeByGit(lab, entries)
      const made = await lab.quarantine.trees.write(tree, [
        { path: fromText(at), content: Buffer.from('new') },
      ])
      expect(made).toBe(treeByGit(lab, [...entries, { path: at, mode: '100644', content: 'new' }]))
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

test('objects of every length are what git reads, whether packed or not', async () => {
  const lab = await openLab(userRepository())
  const { quarantine } = lab
  const lengths = [0, 1, 500, 4070, 4080, 4090, 5000, 16_000, 17_000, 300_000]
  const contents = [
    ...lengths.map((length) => Buffer.alloc(length, 'Bosun ')),
    ...lengths.map((length) => randomBytes(length)),
  ]
  const names = await quarantine.writer.writeAll(contents.map((content) => ({ type: 'blob', content })))
  for (const [at, name] of names.entries()) {
    const args = [`--git-dir=${quarantine.place.gitDir}`, 'cat-file', 'blob', name]
    const byGit = execFileSync('git', args, { env: { PATH: process.env['PATH'] } })
    expect(byGit.equals(contents[at] ?? Buffer.alloc(0))).toBe(true)
  }
  expect(lab.look('fsck', '--strict', '--no-dangling')).toBe('')
})

test('objects written together are all there, the same one once, and no draft is left', async () => {
  const lab = await openLab(userRepository())
  const { writer, objects } = lab.quarantine
  const blobs = ['one', 'two', 'one'].map((text) => ({ type: 'blob' as const, content: Buffer.from(text) }))
  const names = await writer.writeAll(blobs)
  expect(names).toEqual(blobs.map((blob) => writer.nameOf(blob)))
  // Git removes a folder that it has emptied.
  for (const name of names) rmSync(join(objects, name.slice(0, 2)), { recursive: true, force: true })
  await writer.writeAll(blobs)
  for (const [at, name] of names.entries())
    expect(lab.look('cat-file', 'blob', name)).toBe(blobs[at]?.content.toString())
  expect(readdirSync(objects).filter((name) => name.startsWith('tmp_obj'))).toEqual([])
})

test('where one of several cannot be written none is named, and no draft is left', async () => {
  const lab = await openLab(userRepository())
  const { writer, objects } = lab.quarantine
  // The names of commits differ from run to run, so any folder of objects may be there already.
  const taken = new Set(readdirSync(objects))
  const blobs = Array.from({ length: 300 }, (_, at) => ({
    type: 'blob' as const,
    content: Buffer.from(`${at}`),
  }))
    .filter((blob) => !taken.has(writer.nameOf(blob).slice(0, 2)))
    .slice(0, 2)
  const [first = '', second = ''] = blobs.map((blob) => writer.nameOf(blob))
  writeFileSync(join(objects, first.slice(0, 2)), 'no folder')
  await expect(writer.writeAll(blobs)).rejects.toThrow('ENOTDIR')
  expect(existsSync(join(objects, second.slice(0, 2), second.slice(2)))).toBe(false)
  expect(readdirSync(objects).filter((name) => name.startsWith('tmp_obj'))).toEqual([])
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
  // The git that refused the second has ended; the next change finds another.
  expect(await lab.quarantine.setRef('refs/plans/shop/other', commit, null)).toBe(commit)
  await expect(lab.quarantine.setRef('refs/plans/shop/tip/below', commit, null)).rejects.toThrow(GitFailed)
})

test('where a ref is, and that it is not there, is known until it is moved', async () => {
  const lab = await openLab(userRepository())
  const { quarantine } = lab
  const { commit } = lab.user.base
  const refs = ['one', 'two', 'three'].map((name) => `refs/plans/shop/${name}`)
  const [one = '', two = '', three = ''] = refs
  await quarantine.setRef(one, commit, null)
  await quarantine.lookUp([...refs, two])
  const known = () => Promise.all(refs.map((ref) => quarantine.refValue(ref)))
  expect(await known()).toEqual([commit, null, null])
  // A change behind Bosun's back, which shows that git is not asked again.
  lab.look('update-ref', three, commit)
  expect(await known()).toEqual([commit, null, null])
  expect(await quarantine.setRef(two, commit, null)).toBe(commit)
  await quarantine.deleteRef(one, commit)
  expect(await known()).toEqual([null, commit, null])
  await expect(quarantine.setRef(three, commit, null)).resolves.toBe(commit)
  expect(await known()).toEqual([null, commit, commit])
})

test('who asks for a ref while it is moved does not make others believe that it was not', async () => {
  const lab = await openLab(userRepository())
  const { quarantine } = lab
  for (let at = 0; at < 20; at++) {
    const ref = `refs/plans/shop/ref-${at}`
    await Promise.all([quarantine.setRef(ref, lab.user.base.commit, null), quarantine.refValue(ref)])
    expect(await quarantine.refValue(ref)).toBe(lab.user.base.commit)
  }
})

test('what a hash names is asked for once, and what a ref names every time', async () => {
  const lab = await openLab(userRepository())
  const { reader, writer } = lab.quarantine
  const names = await Promise.all(
    ['one', 'two'].map((text) => writer.write({ type: 'blob', content: Buffer.from(text) })),
  )
  const [one = '', two = ''] = names
  expect((await reader.content(one))?.content.toString()).toBe('one')
  rmSync(join(lab.quarantine.objects, one.slice(0, 2), one.slice(2)))
  expect((await reader.content(one))?.content.toString()).toBe('one')
  expect(await reader.facts(one)).toMatchObject({ sha: one, type: 'blob', bytes: 3 })
  const base = lab.user.base.commit
  await lab.quarantine.setRef('refs/plans/shop/tip', base, null)
  expect((await reader.facts('refs/plans/shop/tip'))?.sha).toBe(base)
  sh(lab.state, `--git-dir=${lab.quarantine.place.gitDir}`, 'update-ref', 'refs/plans/shop/tip', two)
  expect((await reader.facts('refs/plans/shop/tip'))?.sha).toBe(two)
  expect((await reader.content('refs/plans/shop/tip'))?.content.toString()).toBe('two')
})

test('what Bosun made is known without asking git, also by the way to it, and as git knows it', async () => {
  const lab = await openLab(userRepository())
  const { quarantine } = lab
  const blob = await quarantine.writer.write({ type: 'blob', content: Buffer.from('one') })
  const entry = { mode: '100644', name: bytePath('a'), sha: blob }
  const tree = await quarantine.writer.write({ type: 'tree', content: treeContent([entry]) })
  const content = Buffer.from(`tree ${tree}\nauthor A <a@b> 1 +0000\ncommitter A <a@b> 1 +0000\n\nOne\n`)
  const commit = await quarantine.writer.write({ type: 'commit', content })
  const names = [blob, tree, `${tree}^{tree}`, commit, `${commit}^{tree}`]
  const fresh = new ObjectReader(lab.git, quarantine.place)
  const byGit = await Promise.all(names.map((name) => fresh.content(name)))
  for (const sha of [blob, tree, commit]) rmSync(join(quarantine.objects, sha.slice(0, 2), sha.slice(2)))
  expect(await Promise.all(names.map((name) => quarantine.reader.content(name)))).toEqual(byGit)
  expect((await quarantine.reader.facts(`${commit}^{tree}`))?.sha).toBe(tree)
  expect(await quarantine.reader.facts(`${blob}^{tree}`)).toBeNull()
})

test('who asks a git that was killed hears of it, and the next question is answered', async () => {
  const lab = await openLab(userRepository())
  const session = lab.git.session({ args: ['cat-file', '--batch-command'], at: lab.quarantine.place })
  const known = gitsBelow(lab.quarantine.place.gitDir)
  const anything = (bytes: Buffer) => ({ value: bytes.toString(), used: bytes.length })
  expect(await session.ask(`info ${lab.user.base.commit}\n`, anything)).toContain(' commit ')
  const [pid] = gitsBelow(lab.quarantine.place.gitDir).filter((one) => !known.includes(one))
  const silent = session.ask('', anything)
  process.kill(pid ?? 0, 'SIGKILL')
  await expect(silent).rejects.toThrow(GitFailed)
  expect(await session.ask(`info ${lab.user.base.tree}\n`, anything)).toContain(' tree ')
})

test('an idle git ends', async () => {
  const lab = await openLab(userRepository())
  const { git, quarantine } = lab
  const session = git.session({ args: ['cat-file', '--batch-command'], at: quarantine.place, idleMs: 1 })
  await session.ask(`info ${lab.user.base.commit}\n`, (bytes) => ({ value: null, used: bytes.length }))
  await vi.waitFor(() => expect(gitsBelow(quarantine.place.gitDir)).toEqual([]), { timeout: 60_000 })
  await session.ask(`info ${lab.user.base.commit}\n`, (bytes) => ({ value: null, used: bytes.length }))
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

test('parents, time and subject of a commit are those that git prints', async () => {
  const lab = await openLab(userRepository())
  const { gitDir } = lab.quarantine.place
  const base = lab.user.base.commit
  const tree = sh(gitDir, 'rev-parse', `${base}^{tree}`)
  const made = (message: string, ...parents: readonly string[]): string => {
    const args = [`--git-dir=${gitDir}`, 'commit-tree', tree, ...parents.flatMap((sha) => ['-p', sha])]
    return execFileSync('git', args, { input: message, encoding: 'utf8', env: ANN }).trim()
  }
  const other = made('Other')
  const messages = [
    'One',
    'Two\nlines\n\nand a body\n\nparent 12',
    '\n\n  Later  \n',
    'é ☃\r\nnext',
    '',
    'x\n \ny',
  ]
  for (const message of messages) {
    const sha = made(message, base, other)
    const printed = sh(gitDir, 'log', '-1', '--format=%H%n%P%n%ct%n%s|', sha)
    const { parents, committedAt, subject } = await lab.quarantine.commit(sha)
    expect(`${sha}\n${parents.join(' ')}\n${committedAt}\n${subject}|`).toBe(printed)
  }
  await expect(lab.quarantine.commit(tree)).rejects.toThrow(/no commit/)
})

const ANN = {
  PATH: process.env['PATH'],
  GIT_AUTHOR_NAME: 'Ann',
  GIT_AUTHOR_EMAIL: 'ann@example.org',
  GIT_COMMITTER_NAME: 'Ann 5',
  GIT_COMMITTER_EMAIL: 'ann@example.org',
  GIT_COMMITTER_DATE: '1700000000 +0530',
}
