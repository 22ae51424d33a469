/**
 * A repository that is only read, by release verification among others: through a folder of its own that borrows the repository's
 * objects, so that nothing in it is written, and none of its settings, hooks, filters or replaced objects apply.
 */
import { existsSync } from 'node:fs'
import { copyFile, mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CommitFacts } from '../../core/delivery/release/verify-release.ts'
import type { Checkout, Artifacts, FoundRelease, ReleaseRepository } from '../../ports/checkouts.ts'
import { bytePath, fromText, pathText } from '../git/byte-path.ts'
import { CheckoutSlots } from '../clones/slots.ts'
import { fields, type Git } from '../git/git.ts'
import { workingBranch } from './publish.ts'
import { Quarantine } from '../quarantine.ts'
import { removeFolder } from '../../lib/files/remove-folder.ts'
import { textInTree } from '../git/tree-diff.ts'
import { isFolder, type TreeEdit, type TreeEntry } from '../git/trees.ts'
import { openUserRepository, type UserRepository } from '../user-repository.ts'
import { createHash } from 'node:crypto'
import { Document, isMap, isScalar, isSeq, parse, visit, type YAMLMap } from 'yaml'
import { writtenManifest, type ReleaseManifest } from '../../core/delivery/release/manifest-schema.ts'
import type { PrepareRelease } from '../../core/decide/effects.ts'
import { documentPath } from '../../core/languages/paths.ts'

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

  /** Where the objects of its checkouts lie. */
  get objects(): string {
    return this.#scratch.objects
  }

  /** `prefix`: how the path of its folder begins. */
  static async open(
    git: Git,
    from: string,
    prefix = join(tmpdir(), 'bosun-verify-'),
  ): Promise<BorrowedRepository> {
    const user = await openUserRepository(git, from)
    const folder = await mkdtemp(prefix)
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
    const text = commit === null ? null : await this.text(commit.sha, path)
    if (commit === null || text === null) return null
    const read = readManifest(text)
    const isCutShort = existsSync(join(this.#scratch.place.gitDir, 'shallow'))
    return { workingTip, commit, read, inWorkTree: await this.#inWorkTree(path, text), isCutShort }
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
    return textInTree(this.#scratch, { tree: commit, path, maxBytes: MAX_TEXT_BYTES })
  }

  async changed(from: string, to: string): Promise<readonly string[]> {
    const { git, place } = this.#scratch
    const args = ['diff-tree', '-r', '-z', '--name-only', '--no-renames', from, to]
    return fields(await git.read({ args, at: place })).map((path) => pathText(bytePath(path)))
  }

  async treesWithout(commit: CommitFacts, { own, all, start }: Artifacts): Promise<readonly string[]> {
    const [parent = null] = commit.parents
    const none = (path: string): TreeEdit => ({ path: fromText(path), entry: null })
    const asIn = async (path: string, before: string | null): Promise<TreeEdit> => ({
      path: fromText(path),
      entry: before === null ? null : await this.#file(before, path),
    })
    const alone = own === null ? [] : [[none(own)], [await asIn(own, parent)]]
    const whole = await Promise.all(all.map((path) => asIn(path, start)))
    return Promise.all([...alone, whole].map((edits) => this.#scratch.trees.write(commit.tree, edits)))
  }

  /** A folder that holds that tree and nothing else. */
  checkout(tree: string, head: string): Promise<Checkout> {
    return this.#slots.checkout(tree, head)
  }

  async close(): Promise<void> {
    await removeFolder(this.folder)
  }

  /** The file a commit has at a path; null where there is none. */
  async #file(commit: string, path: string): Promise<TreeEntry | null> {
    const entry = await this.#scratch.trees.at(commit, fromText(path))
    return entry === null || isFolder(entry) ? null : entry
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

/** The release manifest as YAML, with a digest of everything else in it, so that any change shows. */
export function manifestText(manifest: ReleaseManifest): string {
  const document = new Document(writtenManifest(manifest))
  visit(document, {
    Map(_, node, path) {
      if (path.some((one) => isMap(one)) && isShort(node)) node.flow = true
    },
  })
  const body = document.toString({ lineWidth: 0 })
  return `${body}digest: ${digestOf(body)}\n`
}

const LONGEST_ON_A_LINE = 70

/** Plain values that fit on one line, as formatters leave them. */
function isShort({ items }: YAMLMap): boolean {
  if (!items.every(({ value }) => isScalar(value) || isEmpty(value))) return false
  const text = items.map(({ key, value }) => `${String(key)}: ${isScalar(value) ? String(value) : '[]'}`)
  return text.join(', ').length <= LONGEST_ON_A_LINE
}

const isEmpty = (value: unknown): boolean => isSeq(value) && value.items.length === 0

/** It is read on other machines: documents are named as the repository has them. */
export function withoutPlaces(manifest: ReleaseManifest, root: string): ReleaseManifest {
  const { plan_doc, design_doc } = manifest
  return {
    ...manifest,
    plan_doc: documentPath(plan_doc, root),
    design_doc: design_doc === null ? null : documentPath(design_doc, root),
  }
}

/** The manifest, and the notes that it names by their bytes. */
export function releaseFiles(
  { manifest, notes }: Pick<PrepareRelease, 'manifest' | 'notes'>,
  path: string,
): { readonly manifest: ReleaseManifest; readonly notes: readonly { path: string; content: string }[] } {
  if (notes === null) return { manifest, notes: [] }
  return {
    manifest: { ...manifest, release_notes: { path, sha256: digestOf(notes) } },
    notes: [{ path, content: notes }],
  }
}

/** The sha256 of a manifest's text up to its digest. */
const digestOf = (body: string): string => createHash('sha256').update(body).digest('hex')

type ManifestRead =
  | { readonly ok: true; readonly manifest: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly why: string }

/** Reads a manifest back. It must be, to the byte, what was written. */
export function readManifest(text: string): ManifestRead {
  const match = /^([\s\S]*)digest: ([0-9a-f]{64})\n$/.exec(text)
  if (match === null) return { ok: false, why: 'its last line is not a digest' }
  const [, body = '', digest = ''] = match
  if (digestOf(body) !== digest) return { ok: false, why: 'its digest does not match: the file was changed' }
  const parsed: unknown = parse(body)
  if (typeof parsed !== 'object' || parsed === null) return { ok: false, why: 'not a manifest' }
  return { ok: true, manifest: parsed as Record<string, unknown> }
}
