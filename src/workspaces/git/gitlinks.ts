/** Where the submodules of a tree belong. */
import { bytePath, type BytePath } from './byte-path.ts'
import { fields } from './git.ts'
import type { Quarantine } from '../quarantine.ts'

export const GITLINK = '160000'

export class Gitlinks {
  readonly #quarantine: Quarantine
  /** One tree is like the one before it: what differs says what became of these. */
  #last: { readonly tree: string; readonly links: ReadonlySet<BytePath> } | null = null

  constructor(quarantine: Quarantine) {
    this.#quarantine = quarantine
  }

  /** Of a tree, or of a commit's. */
  async of(tree: string): Promise<ReadonlySet<BytePath>> {
    const last = this.#last
    const links = last === null ? await this.#all(tree) : await this.#since(last, tree)
    this.#last = { tree, links }
    return links
  }

  async #all(tree: string): Promise<ReadonlySet<BytePath>> {
    const { git, place } = this.#quarantine
    const output = await git.read({ args: ['ls-tree', '-r', '-z', '--full-tree', tree], at: place })
    return gitlinksIn(output)
  }

  async #since(
    last: { readonly tree: string; readonly links: ReadonlySet<BytePath> },
    tree: string,
  ): Promise<ReadonlySet<BytePath>> {
    const links = new Set(last.links)
    for (const { path, before, after } of await this.#quarantine.trees.differences(last.tree, tree)) {
      if (before?.mode === GITLINK) links.delete(path)
      if (after?.mode === GITLINK) links.add(path)
    }
    return links
  }
}

/** Those in a listing that begins each line with a mode and has the path behind a tab. */
export function gitlinksIn(listing: Buffer): ReadonlySet<BytePath> {
  const links = fields(listing).filter((line) => line.startsWith(GITLINK))
  return new Set(links.map((line) => bytePath(line.slice(line.indexOf('\t') + 1))))
}
