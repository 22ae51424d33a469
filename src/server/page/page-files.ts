/** Answers visits of the page with the files that the build left. It holds no data; its script fetches that with a page session. */
import { join, extname } from 'node:path'
import { CHALLENGE, CHALLENGE_HEADER, daemonProof, PROOF_HEADER } from '../../lib/system/daemon-proof.ts'
import { PACKAGE_ROOT } from '../../lib/system/package-root.ts'
import { answerError, answerThrown } from '../answer-error.ts'
import type { Door } from '../app.ts'
import { pathOf, type RawRequest } from '../guard.ts'
import type { Answer } from '../routing.ts'
import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { errorCode } from '../../lib/files/system-error.ts'

/** Where the build leaves the page. */
const BUILT = join(PACKAGE_ROOT, 'dist', 'web')

/** The name of a file changes with its content. */
const KEPT = { 'Cache-Control': 'public, max-age=31536000, immutable' }

/** Where Bosun was built without the page. */
const PLAIN_PAGE: PageFile = {
  type: 'text/html; charset=utf-8',
  bytes: new TextEncoder().encode(`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Bosun</title>
<h1>Bosun is running</h1>
<p>This build has no page. Use <code>bosun status</code> and <code>bosun inbox</code>.</p>
</html>
`),
}

/** Never rejects: errors become answers. */
export function pageVisits(door: Door): (request: RawRequest) => Promise<Answer> {
  const folder = door.pageFolder ?? BUILT
  return async (request) => {
    const path = pathOf(request)
    try {
      if (isAsset(path)) return answerFile(await readAsset(folder, path), path, KEPT)
      if (isIcon(path)) return answerFile(await readIcon(folder, path), path)
      return answerFile((await readShell(folder)) ?? PLAIN_PAGE, path, await proofFor(request, door))
    } catch (error) {
      return answerThrown(error, `${request.method} ${path}`, door.onError)
    }
  }
}

function answerFile(file: PageFile | null, path: string, headers: Answer['headers'] = {}): Answer {
  if (file !== null)
    return { status: 200, headers: { 'Content-Type': file.type, ...headers }, body: file.bytes }
  const message = `the page has no file ${path}`
  return answerError(404, { code: 'not_found', message, remedy: 'Reload the page.' })
}

/** A command that looks for the daemon asks here for a proof that this is the one whose token it can read. */
async function proofFor({ headers }: RawRequest, { token, keepOwnToken }: Door): Promise<Answer['headers']> {
  const challenge = headers.get(CHALLENGE_HEADER) ?? ''
  if (!CHALLENGE.test(challenge)) return {}
  // The caller is about to read the token.
  await keepOwnToken?.()
  return { [PROOF_HEADER]: daemonProof(token, challenge) }
}

interface PageFile {
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
  '.css': 'text/css; charset=utf-8',
  '.map': 'application/json',
  '.webmanifest': 'application/manifest+json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
}

const isAsset = (path: string): boolean => path === '/assets' || path.startsWith('/assets/')
const isIcon = (path: string): boolean => Object.hasOwn(ICONS, path)

/** Null where the build has no such file. The build puts a hash of the content into each name. */
function readAsset(folder: string, path: string): Promise<PageFile | null> {
  const name = ASSET.exec(path)?.[1]
  return name === undefined ? Promise.resolve(null) : readPageFile(join(folder, 'assets', name))
}

async function readIcon(folder: string, path: string): Promise<PageFile | null> {
  for (const name of ICONS[path] ?? []) {
    const found = await readPageFile(join(folder, name))
    if (found !== null) return found
  }
  return null
}

/** What a browser gets for every other address; null where Bosun was built without the page. */
const readShell = (folder: string): Promise<PageFile | null> => readPageFile(join(folder, 'index.html'))

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
