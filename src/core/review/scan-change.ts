/** Reads the lines of a change: what makes it critical whatever its plan said, and what its reviewer should look at. */
import type { Scan } from '../draft.ts'
import type { Finding } from '../events/evidence.ts'
import type { Change, ChangedFile } from '../gates/change.ts'
import { note } from '../gates/verdicts.ts'
import { kindOfPath, type PathKind } from '../planning/paths.ts'
import { quoted } from '../planning/quoted.ts'
import { SCAN_RULES, type ScanRule } from './scan-rules.ts'

const MOST_FINDINGS = 40
const MOST_TOUCHES = 6
/** A longer line was written by a program. */
const LONGEST_LINE = 2000

export function scanChange(change: Change): Scan {
  const hits = change.files.flatMap(hitsIn)
  const touches = [
    ...change.files.flatMap(schemaTouched),
    ...change.files.flatMap(interfaceTouched),
    ...hits
      .filter(({ rule }) => rule.topic === 'injection')
      .map(({ rule, file, line }) => `a line ${rule.says}: ${file}:${line}`),
  ]
  const findings = hits.map(({ rule, file, line }) =>
    note(`${WORDS[rule.topic]}: it ${rule.says}`, file, line),
  )
  return { touches: touches.slice(0, MOST_TOUCHES), findings: bounded(findings) }
}

const WORDS: Readonly<Record<ScanRule['topic'], string>> = {
  injection: 'injection',
  input: 'unchecked input',
  habit: 'habit',
}

function bounded(findings: readonly Finding[]): readonly Finding[] {
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

/** Prose and tests speak of what they do not do. */
function isAbout(rule: ScanRule, path: string, kind: PathKind): boolean {
  if (rule.files?.test(path) === false || kind === 'lock') return false
  if (kind === 'doc' || kind === 'asset') return false
  return kind !== 'test' || rule.topic === 'habit'
}

const DDL =
  /\b(?:CREATE|ALTER|DROP)\s+(?:TABLE|(?:UNIQUE\s+)?INDEX|SCHEMA|VIEW|TYPE)\b|\b(?:createTable|alterTable|dropTable|add_column|drop_column|create_table|drop_table)\s?\(/i

function schemaTouched({ path, added, removed }: ChangedFile): readonly string[] {
  if (kindOfPath(path) !== 'source') return []
  const hit = added.find(({ text }) => text.length <= LONGEST_LINE && DDL.test(text))
  if (hit !== undefined) return [`changes a schema: ${path}:${hit.line}`]
  return removed.some(({ text }) => text.length <= LONGEST_LINE && DDL.test(text))
    ? [`changes a schema: ${path}`]
    : []
}

/** What a file offers to others, by name. */
const OFFERS: readonly (readonly [files: RegExp, declares: RegExp])[] = [
  [
    /\.[cm]?[jt]sx?$/i,
    /^export\s+(?:default\s+)?(?:declare\s+)?(?:abstract\s+)?(?:async\s+)?(?:function\*?|class|const|let|var|interface|type|enum)\s+([\w$]+)/,
  ],
  [/\.py$/i, /^(?:async\s+)?(?:def|class)\s+((?!_)\w+)/],
  [/\.go$/i, /^(?:func\s+(?:\([^)]*\)\s?)?|type\s+)([A-Z]\w*)/],
  [/\.rs$/i, /^\s*pub\s+(?:async\s+)?(?:fn|struct|enum|trait|const)\s+(\w+)/],
]

/** A name that was offered and is not any more breaks whoever uses it; what is only added or moved breaks nobody. */
function interfaceTouched({ path, kind, removed, lines }: ChangedFile): readonly string[] {
  if (kind !== 'modified' || kindOfPath(path) !== 'source') return []
  const declares = OFFERS.find(([files]) => files.test(path))?.[1]
  if (declares === undefined) return []
  const left = new Set((lines ?? []).map((text) => declares.exec(text.slice(0, LONGEST_LINE))?.[1]))
  const gone = removed
    .map(({ text }) => declares.exec(text.slice(0, LONGEST_LINE))?.[1])
    .filter((name) => name !== undefined && !left.has(name))
  const [first] = gone
  return first === undefined ? [] : [`takes ${quoted(first)} out of the interface of ${path}`]
}
