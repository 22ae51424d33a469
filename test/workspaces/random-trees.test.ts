/** Nothing a worker wrote is lost: trees left in any state, and every file's bytes found again. */
import fc from 'fast-check'
import { createHash } from 'node:crypto'
import { execFileSync } from 'node:child_process'
import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { expect, test } from 'vitest'
import { NOW, openLab, sh, userRepository, type Lab } from './lab.ts'

const NAMES = [
  'a.js',
  'b c',
  'é.txt',
  '.GIT',
  'git~1',
  'src',
  'deep',
  'x\ny',
  '.gitattributes',
  'node_modules',
  'q"uote',
  '.git',
]
const path = fc
  .array(fc.constantFrom(...NAMES), { minLength: 1, maxLength: 4 })
  .map((names) => names.join('/'))
const content = fc.oneof(
  fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
  fc
    .constantFrom('* text=auto eol=crlf\n', '* filter=x\n', 'a\r\nb\r\n', '*\n', 'gitdir: /nowhere\n')
    .map((text) => Buffer.from(text)),
)
const step = fc.oneof(
  fc.record({ kind: fc.constant('write' as const), path, content }),
  fc.record({ kind: fc.constant('write' as const), path, content }),
  fc.record({ kind: fc.constant('remove' as const), path }),
  fc.record({
    kind: fc.constant('link' as const),
    path,
    target: fc.constantFrom('/etc', '../..', 'a.js', 'src'),
  }),
  fc.record({ kind: fc.constant('init' as const), path }),
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

function play(root: string, one: Step): void {
  // The worker's own git dir is its own to spoil; it is covered elsewhere.
  if (one.path.split('/')[0] === '.git') return
  const place = join(root, one.path)
  try {
    // A path through a link would write outside.
    for (let folder = dirname(place); folder !== root; folder = dirname(folder)) {
      if (lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink() === true) return
    }
    if (one.kind === 'remove') return rmSync(place, { recursive: true })
    mkdirSync(dirname(place), { recursive: true })
    if (one.kind === 'write') writeFileSync(place, one.content)
    else if (one.kind === 'link') symlinkSync(one.target, place)
    else {
      mkdirSync(place, { recursive: true })
      sh(place, 'init', '-q')
    }
  } catch {
    // A file where a folder should be, or the other way round: this step does nothing.
  }
}

/** What is on disk, but for the root's own git dir: path → digest of its bytes. */
function onDisk(root: string, folder = root): Map<string, string> {
  const found = new Map<string, string>()
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const place = join(folder, entry.name)
    if (folder === root && entry.name === '.git') continue
    if (entry.isDirectory()) for (const [key, value] of onDisk(root, place)) found.set(key, value)
    else if (entry.isSymbolicLink())
      found.set(relative(root, place), digest(Buffer.from(readlinkSync(place))))
    else found.set(relative(root, place), digest(readFileSync(place)))
  }
  return found
}

const digest = (bytes: Buffer): string =>
  createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex')

function saved(lab: Lab, ref: string): ReadonlySet<string> {
  const args = [`--git-dir=${lab.quarantine.place.gitDir}`, 'ls-tree', '-r', '-z', ref]
  const lines = execFileSync('git', args, { encoding: 'latin1' })
    .split('\0')
    .filter((line) => line !== '')
  return new Set(lines.map((line) => line.split(/[ \t]/)[2] ?? ''))
}

test('every byte of 100 random dirty trees is in the saved commit, and the folder is clean for the next', async () => {
  const lab = await openLab(userRepository())
  const refs = sh(lab.user.root, 'for-each-ref')
  let run = 0
  const property = fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), async (steps) => {
    const worker = `w-shop-1-${++run}`
    const clone = await lab.clone(worker)
    expect(sh(clone.path, 'status', '--porcelain', '--ignored')).toBe('')
    for (const one of steps) play(clone.path, one)
    const before = onDisk(clone.path)
    const released = await lab.clones.release(worker, NOW)
    expect(released.kind).toBe('free')
    const kept = saved(lab, `refs/salvage/${worker}`)
    const lost = [...before].filter(([, sha]) => !kept.has(sha)).map(([name]) => name)
    expect(lost).toEqual([])
  })
  await fc.assert(property, { numRuns: 100, seed: 7, endOnFailure: true })
  expect(lab.look('fsck', '--strict', '--no-dangling')).toBe('')
  expect(sh(lab.user.root, 'for-each-ref')).toBe(refs)
  expect(sh(lab.user.root, 'fsck', '--strict')).toBe('')
})
