/** Errors that an agent does not report over the protocol: it only writes them into its own session file. */
import { closeSync, fstatSync, openSync, readdirSync, readSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import type { SessionFiles } from '../../worker-folder.ts'

type Env = Readonly<Record<string, string>>

const MOST_FOLDERS = 5000
/** From the end of the file; a longer last message is not read. */
const MAX_TAIL = 256 * 1024
const MAX_ERROR = 2000

/** Why the last answer of its model failed; null where it did not, or where that cannot be read. */
export function unreportedError(of: SessionFiles | undefined, session: string, env: Env): string | null {
  switch (of) {
    case undefined:
      return null
    case 'pi':
      return piError(session, env)
  }
}

const entrySchema = z.object({
  type: z.literal('message'),
  message: z.object({
    role: z.string(),
    stopReason: z.string().optional(),
    errorMessage: z.string().optional(),
  }),
})

function piError(session: string, env: Env): string | null {
  const file = piSessionFile(session, env)
  if (file === null) return null
  for (const line of tailOf(file).split('\n').toReversed()) {
    const entry = parsed(line)
    if (entry === null) continue
    const { role, stopReason, errorMessage } = entry.message
    if (role !== 'assistant' || stopReason !== 'error') return null
    return `its model failed: ${errorMessage ?? 'for an unknown reason'}`.slice(0, MAX_ERROR)
  }
  return null
}

function parsed(line: string): z.infer<typeof entrySchema> | null {
  try {
    return entrySchema.safeParse(JSON.parse(line)).data ?? null
  } catch {
    // The first line of the tail may be half of one.
    return null
  }
}

/** `<folder of the workspace>/<time>_<session>.jsonl` */
function piSessionFile(session: string, env: Env): string | null {
  if (!/^[\w-]+$/.test(session)) return null
  const home = env['HOME'] ?? homedir()
  const sessions = join(env['PI_CODING_AGENT_DIR'] ?? join(home, '.pi', 'agent'), 'sessions')
  const own = env['PI_CODING_AGENT_SESSION_DIR']
  const folders = own === undefined ? namesIn(sessions).map((name) => join(sessions, name)) : [own]
  for (const folder of folders.slice(0, MOST_FOLDERS)) {
    const name = namesIn(folder).find((one) => one.endsWith(`_${session}.jsonl`))
    if (name !== undefined) return join(folder, name)
  }
  return null
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    // Not there, or not readable: then there is nothing to find.
    return []
  }
}

function tailOf(file: string): string {
  try {
    const open = openSync(file, 'r')
    try {
      const { size } = fstatSync(open)
      const tail = Buffer.alloc(Math.min(size, MAX_TAIL))
      const read = readSync(open, tail, 0, tail.length, size - tail.length)
      return tail.toString('utf8', 0, read)
    } finally {
      closeSync(open)
    }
  } catch {
    return ''
  }
}
