/** Scans the changed lines for what makes a change critical, and for what its reviewer should look at. */
import type { Finding } from '../event-schemas/evidence.ts'
import type { Scan } from '../event-schemas/schemas.ts'
import { linesBefore, type Change, type ChangedFile, type ChangeTrees } from '../gates/change.ts'
import { hasTreeReader, offeredNames } from '../gates/contract/read-api.ts'
import { note } from '../gates/verdicts.ts'
import { isUnread } from '../languages/syntax.ts'
import { languageOf } from '../languages/languages.ts'
import { DDL, isNoMigration } from '../languages/migrations.ts'
import { kindOfPath, type PathKind } from '../languages/paths.ts'
import { quoted } from '../../lib/text/quoted.ts'
import { SCAN_RULES, type ScanRule } from './scan-rules.ts'

const MOST_FINDINGS = 40
const MOST_TOUCHES = 6
/** Longer lines are generated code. */
const LONGEST_LINE = 2000

export function scanChange(change: Change, trees: ChangeTrees): Scan {
  const hits = change.files.flatMap(hitsIn)
  const touches = [
    ...change.files.flatMap(schemaTouched),
    ...change.files.flatMap((file) => interfaceTouched(file, trees)),
    ...hits
      .filter(({ rule }) => rule.topic === 'injection')
      .map(({ rule, file, line }) => `a line ${rule.does}: ${file}:${line}`),
  ]
  const findings = hits.map(({ rule, file, line }) =>
    note(`${LABELS[rule.topic]}: it ${rule.does}`, file, line),
  )
  const notMigrations = change.files.filter(isNone).map(({ path }) => path)
  return {
    touches: touches.slice(0, MOST_TOUCHES),
    findings: bounded(findings),
    lines: linesIn(change),
    ...(notMigrations.length === 0 ? {} : { notMigrations }),
  }
}

/** Neither before nor now a migration. */
function isNone(file: ChangedFile): boolean {
  const sides = [
    ...(file.kind === 'added' ? [] : [linesBefore(file)]),
    ...(file.kind === 'deleted' ? [] : [file.lines]),
  ]
  return sides.every((lines) => isNoMigration(file.path, lines?.join('\n') ?? null))
}

/** Tests and lock files come with other work. */
const linesIn = ({ files }: Change): number =>
  files
    .filter(({ path }) => !['test', 'lock'].includes(kindOfPath(path)))
    .reduce((sum, { added, removed }) => sum + added.length + removed.length, 0)

const LABELS: Readonly<Record<ScanRule['topic'], string>> = {
  injection: 'injection',
  input: 'unchecked input',
  habit: 'habit',
}

function bounded(findings: Finding[]): Finding[] {
  if (findings.length <= MOST_FINDINGS) return findings
  const more = findings.length - MOST_FINDINGS + 1
  return [...findings.slice(0, MOST_FINDINGS - 1), note(`and ${more} more`)]
}

interface Hit {
  readonly rule: ScanRule
  readonly file: string
  readonly line: number
}

function hitsIn({ path, added }: ChangedFile): readonly Hit[] {
  const kind = kindOfPath(path)
  const rules = SCAN_RULES.filter((rule) => isAbout(rule, path, kind))
  return added.flatMap(({ line, text }) =>
    text.length > LONGEST_LINE
      ? []
      : rules
          .filter(({ pattern, unless }) => pattern.test(text) && unless?.test(text) !== true)
          .map((rule) => ({ rule, file: path, line })),
  )
}

function isWrittenIn(path: string, languages: ScanRule['languages']): boolean {
  const language = languageOf(path)
  return languages === null || (language !== null && languages.includes(language.name))
}

/** Docs and tests mention code without running it. */
function isAbout(rule: ScanRule, path: string, kind: PathKind): boolean {
  if (!isWrittenIn(path, rule.languages) || rule.paths?.test(path) === false || kind === 'lock') return false
  if (kind === 'doc' || kind === 'asset') return false
  return kind !== 'test' || rule.topic === 'habit'
}

function schemaTouched({ path, added, removed }: ChangedFile): readonly string[] {
  if (kindOfPath(path) !== 'source') return []
  const hit = added.find(({ text }) => text.length <= LONGEST_LINE && DDL.test(text))
  if (hit !== undefined) return [`changes a schema: ${path}:${hit.line}`]
  return removed.some(({ text }) => text.length <= LONGEST_LINE && DDL.test(text))
    ? [`changes a schema: ${path}`]
    : []
}

/** Whether a change may remove an exported name, so that both sides must be parsed. */
export const mayNarrowInterface = ({ path, kind, removed }: ChangedFile): boolean =>
  kind === 'modified' && removed.length > 0 && kindOfPath(path) === 'source' && hasTreeReader(path)

/** Reports a removed exported name; added and moved names break nothing. */
function interfaceTouched(file: ChangedFile, trees: ChangeTrees): readonly string[] {
  const { path } = file
  if (!mayNarrowInterface(file)) return []
  const [before, after] = [trees.before(path), trees.after(path)]
  if (before === null || after === null || isUnread(before) || isUnread(after)) return []
  const left = offeredNames(path, after)
  const gone = [...offeredNames(path, before)].find((name) => !left.has(name))
  return gone === undefined ? [] : [`removes ${quoted(gone)} from the interface of ${path}`]
}
