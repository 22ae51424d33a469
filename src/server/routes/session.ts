/** Page sessions: a link holds a code, which a browser exchanges for a session. */
import { Refusal } from '../../lib/refusal.ts'
import { codeRequest, revokeRequest, sessionRequest } from '../../protocol/requests.ts'
import type { CodeAnswer, RevokeAnswer, SessionAnswer } from '../../protocol/session.ts'
import { answerError } from '../answer-error.ts'
import type { Door } from '../app.ts'
import { tokenIn } from '../guard.ts'
import { PageCodes, type Redeemed } from '../page/page-codes.ts'
import type { PageSessions } from '../page/page-sessions.ts'
import { readBody } from '../read-request.ts'
import type { Routes, TextAnswer } from '../routing.ts'

export function sessionRoutes(routes: Routes, { host, facts }: Door, sessions: PageSessions): void {
  const codes = new PageCodes()
  const { clock } = host.parts
  routes.post('/session/codes', async (c) => {
    await readBody(c, codeRequest)
    const { code, expiresAt } = codes.mint(clock.now())
    const link = `${facts.url}/#code=${code}`
    return c.json({ code, expires_at: isoTime(expiresAt), link } satisfies CodeAnswer)
  })
  routes.post('/session', async (c) => {
    const { code } = await readBody(c, sessionRequest)
    const redeemed = codes.redeem(code, clock.now())
    if (redeemed !== 'ok') return answerWrongCode(redeemed)
    const { session, expiresAt } = await sessions.start()
    return c.json({ session, expires_at: isoTime(expiresAt) } satisfies SessionAnswer)
  })
  routes.post('/session/revoke', async (c) => {
    const { all } = await readBody(c, revokeRequest)
    if (all) return c.json({ revoked: await sessions.revokeAll() } satisfies RevokeAnswer)
    const own = tokenIn(c.header('authorization'))
    if (!sessions.has(own))
      throw new Refusal({
        code: 'usage',
        message: 'this call has no page session',
        remedy: 'Send {"all": true} to end every page session.',
      })
    return c.json({ revoked: await sessions.revoke(own) } satisfies RevokeAnswer)
  })
}

const isoTime = (ms: number): string => new Date(ms).toISOString()

const OPEN_AGAIN = 'Run: bosun open'

function answerWrongCode(why: Exclude<Redeemed, 'ok'>): TextAnswer {
  switch (why) {
    case 'wrong':
      return answerError(401, {
        code: 'failed',
        message: 'this link is wrong or has expired (links work for 60 s)',
        remedy: OPEN_AGAIN,
      })
    case 'used':
      return answerError(401, {
        code: 'failed',
        message: 'this link was used already (links work once)',
        remedy: `${OPEN_AGAIN}. If you did not open it, end all page sessions first: bosun open --revoke`,
      })
    case 'too_many':
      return answerError(429, {
        code: 'conflict',
        message: 'too many wrong links were opened within a minute',
        remedy: OPEN_AGAIN,
      })
  }
}
