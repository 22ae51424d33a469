/** Reads files of a checkout. A worker wrote them, so links are not followed and every read is bounded. */
import { lstatSync, readdirSync, readFileSync, realpathSync } from 'node:fs'
import { join, sep } from 'node:path'
import { READ_MANIFESTS, type Listing } from '../../core/repository-facts/detect-commands.ts'
import { isWorkflowPath } from '../../core/repository-facts/test-candidates.ts'
import { isOutside, normalPath } from '../../core/languages/paths.ts'
import { gunzipSync, inflateRawSync, inflateSync } from 'node:zlib'
import { createHash } from 'node:crypto'
import type { Report, Verdict } from '../../core/event-schemas/schemas.ts'
import type { Change } from '../../core/gates/change.ts'
import {
  secretsIn,
  variablesIn,
  worthHolding,
  type HeldSecret,
} from '../../core/gates/secrets/secret-values.ts'
import type { MachinePlace } from '../../core/gates/secrets/machine-places.ts'
import { secretsGate, type BinaryFile } from '../../core/gates/secrets/secrets-gate.ts'
import { orElse } from '../../lib/or-else.ts'

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

const MOST_BYTES = 32 * 1024 * 1024
const MOST_ENTRIES = 2_000
const DEEPEST = 3

/**
 * Unpacks gzip, zlib and zip contents within fixed limits. Never throws. The bytes themselves, followed by the contents of
 * every archive in them.
 */
export function unpacked(bytes: Buffer, depth = 0): readonly Buffer[] {
  const inner = depth >= DEEPEST ? [] : contentsOf(bytes)
  return [bytes, ...inner.flatMap((one) => unpacked(one, depth + 1))]
}

function contentsOf(bytes: Buffer): readonly Buffer[] {
  const options = { maxOutputLength: MOST_BYTES }
  // Of what is no archive, or a broken one, only the raw bytes are searched.
  return orElse((): readonly Buffer[] => {
    if (bytes[0] === 0x1f && bytes[1] === 0x8b) return [gunzipSync(bytes, options)]
    if (bytes[0] === 0x78 && [0x01, 0x5e, 0x9c, 0xda].includes(bytes[1] ?? 0))
      return [inflateSync(bytes, options)]
    return bytes.length < 22 || bytes.toString('latin1', 0, 2) !== 'PK' ? [] : zipEntries(bytes)
  }, [])
}

const END = 0x06054b50
const ENTRY = 0x02014b50

/** Reads the central directory at the end, as unzip programs do. */
function zipEntries(bytes: Buffer): readonly Buffer[] {
  let end = bytes.length - 22
  while (end >= 0 && bytes.readUInt32LE(end) !== END) end--
  if (end < 0) return []
  const count = Math.min(bytes.readUInt16LE(end + 10), MOST_ENTRIES)
  const found: Buffer[] = []
  let at = bytes.readUInt32LE(end + 16)
  let left = MOST_BYTES
  for (let entry = 0; entry < count && left > 0; entry++) {
    if (bytes.readUInt32LE(at) !== ENTRY) break
    const method = bytes.readUInt16LE(at + 10)
    const size = bytes.readUInt32LE(at + 20)
    const local = bytes.readUInt32LE(at + 42)
    const start = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28)
    const packed = bytes.subarray(start, start + size)
    const whole =
      method === 0 ? packed : method === 8 ? inflateRawSync(packed, { maxOutputLength: left }) : null
    if (whole !== null) {
      left -= whole.length
      found.push(whole)
    }
    at += 46 + bytes.readUInt16LE(at + 28) + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32)
  }
  return found
}

/** Reads the input of the secrets gate: binary files of the checkout and known secret values. */
export function checkSecrets(facts: {
  readonly change: Change
  readonly files: CheckoutFiles
  readonly held: readonly HeldSecret[]
  readonly places?: readonly MachinePlace[] | undefined
  readonly report: Report | null
}): Verdict {
  const { change, files, held, places = [], report } = facts
  const binaries = change.files
    .filter((file) => file.isBinary && file.kind !== 'deleted')
    .flatMap(({ path }): readonly BinaryFile[] => {
      const read = files.bytes(path, MOST_BYTES)
      if (read.kind === 'absent') return []
      const contents =
        read.kind === 'bytes' ? unpacked(read.bytes).map((one) => one.toString('latin1')) : null
      return [{ path, contents }]
    })
  const written = report?.reviewNote
  const note =
    written === null || written === undefined ? [] : [written.summary, ...written.risks, written.rollback]
  return secretsGate({
    change,
    held,
    places,
    binaries,
    notes: note.map((text) => ({ where: 'the review note', text })),
    hashOf: (secret) => `sha256 ${createHash('sha256').update(secret).digest('hex').slice(0, 8)}`,
  })
}

/** Values of the env files that are copied into checkouts from the user's work tree. */
export function secretsOfEnvFiles(root: string | null, paths: readonly string[]): readonly HeldSecret[] {
  if (root === null || paths.length === 0) return []
  const files = new CheckoutFiles(root)
  return worthHolding(
    paths.flatMap((path) => secretsIn(variablesIn(files.text(path) ?? ''), path, 'by name or chance')),
  )
}
