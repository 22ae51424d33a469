/** Each way a worker could have git run a program of its choice, tried against everything Bosun does with a work tree. */
import { chmodSync, existsSync, mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { commitOnce, mergeTrees, rebaseTree } from '../../src/workspaces/landing/commits.ts'
import { saveWork } from '../../src/workspaces/saved-work/work-snapshot.ts'
import { readTreeFile } from '../../src/workspaces/git/tree-diff.ts'
import { changeBetween } from '../../src/workspaces/survey/tree-change.ts'
import { tempFolder } from '../helpers/temp-folder.ts'
import { NOW, openLab, sh, takeSnapshot, userRepository, write, type Lab } from './lab.ts'

interface Trap {
  /** The worker's work tree. */
  readonly root: string
  /** A program that leaves a mark when it is run. */
  readonly program: string
}

const config = (key: string, attribute?: string) => (trap: Trap) => {
  sh(trap.root, 'config', key, trap.program)
  if (attribute !== undefined) write(trap.root, { '.gitattributes': `* ${attribute}\n` })
}

/** A repository of the worker's in which git would run a program. */
function trapped(trap: Trap, path: string): void {
  mkdirSync(path, { recursive: true })
  sh(path, 'init', '-q')
  write(path, { 'f.txt': 'f' })
  sh(path, 'add', '-A')
  sh(path, 'commit', '-q', '-m', 'f')
  sh(path, 'config', 'core.fsmonitor', trap.program)
  sh(path, 'config', 'filter.x.clean', trap.program)
  write(path, { '.gitattributes': '* filter=x\n', 'f.txt': 'changed' })
}

const VECTORS: Readonly<Record<string, (trap: Trap) => void>> = {
  'filter clean': config('filter.x.clean', 'filter=x'),
  'filter smudge': config('filter.x.smudge', 'filter=x'),
  'filter process': config('filter.x.process', 'filter=x'),
  'filter lfs': config('filter.lfs.process', 'filter=lfs'),
  textconv: config('diff.x.textconv', 'diff=x'),
  'diff driver': config('diff.x.command', 'diff=x'),
  'external diff': config('diff.external'),
  'merge driver': config('merge.x.driver', 'merge=x'),
  fsmonitor: config('core.fsmonitor'),
  sshCommand: config('core.sshCommand'),
  pager: config('core.pager'),
  editor: config('core.editor'),
  'gpg program': (trap) => {
    sh(trap.root, 'config', 'gpg.program', trap.program)
    sh(trap.root, 'config', 'commit.gpgSign', 'true')
  },
  'alternate refs command': config('core.alternateRefsCommand'),
  'pack objects hook': config('uploadpack.packObjectsHook'),
  hooks: ({ root, program }) => {
    mkdirSync(join(root, '.git/hooks'), { recursive: true })
    for (const hook of [
      'pre-commit',
      'post-checkout',
      'post-index-change',
      'reference-transaction',
      'post-merge',
    ]) {
      symlinkSync(program, join(root, '.git/hooks', hook))
    }
  },
  hooksPath: ({ root, program }) => {
    mkdirSync(join(root, 'hooks'))
    symlinkSync(program, join(root, 'hooks/post-index-change'))
    sh(root, 'config', 'core.hooksPath', 'hooks')
  },
  'include and includeIf': ({ root, program }) => {
    write(root, {
      'evil.config': `[core]\n\tfsmonitor = ${program}\n[filter "x"]\n\tclean = ${program}\n`,
      '.gitattributes': '* filter=x\n',
    })
    sh(root, 'config', 'include.path', '../evil.config')
    sh(root, 'config', 'includeIf.gitdir:/.path', join(root, 'evil.config'))
  },
  'core.worktree': ({ root }) => sh(root, 'config', 'core.worktree', lab.user.root),
  alternates: (trap) => {
    const other = join(tempFolder(), 'other')
    trapped(trap, other)
    write(trap.root, { '.git/objects/info/alternates': join(other, '.git/objects') })
  },
  'a re-pointed .git file': (trap) => {
    const other = join(tempFolder(), 'other')
    trapped(trap, other)
    rmSync(join(trap.root, '.git'), { recursive: true })
    write(trap.root, { '.git': `gitdir: ${other}/.git\n`, '.gitattributes': '* filter=x\n' })
  },
  'a .git that is a link': (trap) => {
    const other = join(tempFolder(), 'other')
    trapped(trap, other)
    rmSync(join(trap.root, '.git'), { recursive: true })
    symlinkSync(join(other, '.git'), join(trap.root, '.git'))
  },
  commondir: (trap) => {
    const other = join(tempFolder(), 'other')
    trapped(trap, other)
    write(trap.root, { '.git/commondir': join(other, '.git') })
  },
  'promisor remote': ({ root, program }) => {
    sh(root, 'config', 'remote.evil.url', `ext::${program}`)
    sh(root, 'config', 'remote.evil.promisor', 'true')
    sh(root, 'config', 'extensions.partialClone', 'evil')
    sh(root, 'config', 'protocol.ext.allow', 'always')
  },
  'a nested repository': (trap) => trapped(trap, join(trap.root, 'nested')),
  'a repository where a submodule belongs': (trap) => trapped(trap, join(trap.root, 'vendor/lib')),
  'a bare repository as the tree': ({ root, program }) => {
    renameSync(join(root, '.git/config'), join(root, 'config'))
    write(root, {
      HEAD: 'ref: refs/heads/main\n',
      config: `[core]\n\tfsmonitor = ${program}\n\tbare = false\n\tworktree = .\n`,
    })
    mkdirSync(join(root, 'objects'))
    mkdirSync(join(root, 'refs'))
  },
  'attributes of the home folder': ({ root, program }) => {
    write(root, {
      '.config/git/attributes': '* filter=x',
      '.gitconfig': `[filter "x"]\n\tclean = ${program}\n`,
    })
  },
}

let lab: Lab
const sprung: string[] = []

beforeAll(async () => {
  const root = userRepository()
  const sub = userRepository({ files: { 'lib.c': 'int x;\n' } })
  sh(root, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', sub, 'vendor/lib')
  sh(root, 'commit', '-q', '-m', 'Add lib')
  lab = await openLab(root)
})

test.each(Object.entries(VECTORS))('%s runs nothing', async (name, set) => {
  const worker = `w-${name.replaceAll(/\W/g, '-')}`
  const clone = await lab.clone(worker)
  const tools = tempFolder()
  const mark = join(tools, 'was-run')
  const program = join(tools, 'program')
  write(tools, { program: `#!/bin/sh\necho "$0 $*" >> '${mark}'\ncat\n` })
  chmodSync(program, 0o755)

  set({ root: clone.path, program })
  write(clone.path, { 'src/a.js': 'changed\n', 'new.txt': 'new\n' })

  await saveWork(clone, NOW)
  const taken = await takeSnapshot(clone, { atMs: NOW })
  const tree = await lab.quarantine.treeOf(taken.salvage ?? '')
  await changeBetween(lab.quarantine, lab.user.base.tree, tree)
  await readTreeFile(lab.quarantine, { tree, path: 'src/a.js', maxBytes: 1_000 })
  await rebaseTree(lab.quarantine, { tree, base: lab.user.base.commit, onto: taken.salvage ?? '' })
  await mergeTrees(lab.quarantine, lab.user.base.commit, taken.salvage ?? '')
  const commit = {
    tree,
    parents: [lab.user.base.commit],
    message: 'x',
    author: { name: 'a', email: 'b' },
    atMs: NOW,
  }
  await commitOnce(lab.quarantine, { plan: 'shop', task: worker, attempt: 1 }, commit)
  const checkout = await lab.checkouts.checkout(tree, lab.user.base.commit)
  await checkout.release()
  expect(existsSync(mark)).toBe(false)
  if (springs(clone.path, mark)) sprung.push(name)

  await lab.clones.release(worker, NOW)
  const next = await lab.clone(`${worker}-next`)
  expect(next.path).toBe(clone.path)
  expect(sh(next.path, 'status', '--porcelain', '--ignored')).toBe('')
  expect(existsSync(mark)).toBe(false)
  await lab.clones.release(`${worker}-next`, NOW)
})

/** Whether ordinary git, run in the work tree, runs the program. Takes its mark away. */
function springs(root: string, mark: string): boolean {
  rmSync(join(root, 'README.md'))
  for (const args of [['checkout', '-f', '--', 'README.md'], ['status'], ['add', '-A'], ['diff', 'HEAD']]) {
    try {
      sh(root, ...args)
    } catch {
      // Git may find the trap disagreeable; what counts is whether the program was run.
    }
  }
  const was = existsSync(mark)
  rmSync(mark, { force: true })
  return was
}

test('the traps are real: ordinary git springs most of them', () => {
  expect(sprung).toEqual(
    expect.arrayContaining([
      'filter clean',
      'filter smudge',
      'filter process',
      'diff driver',
      'textconv',
      'fsmonitor',
      'hooks',
    ]),
  )
  expect(sprung).toEqual(
    expect.arrayContaining(['a re-pointed .git file', 'a .git that is a link', 'commondir']),
  )
})
