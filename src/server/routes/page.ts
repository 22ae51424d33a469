/** The page. It holds no data; its script fetches everything with the user's token. */
import { CHALLENGE, CHALLENGE_HEADER, daemonProof, PROOF_HEADER } from '../../lib/system/daemon-proof.ts'
import type { Door } from '../app.ts'
import type { Routes } from '../routing.ts'

const PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Bosun</title>
<h1>Bosun is at work</h1>
<p>See what is going on with <code>bosun status</code>, and what needs you with <code>bosun inbox</code>.</p>
</html>
`

export function pageRoutes(routes: Routes, { token, keepOwnToken }: Door): void {
  routes.get('/', async (c) => {
    const challenge = c.header(CHALLENGE_HEADER) ?? ''
    const headers = { 'Content-Type': 'text/html; charset=UTF-8' }
    if (!CHALLENGE.test(challenge)) return { status: 200, headers, body: PAGE }
    // A caller that identifies the daemon is about to read the token.
    await keepOwnToken?.()
    const proof = { [PROOF_HEADER]: daemonProof(token, challenge) }
    return { status: 200, headers: { ...headers, ...proof }, body: PAGE }
  })
}
