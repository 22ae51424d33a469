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
  readonly #onWritten: (name: string, object: NewObject) => void

  /** `onWritten` hears of every object that is there by its name. */
  constructor(
    folder: string,
    format: ObjectFormat,
    onWritten: (name: string, object: NewObject) => void = () => undefined,
  ) {
    this.#folder = folder
    this.#format = format
    this.#onWritten = onWritten
  }

  nameOf({ type, content }: NewObject): string {
    return createHash(this.#format).update(header(type, content)).update(content).digest('hex')
  }

  /** Durable when it resolves. Answers its name. */
  async write(object: NewObject): Promise<string> {
    const name = this.nameOf(object)
    await this.#write(name, object)
    this.#onWritten(name, object)
    return name
  }

  async #write(name: string, object: NewObject): Promise<void> {
    const place = join(this.#folder, name.slice(0, 2), name.slice(2))
    if (existsSync(place)) return
    const draft = join(this.#folder, `tmp_obj_${randomUUID()}`)
    const content = Buffer.concat([header(object.type, object.content), object.content])
    try {
      await createSynced(draft, await deflated(content), 0o444)
      put(draft, place)
    } catch (error) {
      rmSync(draft, { force: true })
      throw error
    }
  }
}

/** Most folders are there already. */
function put(draft: string, place: string): void {
  try {
    renameSync(draft, place)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
    mkdirSync(dirname(place), { recursive: true })
    renameSync(draft, place)
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
