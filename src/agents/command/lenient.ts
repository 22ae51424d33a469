/** Reads an untrusted record: an invalid value counts as absent and adds a note. */
import type { z } from 'zod'

const MAX_NOTES = 50

export class LenientRecord {
  readonly notes: string[]
  readonly #record: Readonly<Record<string, unknown>>
  readonly #path: string

  constructor(record: Readonly<Record<string, unknown>>, notes: string[], path = '') {
    this.#record = record
    this.notes = notes
    this.#path = path
  }

  /** Null also stands for absent. */
  get<T>(key: string, schema: z.ZodType<T>): T | undefined {
    const value = this.#record[key] ?? undefined
    if (value === undefined) return undefined
    const parsed = schema.safeParse(value)
    if (parsed.success) return parsed.data
    this.#note(key, parsed.error.issues[0]?.message ?? 'invalid value')
    return undefined
  }

  /** The valid elements. */
  list<T>(key: string, schema: z.ZodType<T>, maxLength: number): T[] | undefined {
    const value = this.#record[key] ?? undefined
    if (value === undefined) return undefined
    if (!Array.isArray(value)) {
      this.#note(key, 'expected a list')
      return undefined
    }
    if (value.length > maxLength) this.#note(key, `only the first ${maxLength} of ${value.length} were kept`)
    return value.slice(0, maxLength).flatMap((element: unknown, at) => {
      const parsed = schema.safeParse(element)
      if (parsed.success) return [parsed.data]
      this.#note(`${key}[${at}]`, parsed.error.issues[0]?.message ?? 'invalid value')
      return []
    })
  }

  record(key: string): LenientRecord | undefined {
    const value = this.#record[key] ?? undefined
    if (value === undefined) return undefined
    if (isRecord(value)) return new LenientRecord(value, this.notes, `${this.#path}${key}.`)
    this.#note(key, 'expected an object')
    return undefined
  }

  #note(key: string, why: string): void {
    if (this.notes.length < MAX_NOTES) this.notes.push(`${this.#path}${key}: ${why}`)
  }
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
