/** The secrets gate: no credentials are added to the tree. It reports the kind of a secret, never its value. */
import type { Finding } from '../../event-schemas/evidence.ts'
import type { Verdict } from '../../event-schemas/schemas.ts'
import type { Change } from '../change.ts'
import { blocking, note, verdict } from '../verdicts.ts'
import { findSecrets, soughtFor, type FoundSecret, type SoughtSecret } from './find-secrets.ts'
import type { HeldSecret } from './held-values.ts'

/** A binary file, read and unpacked as far as possible. */
export interface BinaryFile {
  readonly path: string
  /** The file and its unpacked contents, as Latin-1 text; null if it is too large. */
  readonly contents: readonly string[] | null
}

export interface SecretsFacts {
  readonly change: Change
  readonly held: readonly HeldSecret[]
  /** The binary files of the change. */
  readonly binaries: readonly BinaryFile[]
  /** Texts of the worker that are committed. */
  readonly notes: readonly { readonly where: string; readonly text: string }[]
  /** A short hash that identifies a secret without revealing it. */
  readonly hashOf: (secret: string) => string
}

export function secretsGate(facts: SecretsFacts): Verdict {
  const sought = soughtFor(facts.held)
  const findings: Finding[] = []
  const unread: Finding[] = []
  for (const file of facts.change.files) {
    findings.push(...toFindings(findSecrets(file.added, sought), { file: file.path, hashOf: facts.hashOf }))
    const named = findSecrets([{ line: 1, text: file.path }], sought).filter((one) => !one.isDoubtful)
    // The finding names no file, because the path would reveal the secret.
    for (const one of named)
      findings.push(blocking(`${one.what} in the name of a file (${facts.hashOf(one.secret)})`))
  }
  for (const { path, contents } of facts.binaries) {
    if (contents === null) unread.push(blocking('is too large to scan', path))
    else findings.push(...toFindings(inBytes(contents, sought), { file: path, hashOf: facts.hashOf }))
  }
  for (const { where, text } of facts.notes) {
    const lines = text.split('\n').map((one, place) => ({ line: place + 1, text: one }))
    for (const one of findSecrets(lines, sought)) {
      if (!one.isDoubtful) findings.push(blocking(`${one.what} in ${where} (${facts.hashOf(one.secret)})`))
    }
  }
  const blocks = findings.filter(({ weight }) => weight === 'blocks')
  const [first] = blocks
  const all = [...findings, ...unread]
  if (first !== undefined) {
    const where = first.file === null ? '' : ` in ${first.file}${first.line === null ? '' : `:${first.line}`}`
    const more = blocks.length > 1 ? `, and ${blocks.length - 1} more` : ''
    return verdict('secrets', 'failed', `${first.text}${where}${more}`, { findings: all })
  }
  if (unread.length > 0) {
    return verdict('secrets', 'inconclusive', `${unread[0]?.file ?? ''} is too large to scan`, {
      findings: all,
    })
  }
  const doubts = findings.length === 0 ? '' : `; ${findings.length} for review`
  return verdict('secrets', 'passed', `no secrets were added${doubts}`, { findings: all })
}

function toFindings(
  found: readonly FoundSecret[],
  { file, hashOf }: { readonly file: string; readonly hashOf: SecretsFacts['hashOf'] },
): readonly Finding[] {
  return found.map(({ what, secret, line, isDoubtful }) => {
    const text = `${what} (${hashOf(secret)})`
    return isDoubtful ? note(text, file, line) : blocking(text, file, line)
  })
}

/** Searches binary contents as single-byte and as UTF-16 text. */
function inBytes(contents: readonly string[], sought: readonly SoughtSecret[]): readonly FoundSecret[] {
  const seen = new Set<string>()
  return contents
    .flatMap((bytes) => [bytes, bytes.replaceAll('\0', '')])
    .flatMap((text) => findSecrets([{ line: 1, text }], sought))
    .filter(({ what, secret, isDoubtful }) => {
      if (isDoubtful || seen.has(`${what}\0${secret}`)) return false
      seen.add(`${what}\0${secret}`)
      return true
    })
}
