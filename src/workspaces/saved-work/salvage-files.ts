/** Files stored as objects byte for byte, under names any tree may hold. */
import { bytePath, fromText, lookAt, onDisk, pathText, type BytePath } from '../git/byte-path.ts'
import type { Git, GitPlace } from '../git/git.ts'
import { isGitName } from '../git/path-rules.ts'
import type { Entry } from '../git/scratch-index.ts'

interface Wanted {
  readonly path: BytePath
  /** The folder it goes to. */
  readonly under: string
}

interface Stored {
  readonly entries: readonly Entry[]
  readonly failed: readonly BytePath[]
}

export async function storeFiles(job: {
  git: Git
  place: GitPlace
  root: string
  wanted: readonly Wanted[]
}): Promise<Stored> {
  const { git, place, root } = job
  const files: (Wanted & { readonly mode: Entry['mode'] })[] = []
  const entries: Entry[] = []
  const failed: BytePath[] = []
  for (const one of job.wanted) {
    const found = lookAt(root, one.path)
    if (found.kind === 'file') files.push({ ...one, mode: (found.mode & 0o100) === 0 ? '100644' : '100755' })
    else if (found.kind === 'link') {
      const sha = await git.line({ args: ['hash-object', '-w', '--stdin'], at: place, input: found.target })
      entries.push({ mode: '120000', sha, path: placeOf(one) })
    } else if (found.kind === 'folder' || found.kind === 'unreadable') failed.push(one.path)
    // A pipe or a device holds no bytes.
  }
  const hashed = await hashFiles({ git, place, root, paths: files.map((one) => one.path) })
  for (const [at, one] of files.entries()) {
    const sha = hashed[at] ?? null
    if (sha === null) failed.push(one.path)
    else entries.push({ mode: one.mode, sha, path: placeOf(one) })
  }
  return { entries, failed }
}

async function hashFiles(job: {
  git: Git
  place: GitPlace
  root: string
  paths: readonly BytePath[]
}): Promise<(string | null)[]> {
  const { git, place, root, paths } = job
  if (paths.length === 0) return []
  const args = ['hash-object', '-w', '--no-filters', '--stdin-paths']
  const input = (some: readonly BytePath[]) => some.map((path) => `${quoted(onDisk(root, path))}\n`).join('')
  const all = await git.run({ args, at: place, input: input(paths) })
  if (all.kind === 'exited' && all.code === 0) return all.stdout.toString('utf8').trim().split('\n')
  const single: (string | null)[] = []
  for (const path of paths) {
    const one = await git.run({ args, at: place, input: input([path]) })
    single.push(one.kind === 'exited' && one.code === 0 ? one.stdout.toString('utf8').trim() : null)
  }
  return single
}

/** As git reads a name between quotes: any byte, also a line's end. */
function quoted(place: Buffer): string {
  const bytes = [...place].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`)
  return `"${bytes.join('')}"`
}

const placeOf = (one: Wanted): BytePath => bytePath(`${one.under}/${safePath(one.path)}`)

/** The same path with every name that may not stand in a tree written as `=` and its bytes in hexadecimal where needed. */
export function safePath(path: BytePath): BytePath {
  return bytePath(path.split('/').map(safeName).join('/'))
}

function safeName(name: string): string {
  const text = pathText(bytePath(name))
  const plain = !isGitName(text) && !/^=|^\.git|[\\\u{fffd}]/iu.test(text)
  if (plain) return name
  const bytes = [...Buffer.from(name, 'latin1')].map((byte) =>
    /[A-Za-z0-9._-]/.test(String.fromCharCode(byte))
      ? String.fromCharCode(byte)
      : `%${byte.toString(16).padStart(2, '0')}`,
  )
  return fromText(`=${bytes.join('')}`)
}
