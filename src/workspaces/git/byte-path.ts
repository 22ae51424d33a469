/**
 * A path inside a work tree, one character per byte: on Linux a name need not be valid UTF-8, and must still be
 * saved. Decoded to text only for people and for rules.
 */
import { lstatSync, readlinkSync, type Stats } from 'node:fs'

export type BytePath = string & { readonly __bytes: true }

/** What git printed with `-z`, or a file system name read as latin1. */
export const bytePath = (raw: string): BytePath => raw as BytePath

export const pathText = (path: BytePath): string =>
  /[\x80-\xff]/.test(path) ? Buffer.from(path, 'latin1').toString('utf8') : path

export const fromText = (text: string): BytePath => bytePath(Buffer.from(text, 'utf8').toString('latin1'))

/** The folders that a path lies in, the outermost first. */
export function foldersAbove(path: string): readonly string[] {
  const names = path.split('/')
  return names.slice(1).map((_, at) => names.slice(0, at + 1).join('/'))
}

/** Where it lies on disk, in a form that keeps every byte. */
export function onDisk(root: string, path: BytePath): Buffer {
  return Buffer.concat([Buffer.from(root), Buffer.from('/'), Buffer.from(path, 'latin1')])
}

/** Paths as git reads them with `-z --stdin`. */
export const pathList = (paths: readonly BytePath[]): Buffer =>
  Buffer.from(paths.map((path) => `${path}\0`).join(''), 'latin1')

export type Found =
  | { readonly kind: 'file'; readonly bytes: number; readonly mode: number }
  | { readonly kind: 'link'; readonly target: string }
  | { readonly kind: 'folder' | 'special' | 'gone' | 'unreadable' }

/** What lies there now, links not followed. */
export function lookAt(root: string, path: BytePath): Found {
  const place = onDisk(root, path)
  try {
    const stat: Stats = lstatSync(place)
    if (stat.isFile()) return { kind: 'file', bytes: stat.size, mode: stat.mode }
    if (stat.isSymbolicLink()) return { kind: 'link', target: readlinkSync(place) }
    return { kind: stat.isDirectory() ? 'folder' : 'special' }
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    return { kind: code === 'ENOENT' || code === 'ENOTDIR' ? 'gone' : 'unreadable' }
  }
}
