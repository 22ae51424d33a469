/**
 * What has landed, as proof sees it: without the plan's review artifacts, whose text is known only once a tree is proven.
 * Landing adds them, so the tree of a tip is the proven tree and its artifacts. All of it can be derived from the commits.
 */
import { Recent } from '../../lib/recent.ts'
import { fromText } from '../git/byte-path.ts'
import { fileEdit, type NewFile } from './commits.ts'
import type { Quarantine } from '../quarantine.ts'
import type { PlannedTree, TreeEdit } from '../git/trees.ts'

/** The line of a task's commit that names its review artifact. */
const REVIEW_LINE = /^Review: (.+)$/m
const KEPT_TIPS = 16

export class ProvenTip {
  readonly #quarantine: Quarantine
  /** The commit the plan started from. */
  readonly #base: () => Promise<string>
  readonly #known = new Recent<string>(KEPT_TIPS)

  constructor(quarantine: Quarantine, base: () => Promise<string>) {
    this.#quarantine = quarantine
    this.#base = base
  }

  /** The tree of a tip without the plan's review artifacts. */
  async tree(tip: string): Promise<string> {
    const known = this.#known.get(tip)
    if (known !== undefined) return known
    const base = await this.#base()
    const tree =
      tip === base
        ? await this.#quarantine.treeOf(tip)
        : await this.#quarantine.trees.write(tip, await this.#asBefore(base, tip))
    this.#known.keep(tip, tree)
    return tree
  }

  /** Saves deriving it: a commit landed whose tree is this one and artifacts. */
  learn(tip: string, tree: string): void {
    this.#known.keep(tip, tree)
  }

  /** A proven tree with the artifacts that have landed by this tip, and more of them. */
  async withArtifacts(tree: string, tip: string, more: readonly NewFile[] = []): Promise<PlannedTree> {
    const { trees } = this.#quarantine
    const landed = await trees.differences(await this.tree(tip), tip)
    const edits = [...landed.map(({ path, after }) => ({ path, entry: after })), ...more.map(fileEdit)]
    return edits.length === 0 ? { tree, objects: [] } : trees.edited(tree, edits)
  }

  /** Work that was begun on this tip, without the artifacts that lay there. */
  async withoutArtifacts(tree: string, tip: string): Promise<string> {
    const { trees } = this.#quarantine
    const artifacts = await trees.differences(await this.tree(tip), tip)
    if (artifacts.length === 0) return tree
    const edits = artifacts.map(({ path, before }) => ({ path, entry: before }))
    return trees.write(tree, edits)
  }

  async #asBefore(base: string, tip: string): Promise<readonly TreeEdit[]> {
    const { git, place, trees } = this.#quarantine
    const args = ['log', '--first-parent', '-z', '--format=%B', `${base}..${tip}`]
    const messages = (await git.line({ args, at: place })).split('\0')
    const paths = new Set(messages.flatMap((message) => REVIEW_LINE.exec(message)?.[1] ?? []))
    return Promise.all(
      [...paths].map(async (path) => ({
        path: fromText(path),
        entry: await trees.at(base, fromText(path)),
      })),
    )
  }
}
