/** Answers visits of the page. It holds no data; its script fetches everything with a page session. */
import { join } from 'node:path'
import { CHALLENGE, CHALLENGE_HEADER, daemonProof, PROOF_HEADER } from '../../lib/system/daemon-proof.ts'
import { PACKAGE_ROOT } from '../../lib/system/package-root.ts'
import { answerError, answerThrown } from '../answer-error.ts'
import type { Door } from '../app.ts'
import { pathOf, type RawRequest } from '../guard.ts'
import type { Answer } from '../routing.ts'
import { isAsset, isIcon, readAsset, readIcon, readShell, type PageFile } from './page-files.ts'

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

export interface PageAnswer {
  readonly answer: Answer
  /** Beyond those of every answer, or in their place. */
  readonly headers: Readonly<Record<string, string>>
}

/** Never rejects: errors become answers. */
export function pageVisits(door: Door): (request: RawRequest) => Promise<PageAnswer> {
  const folder = door.pageFolder ?? BUILT
  return async (request) => {
    const path = pathOf(request)
    try {
      if (isAsset(path)) return answerFile(await readAsset(folder, path), path, KEPT)
      if (isIcon(path)) return answerFile(await readIcon(folder, path), path)
      return answerFile((await readShell(folder)) ?? PLAIN_PAGE, path, await proofFor(request, door))
    } catch (error) {
      return { answer: answerThrown(error, `${request.method} ${path}`, door.onError), headers: {} }
    }
  }
}

function answerFile(file: PageFile | null, path: string, headers: PageAnswer['headers'] = {}): PageAnswer {
  if (file === null) {
    const error = {
      code: 'not_found',
      message: `the page has no file ${path}`,
      remedy: 'Reload the page.',
    } as const
    return { answer: answerError(404, error), headers: {} }
  }
  return {
    answer: { status: 200, headers: { 'Content-Type': file.type }, body: file.bytes },
    headers,
  }
}

/** A command that looks for the daemon asks here for a proof that this is the one whose token it can read. */
async function proofFor(
  { headers }: RawRequest,
  { token, keepOwnToken }: Door,
): Promise<Readonly<Record<string, string>>> {
  const challenge = headers.get(CHALLENGE_HEADER) ?? ''
  if (!CHALLENGE.test(challenge)) return {}
  // The caller is about to read the token.
  await keepOwnToken?.()
  return { [PROOF_HEADER]: daemonProof(token, challenge) }
}
