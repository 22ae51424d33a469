/** Errors that an agent does not report over the protocol: it only writes them into its own session file. */
import { fstatSync, globSync, readSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { openedFile } from '../../../lib/files/atomic-write.ts'
import { jsonIn } from '../../../lib/text/json.ts'
import type { SessionFiles } from '../../worker-folder.ts'

type Env = Readonly<Record<string, string>>

/** From the end of the file; a longer last message is not read. */
const MAX_TAIL = 256 * 1024
const MAX_ERROR = 2000

const entrySchema = z.object({
  type: z.literal('message'),
  message: z.object({
    role: z.string(),
    stopReason: z.string().optional(),
    errorMessage: z.string().optional(),
  }),
})

/** Why the last answer of its model failed; null where it did not, or where that cannot be read. */
export function unreportedError(of: SessionFiles | undefined, session: string, env: Env): string | null {
  const file = of === undefined ? null : piSessionFile(session, env)
  if (file === null) return null
  for (const line of tailOf(file).split('\n').toReversed()) {
    // The first line of the tail may be half of one.
    const entry = entrySchema.safeParse(jsonIn(line)).data
    if (entry === undefined) continue
    const { role, stopReason, errorMessage } = entry.message
    if (role !== 'assistant' || stopReason !== 'error') return null
    return `its model failed: ${errorMessage ?? 'for an unknown reason'}`.slice(0, MAX_ERROR)
  }
  return null
}

/** `<folder of the workspace>/<time>_<session>.jsonl` */
function piSessionFile(session: string, env: Env): string | null {
  if (!/^[\w-]+$/.test(session)) return null
  const home = env['HOME'] ?? homedir()
  const own = env['PI_CODING_AGENT_SESSION_DIR']
  const cwd = own ?? join(env['PI_CODING_AGENT_DIR'] ?? join(home, '.pi', 'agent'), 'sessions')
  const [file] = globSync(`${own === undefined ? '*/' : ''}*_${session}.jsonl`, { cwd })
  return file === undefined ? null : join(cwd, file)
}

function tailOf(path: string): string {
  try {
    using file = openedFile(path, 'r')
    const { size } = fstatSync(file.fd)
    const tail = Buffer.alloc(Math.min(size, MAX_TAIL))
    return tail.toString('utf8', 0, readSync(file.fd, tail, 0, tail.length, size - tail.length))
  } catch {
    // Gone, or not readable: then there is nothing to find.
    return ''
  }
}
