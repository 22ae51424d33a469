/** The processes of one repository that were adopted, as they are kept: a daemon that comes back watches on. */
import { mkdir, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { atomicWriteText } from '../../lib/files/atomic-write.ts'
import { readIfExists } from '../../lib/files/read-if-exists.ts'

const adopted = z.lazy(() =>
  z.strictObject({
    id: z.string(),
    /** Boot, number and start time: one process, and never another one. */
    process: z.strictObject({ boot: z.string(), pid: z.int().positive(), start: z.string() }),
    command: z.string(),
    by: z.string(),
    /** Wall time, for people. */
    since: z.number(),
    /** The same by the machine's own count, which no clock that is set can move. */
    sinceMonotonic: z.number(),
    limitMs: z.number().positive(),
    /** How long the daemon did not run meanwhile: that is not counted. */
    pausedMs: z.number().nonnegative().optional(),
    warnings: z.array(z.number()),
    terminateAt: z.number(),
    mode: z.enum(['act', 'monitor']),
    warned: z.number(),
    isOverdue: z.boolean(),
  }),
)
const file = z.strictObject({ version: z.literal(1), adopted: z.array(adopted) })

export type Adopted = Readonly<z.infer<typeof adopted>>

const NAME = 'adopted.json'

/** `folder` is the repository's in the state root. An unreadable file is set aside and reported. */
export async function readAdopted(
  folder: string,
  onError: (what: string, error: unknown) => void,
): Promise<readonly Adopted[]> {
  const path = join(folder, NAME)
  const text = readIfExists(path)
  if (text === null) return []
  try {
    return file.parse(JSON.parse(text)).adopted
  } catch (error) {
    await rename(path, `${path}.unreadable`)
    onError(`cannot read ${path}, set it aside; adopt its processes again`, error)
    return []
  }
}

/** The same for readers: an unreadable file is left in place and counts as empty. */
export async function readAdoptedToLook(folder: string): Promise<readonly Adopted[]> {
  try {
    return file.parse(JSON.parse(await readFile(join(folder, NAME), 'utf8'))).adopted
  } catch {
    // None were adopted, or the next daemon puts the file aside and says so.
    return []
  }
}

export async function writeAdopted(folder: string, all: readonly Adopted[]): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const text = `${JSON.stringify({ version: 1, adopted: [...all] } satisfies z.input<typeof file>, null, 2)}\n`
  await atomicWriteText(join(folder, NAME), text)
}
