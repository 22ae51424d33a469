/**
 * A folder that is held open. What is in it is reached through that, a name at a time and never over a link: a program that
 * swaps one of its folders for a link leads neither reading nor writing outside.
 */
import { closeSync, constants, existsSync, fstatSync, lstatSync, mkdirSync, openSync } from 'node:fs'
import { readdirSync, readSync, rmdirSync, unlinkSync } from 'node:fs'
import { join } from 'node:path'
import { openedFile, type OpenedFile } from './atomic-write.ts'
import { errorCode } from './system-error.ts'

const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK } = constants

const HELD = '/proc/self/fd'
/** Elsewhere a path is checked again after it was opened. */
const hasHeld = (): boolean => existsSync(HELD)

/** What was opened is not what lies at its path, or may not be opened. */
export class FolderSwapped extends Error {
  override readonly name = 'FolderSwapped'
}

export class HeldFolder {
  readonly #fd: number
  readonly #path: string

  private constructor(fd: number, path: string) {
    this.#fd = fd
    this.#path = path
  }

  /** Throws what opening throws, also for a link. */
  static open(path: string): HeldFolder {
    return new HeldFolder(openSync(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_NONBLOCK), path)
  }

  [Symbol.dispose](): void {
    closeSync(this.#fd)
  }

  /** A folder in it, made where it is not there. */
  folder(name: string, { make = false } = {}): HeldFolder {
    const path = join(this.#path, plainName(name))
    if (make) {
      try {
        mkdirSync(this.#at(name), { mode: 0o755 })
      } catch (error) {
        if (errorCode(error) !== 'EEXIST') throw error
      }
    }
    const fd = openSync(this.#at(name), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_NONBLOCK)
    return this.#checked(new HeldFolder(fd, path), fd, path)
  }

  /** A file in it. Waits for no pipe; that it is a regular file is for the caller to see. */
  file(name: string, flags: number, mode?: number): OpenedFile {
    const path = join(this.#path, plainName(name))
    const opened = openedFile(this.#at(name), flags | O_NOFOLLOW | O_NONBLOCK, mode)
    return this.#checked(opened, opened.fd, path)
  }

  names(): string[] {
    return readdirSync(hasHeld() ? join(HELD, String(this.#fd)) : this.#path)
  }

  /** A file, a link or an empty folder; whether it is gone. */
  remove(name: string): boolean {
    try {
      unlinkSync(this.#at(plainName(name)))
      return true
    } catch (error) {
      const code = errorCode(error)
      if (code === 'ENOENT') return true
      if (code !== 'EISDIR' && code !== 'EPERM') return false
    }
    try {
      rmdirSync(this.#at(name))
      return true
    } catch {
      // It holds something: what a worker puts there is the worker's to remove.
      return false
    }
  }

  #at(name: string): string {
    return hasHeld() ? join(HELD, String(this.#fd), name) : join(this.#path, name)
  }

  /** Where nothing can be opened within what is held: it and what was opened have to lie where they seem to. */
  #checked<T extends { [Symbol.dispose](): void }>(opened: T, fd: number, path: string): T {
    if (hasHeld() || (isAt(this.#fd, this.#path) && isAt(fd, path))) return opened
    opened[Symbol.dispose]()
    throw new FolderSwapped(`${path} was swapped while it was opened`)
  }
}

/** Not `..`, and no path. */
function plainName(name: string): string {
  if (name === '' || name === '.' || name === '..' || name.includes('/') || name.includes('\0'))
    throw new FolderSwapped(`${JSON.stringify(name)} is not the name of a file`)
  return name
}

function isAt(fd: number, path: string): boolean {
  const [held, found] = [fstatSync(fd), lstatSync(path, { throwIfNoEntry: false })]
  return found !== undefined && held.ino === found.ino && held.dev === found.dev
}

export type SmallFile =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'too_large' | 'not_a_file' }

/** The text of a file that is no larger than this, however it grows meanwhile. */
export function smallText({ fd }: OpenedFile, maxBytes: number): SmallFile {
  const stat = fstatSync(fd)
  if (!stat.isFile()) return { kind: 'not_a_file' }
  if (stat.size > maxBytes) return { kind: 'too_large' }
  const content = Buffer.alloc(stat.size)
  return { kind: 'text', text: content.toString('utf8', 0, readSync(fd, content, 0, stat.size, 0)) }
}
