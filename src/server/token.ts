/** The user's token: its holder may do everything. */
import { randomBytes } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { atomicWriteText } from '../lib/files/atomic-write.ts'
import { readRegular } from '../lib/files/read-if-exists.ts'
import { errorCode } from '../lib/files/system-error.ts'

const TOKEN = /^[0-9a-f]{64}\n?$/

/** Reads the token of this state root; creates a new one if there is none or others could have read it. */
export async function ensureToken(root: string): Promise<string> {
  const path = join(root, 'token')
  const known = await readOwn(path)
  if (known !== null) return known
  const token = randomBytes(32).toString('hex')
  await atomicWriteText(path, token)
  return token
}

/** Rewrites the token file of a running daemon if another program removed or changed it. */
export async function keepToken(root: string, token: string): Promise<void> {
  const path = join(root, 'token')
  const found = await readRegular(path).catch(() => '')
  if (found.trim() !== token) await atomicWriteText(path, token)
}

async function readOwn(path: string): Promise<string | null> {
  const { state, text } = await readToken(path)
  return state === 'ok' ? text.trim() : null
}

/** `exposed`: others could have read it. */
type TokenState = 'ok' | 'missing' | 'damaged' | 'exposed'

export const tokenState = async (root: string): Promise<TokenState> =>
  (await readToken(join(root, 'token'))).state

async function readToken(path: string): Promise<{ readonly state: TokenState; readonly text: string }> {
  try {
    const { mode } = await stat(path)
    const text = await readRegular(path)
    return { state: !TOKEN.test(text) ? 'damaged' : (mode & 0o077) === 0 ? 'ok' : 'exposed', text }
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return { state: 'missing', text: '' }
    throw error
  }
}
