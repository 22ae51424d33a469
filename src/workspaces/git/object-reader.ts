/** Reads objects of one repository by any name git knows them by. */
import type { GitSession, Reading } from './git-session.ts'
import type { Git, GitPlace } from './git.ts'
import { Recent } from '../../lib/recent.ts'

export interface ObjectFacts {
  readonly sha: string
  readonly type: 'blob' | 'tree' | 'commit' | 'tag'
  readonly bytes: number
}

export interface CommitFacts {
  readonly sha: string
  readonly parents: readonly string[]
  /** In seconds. */
  readonly committedAt: number
  /** The first paragraph of the message, on one line. */
  readonly subject: string
}

type ObjectWhole = ObjectFacts & { readonly content: Buffer }

export class ObjectReader {
  readonly #session: GitSession
  /** What a hash names never changes, and is asked for again soon. */
  readonly #facts = new Recent<ObjectFacts>()
  readonly #contents = new Recent<ObjectWhole>()

  constructor(git: Git, at: GitPlace) {
    this.#session = git.session({ args: ['cat-file', '--batch-command', '--buffer'], at })
  }

  /** What the name stands for now; null where there is nothing of that name. */
  async facts(name: string): Promise<ObjectFacts | null> {
    const known = this.#known(name) ?? this.#facts.get(name)
    if (known !== undefined) return known
    const [found = null] = await this.factsOf([name])
    if (found !== null && isFixed(name)) this.#facts.keep(name, found)
    return found
  }

  /** What each of the names stands for now, asked all at once. */
  factsOf(names: readonly string[]): Promise<readonly (ObjectFacts | null)[]> {
    const lines = names.map((name) => `info ${oneLine(name)}\n`)
    return this.#session.ask(`${lines.join('')}${FLUSH}`, (bytes) => {
      const found: (ObjectFacts | null)[] = []
      let used = 0
      while (found.length < names.length) {
        const header = readHeader(bytes.subarray(used))
        if ('needs' in header) return { needs: bytes.length + 1 }
        found.push(header.value)
        used += header.used
      }
      return { value: found, used }
    })
  }

  /** Whole. Ask for its facts first where it may be large. */
  async content(name: string): Promise<ObjectWhole | null> {
    const known = this.#known(name)
    if (known !== undefined) return known
    const found = await this.#session.ask<ObjectWhole | null>(
      `contents ${oneLine(name)}\n${FLUSH}`,
      (bytes) => {
        const header = readHeader(bytes)
        if ('needs' in header) return header
        const facts = header.value
        if (facts === null) return { value: null, used: header.used }
        const end = header.used + facts.bytes
        if (bytes.length < end + 1) return { needs: end + 1 }
        const content = bytes.subarray(header.used, end)
        return { value: { ...facts, content }, used: end + 1 }
      },
    )
    if (found !== null && isFixed(name)) this.#keep(name, found)
    return found
  }

  /** Null where the name stands for nothing, or for no commit. */
  async commit(name: string): Promise<CommitFacts | null> {
    const found = await this.content(name)
    return found?.type === 'commit' ? commitFacts(found) : null
  }

  /** Remembers an object that Bosun just wrote. */
  learn(sha: string, { type, content }: Pick<ObjectWhole, 'type' | 'content'>): void {
    this.#keep(sha, { sha, type, bytes: content.length, content })
  }

  #keep(name: string, found: ObjectWhole): void {
    if (found.bytes > KEPT_BYTES) return
    // A copy of its own: a part of Node's buffer pool would keep all 64 KB of it.
    const content = Buffer.allocUnsafeSlow(found.bytes)
    found.content.copy(content)
    const whole = { ...found, content }
    this.#contents.keep(name, whole)
    if (name !== found.sha) this.#contents.keep(found.sha, whole)
  }

  /** By its name, or by the way to it: a tree is its own tree, and a commit says which is its. */
  #known(name: string): ObjectWhole | undefined {
    const [, start] = /^([0-9a-f]+)\^\{tree\}$/.exec(name) ?? []
    const from = start === undefined ? undefined : this.#contents.get(start)
    if (from?.type === 'tree') return from
    const [, tree] = from?.type === 'commit' ? (TREE_LINE.exec(from.content.toString('latin1')) ?? []) : []
    return (tree === undefined ? undefined : this.#contents.get(tree)) ?? this.#contents.get(name)
  }
}

/** What was asked is answered with this, and in one piece. */
const FLUSH = 'flush\n'
const TREE_LINE = /^tree ([0-9a-f]+)\n/

/** Larger ones are not worth their memory. */
const KEPT_BYTES = 16 * 1024
/** A hash, or what it leads to; not a ref, which moves. */
const isFixed = (name: string): boolean => /^(?:[0-9a-f]{40}|[0-9a-f]{64})(?:\^\{tree\}|\^1)?$/.test(name)

const NEWLINE = 0x0a

function commitFacts({ sha, content }: ObjectWhole): CommitFacts {
  const text = content.toString('utf8')
  const end = text.indexOf('\n\n')
  const [head, message] = end === -1 ? [text, ''] : [text.slice(0, end), text.slice(end + 2)]
  const lines = message.split('\n').map((line) => line.trimEnd())
  const first = lines.findIndex((line) => line !== '')
  const paragraph = first === -1 ? [] : lines.slice(first)
  const blank = paragraph.indexOf('')
  return {
    sha,
    parents: [...head.matchAll(/^parent (\w+)$/gm)].map(([, parent = '']) => parent),
    committedAt: Number(/^committer .* (\d+) [+-]\d+$/m.exec(head)?.[1] ?? 0),
    subject: (blank === -1 ? paragraph : paragraph.slice(0, blank)).join(' '),
  }
}

function readHeader(bytes: Buffer): Reading<ObjectFacts | null> {
  const end = bytes.indexOf(NEWLINE)
  if (end === -1) return { needs: bytes.length + 1 }
  const line = bytes.toString('utf8', 0, end)
  const used = end + 1
  const [, sha, type, size] = /^([0-9a-f]+) (blob|tree|commit|tag) (\d+)$/.exec(line) ?? []
  if (sha !== undefined)
    return { value: { sha, type: type as ObjectFacts['type'], bytes: Number(size) }, used }
  if (line.endsWith(' missing')) return { value: null, used }
  throw new Error(`unexpected output of git cat-file: ${line.slice(0, 200)}`)
}

function oneLine(name: string): string {
  if (/[\n\0]/.test(name)) throw new RangeError('an object name must be one line')
  return name
}
