/** Page sessions: a link holds a code, which a browser exchanges for a session. */
import { usageRefusal } from '../../lib/refusal.ts'
import { sessionRequest } from '../../protocol/requests.ts'
import type { SessionAnswer } from '../../protocol/machine-answer.ts'
import { answerError } from '../answer-error.ts'
import type { Door } from '../app.ts'
import { tokenIn } from '../guard.ts'
import { PageCodes, type Redeemed, type PageSessions } from '../page/page-sessions.ts'
import { jsonAnswer, jsonHandlers, readBody, type Handlers, type TextAnswer } from '../routing.ts'

export function sessionRoutes({ host, facts }: Door, sessions: PageSessions): Handlers {
  const codes = new PageCodes()
  const { clock } = host.parts
  return {
    ...jsonHandlers({
      'POST /api/session/codes': () => {
        const { code, expiresAt } = codes.mint(clock.now())
        return { code, expires_at: isoTime(expiresAt), link: `${facts.url}/#code=${code}` }
      },
      'POST /api/session/revoke': async ({ request, body: { all } }) => {
        if (all) return { revoked: await sessions.revokeAll() }
        const own = tokenIn(request.headers.get('authorization'))
        if (sessions.has(own)) return { revoked: await sessions.revoke(own) }
        throw usageRefusal('this call has no page session', 'Send {"all": true} to end every page session.')
      },
    }),
    'POST /api/session': async (request) => {
      const { code } = await readBody(request, sessionRequest)
      const redeemed = codes.redeem(code, clock.now())
      if (redeemed !== 'ok') return answerWrongCode(redeemed)
      const { session, expiresAt } = await sessions.start()
      return jsonAnswer({ session, expires_at: isoTime(expiresAt) } satisfies SessionAnswer)
    },
  }
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
