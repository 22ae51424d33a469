/**
 * Implements the Parser port with a child process: WebAssembly never frees memory, and a file that crashes or hangs the
 * parser must not affect the daemon. The process starts with the first file and ends after an idle time, and the trees
 * that were kept go with it.
 */
import { createHash } from 'node:crypto'
import { unpackTree, type PackedTree } from '../core/languages/packed-tree.ts'
import type { Parsed, Unread } from '../core/languages/syntax.ts'
import { Recent } from '../lib/recent.ts'
import type { FileToParse, Parser } from '../ports/parser.ts'
import { requestFor, type ParseRequest } from './parse-messages.ts'
import { ParserProcess, type ParserCommand } from './parser-process.ts'

export interface ChildParserOptions extends ParserCommand {
  readonly idleMs?: number
  /** A backup for the limit that the process applies itself. */
  readonly timeoutMs?: number
}

const IDLE_MS = 10_000
const TIMEOUT_MS = 120_000
const MAX_CACHED_BYTES = 4 * 1024 * 1024

const newCache = (): Recent<PackedTree> => new Recent(MAX_CACHED_BYTES, ({ nodes }) => nodes.byteLength)

export class ChildParser implements Parser {
  readonly #options: ChildParserOptions
  #known = newCache()
  #process: ParserProcess | null = null
  #idle: NodeJS.Timeout | null = null
  #last: Promise<unknown> = Promise.resolve()
  #isClosed = false

  constructor(options: ChildParserOptions) {
    this.#options = options
  }

  async parse(files: readonly FileToParse[]): Promise<ReadonlyMap<string, Parsed>> {
    const parsed = new Map<string, Parsed>()
    for (const file of files) parsed.set(file.path, await this.#parsed(file))
    return parsed
  }

  /** Resolves when the process has ended. From now on every file is Unread. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#endProcess()
  }

  /** The next file starts another one. */
  async #endProcess(): Promise<void> {
    if (this.#idle !== null) clearTimeout(this.#idle)
    const ending = this.#process?.end()
    this.#process = null
    // Trees are asked for again while gates run; later they only take memory.
    this.#known = newCache()
    await ending
  }

  async #parsed(file: FileToParse): Promise<Parsed> {
    const asked = requestFor(file)
    if ('unread' in asked) return asked
    const packed = await this.#packed(asked.request)
    return 'unread' in packed ? packed : unpackTree(packed, asked.language, asked.request.text)
  }

  async #packed(request: ParseRequest): Promise<PackedTree | Unread> {
    const name = `${request.grammar} ${blobId(request.text)}`
    const known = this.#known.get(name)
    if (known !== undefined) return known
    const asked = this.#last.then(() => this.#ask(request))
    this.#last = asked
    const result = await asked
    // Failures are not cached: time or memory may have run out.
    if (!('unread' in result)) this.#known.keep(name, result)
    return result
  }

  /** Never rejects. */
  async #ask(request: ParseRequest): Promise<PackedTree | Unread> {
    if (this.#isClosed) return { unread: 'unavailable' }
    if (this.#idle !== null) clearTimeout(this.#idle)
    const { idleMs = IDLE_MS, timeoutMs = TIMEOUT_MS } = this.#options
    try {
      if (this.#process?.isUsable !== true) this.#process = new ParserProcess(this.#options)
      return await this.#process.ask(request, timeoutMs)
    } catch {
      // Where no process or pipe can be had, Node throws, or makes a child that cannot be written to.
      this.#process = null
      return { unread: 'unavailable' }
    } finally {
      this.#idle = setTimeout(() => void this.#endProcess(), idleMs)
      this.#idle.unref()
    }
  }
}

/** The git blob id of this content. */
function blobId(text: string): string {
  const bytes = Buffer.from(text)
  return createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex')
}
