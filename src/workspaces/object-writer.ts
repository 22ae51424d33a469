/**
 * Makes objects where starting git for each of them would cost more than the object. They are what git itself would
 * write: loose, synced before they get their name, and never written over.
 */
import { createHash, randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { deflate, deflateSync } from 'node:zlib'
import { createSynced } from '../lib/synced-file.ts'
import type { ObjectFormat } from './user-repository.ts'

const deflateBeside = promisify(deflate)
/** As git has it for loose objects: they are small, and read again soon. */
const LEVEL = 1
/** What takes less time than handing it to a thread. */
const AT_ONCE_BYTES = 16 * 1024

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
    if (existsSync(place)) return name
    const draft = join(this.#folder, `tmp_obj_${randomUUID()}`)
    const content = Buffer.concat([header(object.type, object.content), object.content])
    try {
      await createSynced(draft, await deflated(content), 0o444)
      mkdirSync(dirname(place), { recursive: true })
      renameSync(draft, place)
    } catch (error) {
      rmSync(draft, { force: true })
      throw error
    }
    return name
  }
}

function header(type: string, content: Buffer): Buffer {
  return Buffer.from(`${type} ${content.length}\0`)
}

async function deflated(content: Buffer): Promise<Buffer> {
  if (content.length > AT_ONCE_BYTES) return deflateBeside(content, { level: LEVEL })
  // Making room for much would take longer than what little there is.
  return deflateSync(content, { level: LEVEL, memLevel: 4, chunkSize: AT_ONCE_BYTES })
}
