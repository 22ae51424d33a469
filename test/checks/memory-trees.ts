/** Trees as plain values: a checkout writes one into a folder of its own. */
import { chmod, mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Change } from '../../src/core/gates/change.ts'
import type {
  Changes,
  Checkout,
  CheckoutPurpose,
  Checkouts,
  LandedCommit,
} from '../../src/ports/checkouts.ts'
import { changedFile } from '../helpers/a-change.ts'
import { tempFolder } from '../helpers/temp-folder.ts'

export type Tree = Readonly<Record<string, string>>

export class MemoryTrees implements Checkouts, Changes {
  /** Every checkout that was ever given out. */
  readonly given: { readonly tree: string; readonly purpose: CheckoutPurpose; readonly path: string }[] = []
  /** Paths that were not released yet. */
  readonly open = new Set<string>()
  readonly #trees: Readonly<Record<string, Tree>>
  readonly #base: string

  constructor(trees: Readonly<Record<string, Tree>>, base = 'base') {
    this.#trees = trees
    this.#base = base
  }

  async checkout(tree: string, purpose: CheckoutPurpose): Promise<Checkout> {
    const files = this.#tree(tree)
    const path = tempFolder('tree')
    for (const [name, text] of Object.entries(files)) {
      await mkdir(dirname(join(path, name)), { recursive: true })
      await writeFile(join(path, name), text)
      if (text.startsWith('#!')) await chmod(join(path, name), 0o755)
    }
    this.given.push({ tree, purpose, path })
    this.open.add(path)
    return {
      path,
      release: async () => {
        this.open.delete(path)
        await rm(path, { recursive: true, force: true })
      },
    }
  }

  changeOf({ tree }: { readonly tree: string }): Promise<Change> {
    const [before, after] = [this.#tree(this.#base), this.#tree(tree)]
    const paths = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort()
    const files = paths.flatMap((path) => changedFile(path, before[path] ?? null, after[path] ?? null))
    return Promise.resolve({ base: this.#base, files })
  }

  changeSince(_commit: string, tree: string): Promise<Change> {
    return this.changeOf({ tree })
  }

  tipTree(): Promise<string> {
    return Promise.resolve('tree')
  }

  provenTree(): Promise<string> {
    return this.tipTree()
  }

  /** The base, the others in the order they were given, and what would be released. */
  history(): Promise<readonly LandedCommit[]> {
    const between = Object.keys(this.#trees).filter((name) => name !== this.#base && name !== 'tree')
    return Promise.resolve([this.#base, ...between, 'tree'].map((name) => ({ sha: name, tree: name })))
  }

  #tree(name: string): Tree {
    const tree = this.#trees[name]
    if (tree === undefined) throw new Error(`there is no tree ${name}`)
    return tree
  }
}
