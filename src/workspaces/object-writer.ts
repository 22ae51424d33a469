/**
 * Makes objects where starting git for each of them would cost more than the object. They are what git itself would
 * write: loose, synced before they get their name, and never written over.
 */
import { createHash, randomUUID } from 'node:crypto'
import { access, mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { deflate } from 'node:zlib'
import type { ObjectFormat } from './user-repository.ts'

const deflated = promisify(deflate)
/** As git has it for loose objects: they are small, and read again soon. */
const LEVEL = 1

export interface NewObject {
  readonly type: 'blob' | 'tree' | 'commit'
  readonly content: Buffer
}

export class ObjectWriter {
  readonly #folder: string
  readonly #format: ObjectFormat

  constructor(folder: string, format: ObjectFormat) {
    this.#folder = folder
    this.#format = format
  }

  nameOf({ type, content }: NewObject): string {
    return createHash(this.#format).update(header(type, content)).update(content).digest('hex')
  }

  /** Durable when it resolves. Answers its name. */
  async write(object: NewObject): Promise<string> {
    const name = this.nameOf(object)
    const place = join(this.#folder, name.slice(0, 2), name.slice(2))
    if (await isThere(place)) return name
    const draft = join(this.#folder, `tmp_obj_${randomUUID()}`)
    try {
      await writeSynced(
        draft,
        await deflated(Buffer.concat([header(object.type, object.content), object.content]), {
          level: LEVEL,
        }),
      )
      await mkdir(dirname(place), { recursive: true })
      await rename(draft, place)
    } catch (error) {
      await rm(draft, { force: true })
      throw error
    }
    return name
  }
}

function header(type: string, content: Buffer): Buffer {
  return Buffer.from(`${type} ${content.length}\0`)
}

async function writeSynced(path: string, content: Buffer): Promise<void> {
  const file = await open(path, 'wx', 0o444)
  try {
    await file.writeFile(content)
    await file.sync()
  } finally {
    await file.close()
  }
}

async function isThere(path: string): Promise<boolean> {
  try {
    await access(path)
    return true
  } catch {
    // Absent, or out of reach: writing it says which.
    return false
  }
}
