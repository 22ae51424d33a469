/** How a browser gets its session: a link holds a code, which is exchanged once. */
import { z } from 'zod'
import { timestamp, type Wire } from './answers.ts'

const secret = z.string().regex(/^[0-9a-f]{64}$/)

/** `POST /api/session/codes`, with the user's token only: a code for the fragment of a link. */
export const codeAnswer = z.strictObject({
  code: secret,
  expires_at: timestamp,
  /** The whole link: `http://127.0.0.1:PORT/#code=…` */
  link: z.string(),
})
export type CodeAnswer = Wire<typeof codeAnswer>

/** `POST /api/session`, without a token: the code for a session. It works once, within 60 seconds. */
export const sessionAnswer = z.strictObject({ session: secret, expires_at: timestamp })
export type SessionAnswer = Wire<typeof sessionAnswer>

/** `POST /api/session/revoke`: this session, or every one. */
export const revokeAnswer = z.strictObject({ revoked: z.int().nonnegative() })
export type RevokeAnswer = Wire<typeof revokeAnswer>
