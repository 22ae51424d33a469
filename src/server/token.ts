/** The user's token: whoever can read it may do everything. */
import { randomBytes } from 'node:crypto'
import { chmod, open, readFile, rename, stat } from 'node:fs/promises'
import { join } from 'node:path'

const TOKEN = /^[0-9a-f]{64}\n?$/

/** The token in this state root; a new one where there is none, or where others could have read it. */
export async function ensureToken(root: string): Promise<string> {
  const path = join(root, 'token')
  const known = await readOwn(path)
  if (known !== null) return known
  const token = randomBytes(32).toString('hex')
  const draft = join(root, `.token.${process.pid}.part`)
  const file = await open(draft, 'w', 0o600)
  try {
    await chmod(draft, 0o600)
    await file.writeFile(token)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(draft, path)
  return token
}

async function readOwn(path: string): Promise<string | null> {
  try {
    const { mode } = await stat(path)
    const text = await readFile(path, 'utf8')
    return (mode & 0o077) === 0 && TOKEN.test(text) ? text.trim() : null
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}
