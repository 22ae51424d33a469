import type { Identity } from './git.ts'
import { BOSUN } from './git.ts'
import type { NewObject } from './object-writer.ts'
import type { Quarantine } from '../quarantine.ts'

export interface NewCommit {
  readonly tree: string
  readonly parents: readonly string[]
  readonly message: string
  readonly author: Identity
  readonly atMs: number
  /** Objects of its tree that are not written yet. */
  readonly unwritten?: readonly NewObject[]
}

/** Makes a commit without a checkout. The same values make the same commit. */
export async function commitTree(quarantine: Quarantine, commit: NewCommit): Promise<string> {
  if (commit.message.includes('\0')) throw new RangeError('a commit message cannot contain NUL')
  const date = `${Math.floor(commit.atMs / 1000)} +0000`
  const text = [
    `tree ${commit.tree}`,
    ...new Set(commit.parents.map((parent) => `parent ${parent}`)),
    `author ${inCommit(commit.author)} ${date}`,
    `committer ${inCommit(BOSUN)} ${date}`,
    '',
    commit.message,
  ].join('\n')
  const made: NewObject = { type: 'commit', content: Buffer.from(text) }
  const names = await quarantine.writer.writeAll([...(commit.unwritten ?? []), made])
  return names.at(-1) ?? ''
}

/** Without what would end a name or an address early, as git writes them. */
function inCommit({ name, email }: Identity): string {
  return `${cleaned(name)} <${cleaned(email)}>`
}

function cleaned(text: string): string {
  const crud = /^[\s\p{Cc}.,:;<>"\\']+|[\s\p{Cc}.,:;<>"\\']+$/gu
  return text.replace(crud, '').replace(/[\n<>]/g, '')
}
