/**
 * Replaces the values of secrets by their names, in texts of workers, checks and the brain, before anything is kept of them.
 * It finds a value in every form that `formsOf` knows, and as JSON writes it; not one that is split up or shorter than 8
 * characters.
 */
import { formsOf } from './secret-forms.ts'

export interface NamedSecret {
  /** Shown in its place. */
  readonly name: string
  readonly value: string
}

/** A text that comes in pieces: what may be the beginning of a value waits for the next piece. */
export interface HiddenStream {
  add(chunk: Uint8Array): Uint8Array
  /** What still waited. */
  end(): Uint8Array
}

const SHORTEST = 8
/** Where Bosun's own words stand in what it keeps, which name no secret. */
const OWN_KEYS: ReadonlySet<string> = new Set(['type', 'kind', 'of', 'outcome', 'status', 'decision'])
const OWN_WORD = /^[a-z_.]{1,40}$/

interface Needle {
  readonly bytes: Uint8Array
  readonly shown: Uint8Array
}

const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
const NOTHING = new Uint8Array(0)

export class Redactor {
  readonly #held = new Map<string, string>()
  /** By their first two bytes, the longest first. */
  readonly #needles = new Map<number, Needle[]>()
  readonly #isFirst = new Uint8Array(256)

  constructor(secrets: Iterable<NamedSecret> = []) {
    this.hold(secrets)
  }

  /** Those it holds, for another process. */
  get secrets(): readonly NamedSecret[] {
    return [...this.#held].map(([value, name]) => ({ name, value }))
  }

  /** From now on these too. The first name of a value stays. */
  hold(secrets: Iterable<NamedSecret>): void {
    for (const { name, value } of secrets) {
      if (value.length < SHORTEST || this.#held.has(value)) continue
      this.#held.set(value, name)
      const shown = encoder.encode(`[secret ${name.replaceAll(/[^\w .-]/g, '_')}]`)
      const texts = new Set([...formsOf(value).map(({ text }) => text), JSON.stringify(value).slice(1, -1)])
      for (const text of texts) this.#seek({ bytes: encoder.encode(text), shown })
    }
  }

  text(text: string): string {
    if (this.#held.size === 0) return text
    const bytes = encoder.encode(text)
    const { parts, rest } = this.#replaced(bytes, false)
    return parts.length === 0 ? text : decoder.decode(joined([...parts, rest]))
  }

  /** The same value where nothing had to be hidden; else a copy in which all texts are clean, keys too. */
  inAll<T>(value: T): T
  inAll(value: unknown): unknown {
    if (typeof value === 'string') return this.text(value)
    if (this.#held.size === 0 || typeof value !== 'object' || value === null) return value
    const json = JSON.stringify(value)
    return this.text(json) === json ? value : this.#within(value)
  }

  stream(): HiddenStream {
    let held: Uint8Array = NOTHING
    return {
      add: (chunk) => {
        if (this.#held.size === 0 && held.length === 0) return chunk
        const whole = held.length === 0 ? chunk : joined([held, chunk])
        const { parts, rest, waits } = this.#replaced(whole, true)
        // Copied: a stream's buffer may be used again.
        held = waits.length === 0 ? NOTHING : waits.slice()
        return parts.length === 0 ? rest : joined([...parts, rest])
      },
      end: () => {
        const { parts, rest } = this.#replaced(held, false)
        held = NOTHING
        return joined([...parts, rest])
      },
    }
  }

  #within(value: unknown): unknown {
    if (typeof value === 'string') return this.text(value)
    if (typeof value !== 'object' || value === null) return value
    if (Array.isArray(value)) return value.map((one: unknown) => this.#within(one))
    return Object.fromEntries(
      Object.entries(value).map(([key, one]: [string, unknown]) => [
        this.text(key),
        OWN_KEYS.has(key) && typeof one === 'string' && OWN_WORD.test(one) ? one : this.#within(one),
      ]),
    )
  }

  #seek(needle: Needle): void {
    const [first = 0, second = 0] = needle.bytes
    this.#isFirst[first] = 1
    const key = (first << 8) | second
    const known = this.#needles.get(key) ?? []
    this.#needles.set(
      key,
      [...known, needle].sort((one, other) => other.bytes.length - one.bytes.length),
    )
  }

  /** `rest` follows the parts; `waits` follows that, and may be the beginning of a value. */
  #replaced(
    bytes: Uint8Array,
    isOpen: boolean,
  ): { readonly parts: readonly Uint8Array[]; readonly rest: Uint8Array; readonly waits: Uint8Array } {
    const parts: Uint8Array[] = []
    let from = 0
    for (let at = 0; at < bytes.length; at++) {
      const first = bytes[at] ?? 0
      if (this.#isFirst[first] === 0) continue
      if (at + 1 === bytes.length) {
        if (isOpen) return { parts, rest: bytes.subarray(from, at), waits: bytes.subarray(at) }
        break
      }
      const needles = this.#needles.get((first << 8) | (bytes[at + 1] ?? 0))
      if (needles === undefined) continue
      const found = needles.find((needle) => beginsAt(bytes, at, needle.bytes))
      if (found === undefined) continue
      if (at + found.bytes.length > bytes.length) {
        if (isOpen) return { parts, rest: bytes.subarray(from, at), waits: bytes.subarray(at) }
        const whole = needles.find(
          (one) => at + one.bytes.length <= bytes.length && beginsAt(bytes, at, one.bytes),
        )
        if (whole === undefined) continue
        parts.push(bytes.subarray(from, at), whole.shown)
        from = at + whole.bytes.length
      } else {
        parts.push(bytes.subarray(from, at), found.shown)
        from = at + found.bytes.length
      }
      at = from - 1
    }
    return { parts, rest: bytes.subarray(from), waits: NOTHING }
  }
}

/** Whether all of it stands there, or its beginning up to the end of the bytes. */
function beginsAt(bytes: Uint8Array, at: number, needle: Uint8Array): boolean {
  const end = Math.min(needle.length, bytes.length - at)
  for (let place = 2; place < end; place++) if (bytes[at + place] !== needle[place]) return false
  return true
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
