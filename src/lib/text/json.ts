/** JSON of files and programs, which may hold anything. */
export type Fields = Readonly<Record<string, unknown>>

/** Undefined for what is not JSON. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export const isRecord = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
