/**
 * The files of the page, as the build left them. They are read when a browser asks, and none is kept, so that they cost an
 * idle daemon nothing.
 */
import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { errorCode } from '../../lib/system/error-code.ts'

export interface PageFile {
  readonly type: string
  readonly bytes: Uint8Array
}

/** Without a leading dot or anything that leads elsewhere. */
const ASSET = /^\/assets\/([A-Za-z0-9_-][A-Za-z0-9._-]{0,199})$/
const ICONS: Readonly<Record<string, readonly string[]>> = {
  // Browsers ask for it unasked; they take any format.
  '/favicon.ico': ['favicon.ico', 'favicon.svg'],
  '/favicon.svg': ['favicon.svg'],
  '/manifest.webmanifest': ['manifest.webmanifest'],
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.map': 'application/json',
  '.webmanifest': 'application/manifest+json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.webp': 'image/webp',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.wasm': 'application/wasm',
  '.txt': 'text/plain; charset=utf-8',
}

export const isAsset = (path: string): boolean => path === '/assets' || path.startsWith('/assets/')
export const isIcon = (path: string): boolean => Object.hasOwn(ICONS, path)

/** Null where the build has no such file. The build puts a hash of the content into each name. */
export function readAsset(folder: string, path: string): Promise<PageFile | null> {
  const name = ASSET.exec(path)?.[1]
  return name === undefined ? Promise.resolve(null) : readPageFile(join(folder, 'assets', name))
}

export async function readIcon(folder: string, path: string): Promise<PageFile | null> {
  for (const name of ICONS[path] ?? []) {
    const found = await readPageFile(join(folder, name))
    if (found !== null) return found
  }
  return null
}

/** What a browser gets for every other address; null where Bosun was built without the page. */
export const readShell = (folder: string): Promise<PageFile | null> =>
  readPageFile(join(folder, 'index.html'))

/** Only regular files: a link could lead out of the folder. */
async function readPageFile(path: string): Promise<PageFile | null> {
  try {
    await using file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    if (!(await file.stat()).isFile()) return null
    const type = TYPES[extname(path)] ?? 'application/octet-stream'
    return { type, bytes: await file.readFile() }
  } catch (error) {
    const code = errorCode(error)
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ELOOP') return null
    throw error
  }
}
