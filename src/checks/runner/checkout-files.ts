/** Reads files of a checkout. A worker wrote them, so links are not followed and every read is bounded. */
import { lstatSync, readdirSync, readFileSync, realpathSync } from 'node:fs'
import { join, sep } from 'node:path'
import { READ_MANIFESTS, type Listing } from '../../core/repository-facts/detect-commands.ts'
import { isWorkflowPath } from '../../core/repository-facts/test-candidates.ts'
import { isOutside, normalPath } from '../../core/languages/paths.ts'

const MAX_FILES = 50_000
const MAX_TEXT_BYTES = 4 * 1024 * 1024
const NOT_LISTED: ReadonlySet<string> = new Set(['.git', 'node_modules', '.venv', 'target'])

export class CheckoutFiles {
  readonly #root: string

  /** `real` is the real path of the root, if known. */
  constructor(root: string, real: string = realpathSync.native(root)) {
    this.#root = real
  }

  /** Whether a file or folder exists. */
  has(path: string): boolean {
    return this.#entry(path) !== null
  }

  /** Whether a path within the checkout does not exist. */
  isGone(path: string): boolean {
    return !isOutside(path) && !this.has(path)
  }

  /** Whether it is a plain file within the checkout. */
  isFile(path: string): boolean {
    return this.#entry(path)?.isFile === true
  }

  /** The text of a file; null if it is missing, a link, binary or too large. */
  text(path: string): string | null {
    const entry = this.#entry(path)
    if (entry === null || !entry.isFile || entry.bytes > MAX_TEXT_BYTES) return null
    const bytes = readFileSync(entry.path)
    return bytes.includes(0) ? null : bytes.toString('utf8')
  }

  /** The bytes of a plain file; links count as absent. */
  bytes(
    path: string,
    most: number,
  ): { readonly kind: 'bytes'; readonly bytes: Buffer } | { readonly kind: 'absent' | 'too_large' } {
    const entry = this.#entry(path)
    if (entry === null || !entry.isFile) return { kind: 'absent' }
    return entry.bytes > most ? { kind: 'too_large' } : { kind: 'bytes', bytes: readFileSync(entry.path) }
  }

  lines(path: string): readonly string[] | null {
    return this.text(path)?.replace(/\n$/, '').split('\n') ?? null
  }

  listing(): Listing {
    const files = new Set<string>()
    const folders = ['']
    for (let folder = folders.pop(); folder !== undefined && files.size < MAX_FILES; folder = folders.pop()) {
      for (const entry of readdirSync(join(this.#root, folder), { withFileTypes: true })) {
        if (NOT_LISTED.has(entry.name)) continue
        const path = folder === '' ? entry.name : `${folder}/${entry.name}`
        if (entry.isDirectory()) folders.push(path)
        else if (entry.isFile()) files.add(path)
      }
    }
    return {
      files,
      read: (path) => (READ_MANIFESTS.includes(path) || isWorkflowPath(path) ? this.text(path) : null),
    }
  }

  #entry(path: string): { readonly path: string; readonly isFile: boolean; readonly bytes: number } | null {
    if (isOutside(path)) return null
    try {
      const whole = join(this.#root, normalPath(path))
      const folder = join(whole, '..')
      const real = folder === this.#root ? folder : realpathSync.native(folder)
      if (real !== this.#root && !real.startsWith(`${this.#root}${sep}`)) return null
      const stat = lstatSync(whole)
      return { path: whole, isFile: stat.isFile(), bytes: stat.size }
    } catch {
      // Missing, or in an unreadable folder.
      return null
    }
  }
}
