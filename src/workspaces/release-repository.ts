/**
 * A repository as whoever checks a release looks at it: through a folder of its own that borrows the repository's
 * objects, so that nothing in it is written, and no setting, hook, filter or replaced object of it is heeded.
 */
import { existsSync } from 'node:fs'
import { copyFile, mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CommitFacts } from '../core/delivery/verify-release.ts'
import type { FoundRelease, ReleaseRepository } from '../ports/release-repository.ts'
import { fromText } from './byte-path.ts'
import { CheckoutSlots, type Checkout } from './checkout-slots.ts'
import { fields, type Git } from './git.ts'
import { workingBranch } from './publish.ts'
import { Quarantine } from './quarantine.ts'
import { readManifest } from './release-files.ts'
import { removeFolder } from '../lib/remove-folder.ts'
import { setEntries, withScratchIndex, writeTree } from './scratch-index.ts'
import { readTreeFile } from './tree-diff.ts'
import { openUserRepository, type UserRepository } from './user-repository.ts'

const MAX_TEXT_BYTES = 16 * 1024 * 1024

export class BorrowedRepository implements Omit<ReleaseRepository, 'rerun'> {
  /** Where checking may keep what it needs for a while. */
  readonly folder: string
  /** The user's work tree. */
  readonly root: string
  readonly #user: UserRepository
  readonly #scratch: Quarantine
  readonly #slots: CheckoutSlots

  private constructor(folder: string, user: UserRepository, scratch: Quarantine) {
    this.folder = folder
    this.root = user.root
    this.#user = user
    this.#scratch = scratch
    this.#slots = new CheckoutSlots({ quarantine: scratch, directory: folder })
  }

  /** The commit that is checked out. */
  get base(): UserRepository['base'] {
    return this.#user.base
  }

  static async open(git: Git, from: string): Promise<BorrowedRepository> {
    const user = await openUserRepository(git, from)
    const folder = await mkdtemp(join(tmpdir(), 'bosun-verify-'))
    try {
      const { objectFormat } = user
      const scratch = await Quarantine.open({ git, directory: folder, objectFormat })
      const args = ['rev-parse', '--path-format=absolute', '--git-path', 'objects']
      const objects = await git.line({ args, at: user.place })
      await mkdir(join(scratch.objects, 'info'), { recursive: true })
      await writeFile(join(scratch.objects, 'info', 'alternates'), `${objects}\n`)
      // Where history is cut short, git must know where. Most repositories are whole and have no such file.
      await copyFile(join(user.place.gitDir, 'shallow'), join(scratch.place.gitDir, 'shallow')).catch(
        () => undefined,
      )
      return new BorrowedRepository(folder, user, scratch)
    } catch (error) {
      await removeFolder(folder)
      throw error
    }
  }

  async find(plan: string, path: string): Promise<FoundRelease | null> {
    const args = ['rev-parse', '--verify', '--quiet', `${workingBranch(plan)}^{commit}`]
    const workingTip = await this.#scratch.git.lineOrNull({ args, at: this.#user.place })
    const from = workingTip ?? this.#user.base.commit
    const last = await this.#read('rev-list', '-1', from, '--', path)
    const commit = last === '' ? null : await this.commit(last)
    const bytes = commit === null ? null : await this.#bytes(commit.sha, path)
    if (commit === null || bytes === null) return null
    const read = readManifest(bytes)
    const isCutShort = existsSync(join(this.#scratch.place.gitDir, 'shallow'))
    return { workingTip, commit, read, inWorkTree: await this.#inWorkTree(path, bytes), isCutShort }
  }

  async commit(sha: string): Promise<CommitFacts | null> {
    const { git, place } = this.#scratch
    const outcome = await git.run({ args: ['cat-file', 'commit', sha], at: place })
    if (outcome.kind !== 'exited' || outcome.code !== 0) return null
    const text = outcome.stdout.toString('utf8')
    const end = text.indexOf('\n\n')
    const head = text.slice(0, end).split('\n')
    const values = (name: string): string[] =>
      head.flatMap((line) => (line.startsWith(`${name} `) ? [line.slice(name.length + 1)] : []))
    return { sha, tree: values('tree')[0] ?? '', parents: values('parent'), message: text.slice(end + 2) }
  }

  text(commit: string, path: string): Promise<string | null> {
    return this.#bytes(commit, path)
  }

  async changed(from: string, to: string): Promise<readonly string[]> {
    const { git, place } = this.#scratch
    const args = ['diff-tree', '-r', '-z', '--name-only', '--no-renames', from, to]
    return fields(await git.read({ args, at: place })).map((path) =>
      Buffer.from(path, 'latin1').toString('utf8'),
    )
  }

  async treesWithout(commit: CommitFacts, path: string): Promise<readonly string[]> {
    const { git, place } = this.#scratch
    const [parent] = commit.parents
    const before = parent === undefined ? null : await this.#entry(parent, path)
    return withScratchIndex(this.folder, async (index) => {
      const at = { ...place, index }
      await git.read({ args: ['read-tree', commit.tree], at })
      const nothing = `0 ${'0'.repeat(commit.tree.length)}\t${fromText(path)}\0`
      const input = Buffer.from(nothing, 'latin1')
      await git.read({ args: ['update-index', '-z', '--index-info'], at, input })
      const without = await writeTree(git, at)
      if (before === null) return [without]
      await setEntries(git, at, [{ mode: '100644', sha: before, path: fromText(path) }])
      return [without, await writeTree(git, at)]
    })
  }

  /** A folder that holds that tree and nothing else. */
  checkout(tree: string, head: string): Promise<Checkout> {
    return this.#slots.checkout(tree, head)
  }

  async close(): Promise<void> {
    await removeFolder(this.folder)
  }

  async #bytes(commit: string, path: string): Promise<string | null> {
    const file = await readTreeFile(this.#scratch, { tree: commit, path, maxBytes: MAX_TEXT_BYTES })
    return file.kind === 'file' ? file.content.toString('utf8') : null
  }

  /** The blob a commit has at a path; null where there is none. */
  async #entry(commit: string, path: string): Promise<string | null> {
    const line = await this.#read('ls-tree', '--full-tree', commit, '--', path)
    return /^100644 blob ([0-9a-f]+)\t/.exec(line)?.[1] ?? null
  }

  /** Line endings are git's to convert when it checks a file out. */
  async #inWorkTree(path: string, committed: string): Promise<FoundRelease['inWorkTree']> {
    try {
      const text = await readFile(join(this.#user.root, path), 'utf8')
      return text === committed || text.replaceAll('\r\n', '\n') === committed ? 'same' : 'different'
    } catch {
      // Another branch is checked out.
      return 'absent'
    }
  }

  #read(...args: string[]): Promise<string> {
    return this.#scratch.git.line({ args, at: this.#scratch.place })
  }
}
