import type { PackedTree } from '../core/languages/packed-tree.ts'

const MAX_BYTES = 4 * 1024 * 1024

/** A size-limited cache of the most recently used trees, by blob id. */
export class PackedTrees {
  readonly #maxBytes: number
  readonly #trees = new Map<string, PackedTree>()
  #bytes = 0

  constructor(maxBytes = MAX_BYTES) {
    this.#maxBytes = maxBytes
  }

  get(name: string): PackedTree | undefined {
    const tree = this.#trees.get(name)
    if (tree === undefined) return undefined
    this.#trees.delete(name)
    this.#trees.set(name, tree)
    return tree
  }

  keep(name: string, tree: PackedTree): void {
    this.#forget(name)
    if (tree.nodes.byteLength > this.#maxBytes) return
    this.#trees.set(name, tree)
    this.#bytes += tree.nodes.byteLength
    for (const oldest of this.#trees.keys()) {
      if (this.#bytes <= this.#maxBytes) return
      this.#forget(oldest)
    }
  }

  #forget(name: string): void {
    this.#bytes -= this.#trees.get(name)?.nodes.byteLength ?? 0
    this.#trees.delete(name)
  }
}
