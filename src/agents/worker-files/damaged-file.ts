/** What is wrong with a file of a worker's folder. Supervisors load this as well, so it brings nothing along. */
import { basename } from 'node:path'
import { errorCode } from '../../lib/system/error-code.ts'

/** A file that is there and cannot be used, or that is missing: its worker fails with this message, and nothing else does. */
export class DamagedFile extends Error {
  override readonly name = 'DamagedFile'
  readonly path: string

  constructor(path: string, why: string, name = basename(path)) {
    super(`its ${name} is ${why === MISSING ? why : `damaged: ${why}`}`)
    this.path = path
  }
}

export const MISSING = 'missing'

/** These say that the machine is short of something, and nothing about the file. */
const SHORTAGES: readonly unknown[] = ['ENOSPC', 'EDQUOT', 'EMFILE', 'ENFILE', 'ENOMEM']

export const isShortage = (error: unknown): boolean => SHORTAGES.includes(errorCode(error))

/** What to throw where a file could not be read or written. */
export function asDamage(path: string, error: unknown): unknown {
  if (error instanceof DamagedFile || isShortage(error)) return error
  return new DamagedFile(path, error instanceof Error ? error.message : String(error))
}

/** Undefined for what is not JSON. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
