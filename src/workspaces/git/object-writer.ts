/**
 * Makes objects where starting git for each of them would cost more than the object. They are what git itself would
 * write: loose, synced before they get their name, and never written over.
 */
import { createHash, randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { deflate, deflateSync } from 'node:zlib'
import { createSynced } from '../../lib/files/synced-file.ts'
import type { ObjectFormat } from '../user-repository.ts'
import { errorCode } from '../../lib/system/error-code.ts'

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
  readonly #mark = randomUUID()
  #drafts = 0

  /** `onWritten` is called for every object that is there by its name. */
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
    const [name = ''] = await this.writeAll([object])
    return name
  }

  /** All of them durable when it resolves, and none there by its name before those it comes after. Answers their names. */
  async writeAll(objects: readonly NewObject[]): Promise<readonly string[]> {
    const all = objects.map((object) => this.#job(object))
    const byName = new Map(all.map((job) => [job.name, job]))
    const missing = [...byName.values()].filter(({ place }) => !existsSync(place))
    try {
      const written = await Promise.allSettled(missing.map(({ object, draft }) => store(object, draft)))
      const failed = written.find((one) => one.status === 'rejected')
      if (failed !== undefined) throw failed.reason
      for (const { draft, place } of missing) put(draft, place)
    } catch (error) {
      for (const { draft } of missing) rmSync(draft, { force: true })
      throw error
    }
    for (const { name, object } of all) this.#onWritten(name, object)
    return all.map(({ name }) => name)
  }

  #job(object: NewObject): Job {
    const name = this.nameOf(object)
    const place = join(this.#folder, name.slice(0, 2), name.slice(2))
    const draft = join(this.#folder, `tmp_obj_${this.#mark}-${++this.#drafts}`)
    return { name, object, place, draft }
  }
}

interface Job {
  readonly name: string
  readonly object: NewObject
  readonly place: string
  readonly draft: string
}

async function store({ type, content }: NewObject, draft: string): Promise<void> {
  const whole = Buffer.concat([header(type, content), content])
  await createSynced(draft, await streamOf(whole), 0o444)
}

async function streamOf(whole: Buffer): Promise<Buffer> {
  if (whole.length > AT_ONCE_BYTES) return deflateBeside(whole, { level: LEVEL })
  // Making room for much would take longer than what little there is.
  return deflateSync(whole, { level: LEVEL, memLevel: 4, windowBits: 13, chunkSize: AT_ONCE_BYTES })
}

/** Most folders are there already. */
function put(draft: string, place: string): void {
  try {
    renameSync(draft, place)
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error
    mkdirSync(dirname(place), { recursive: true })
    renameSync(draft, place)
  }
}

function header(type: string, content: Buffer): Buffer {
  return Buffer.from(`${type} ${content.length}\0`)
}
