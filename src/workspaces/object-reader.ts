/** Reads objects of one repository by any name git knows them by. */
import type { GitSession, Reading } from './git-session.ts'
import type { Git, GitPlace } from './git.ts'

export interface ObjectFacts {
  readonly sha: string
  readonly type: 'blob' | 'tree' | 'commit' | 'tag'
  readonly bytes: number
}

export class ObjectReader {
  readonly #session: GitSession

  constructor(git: Git, at: GitPlace) {
    this.#session = git.session({ args: ['cat-file', '--batch-command'], at })
  }

  /** What the name stands for now; null where there is nothing of that name. */
  facts(name: string): Promise<ObjectFacts | null> {
    return this.#session.ask(`info ${oneLine(name)}\n`, (bytes) => {
      const header = readHeader(bytes)
      return 'needs' in header ? header : { value: header.value, used: header.used }
    })
  }

  /** Whole. Ask for its facts first where it may be large. */
  content(name: string): Promise<(ObjectFacts & { readonly content: Buffer }) | null> {
    return this.#session.ask(`contents ${oneLine(name)}\n`, (bytes) => {
      const header = readHeader(bytes)
      if ('needs' in header) return header
      const facts = header.value
      if (facts === null) return { value: null, used: header.used }
      const end = header.used + facts.bytes
      if (bytes.length < end + 1) return { needs: end + 1 }
      const content = bytes.subarray(header.used, end)
      return { value: { ...facts, content }, used: end + 1 }
    })
  }
}

const NEWLINE = 0x0a

function readHeader(bytes: Buffer): Reading<ObjectFacts | null> {
  const end = bytes.indexOf(NEWLINE)
  if (end === -1) return { needs: bytes.length + 1 }
  const line = bytes.toString('utf8', 0, end)
  const used = end + 1
  const [, sha, type, size] = /^([0-9a-f]+) (blob|tree|commit|tag) (\d+)$/.exec(line) ?? []
  if (sha !== undefined)
    return { value: { sha, type: type as ObjectFacts['type'], bytes: Number(size) }, used }
  if (line.endsWith(' missing')) return { value: null, used }
  throw new Error(`git cat-file said: ${line.slice(0, 200)}`)
}

function oneLine(name: string): string {
  if (/[\n\0]/.test(name)) throw new RangeError('the name of an object is one line')
  return name
}
