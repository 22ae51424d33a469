/**
 * The contract gate: the public interface of the tree that work started from still holds, unless the plan says that this
 * task may break it; and what the task promises is there.
 */
import type { Finding } from '../../event-schemas/evidence.ts'
import type { Verdict } from '../../event-schemas/schemas.ts'
import type { TaskSpec } from '../../planning/plan.ts'
import { beforeFiles, type Change, type TreeFiles } from '../change.ts'
import { andMore, blocking, note, verdict } from '../verdicts.ts'
import { breakFinding } from '../written-findings.ts'
import { compareApis, NO_API, type ApiChange, type PlacedSymbol, type FileApi } from './compare.ts'
import { readApi, readerOf, unitOf, type Parsers } from './read-api.ts'
import { counted } from '../../../lib/text/counted.ts'
import { entriesOf, packageOf, passedName, reachedFrom, type Modules } from './typescript.ts'

export interface ContractFacts extends Parsers {
  readonly spec: Pick<TaskSpec, 'interfaces' | 'breakingChange'>
  readonly change: Change
  readonly tree: TreeFiles
  /** Every file of the tree; asked for only where something that was promised is not among what changed. */
  readonly allPaths: () => Iterable<string>
}

const MOST_NEW = 15
const MOST_SEARCHED = 20_000
/** A name may stand in many files; they are parsed a few at a time until it is found. */
const MOST_PARSED_AT_ONCE = 20

export function contractGate(facts: ContractFacts): Verdict {
  const { spec, change, tree } = facts
  const [old, now] = [new Side(beforeFiles(change, tree), facts), new Side(tree, facts)]
  const isReached = readPublicNames(change, old, now)
  const changes = compareApis(old.symbols, now.symbols)
  const unparsed = differentErrors(old, now)
  // A missing name may be in a part that could not be parsed, and a difference may be a parse error.
  const isUnparsed = ({ kind, file }: ApiChange): boolean =>
    (kind !== 'added' && unparsed.some((one) => one.file === file)) ||
    (kind === 'removed' && now.read.get(file)?.hasErrors === true)
  const found = Map.groupBy(changes, (one) => (isUnparsed(one) ? 'unparsed' : one.kind))
  const breaks = [...(found.get('removed') ?? []), ...(found.get('changed') ?? [])]
  const unclear = found.get('unclear') ?? []
  const doubts = new Set([
    ...old.doubts,
    ...now.doubts,
    ...unparsed.map(({ file, text }) => `${file}: could not be parsed: ${text}`),
    ...(found.get('unparsed') ?? []).map(doubtfulBreak),
  ])
  const promised = promisedFindings(facts, now.symbols)
  const missing = promised.filter(({ weight }) => weight === 'blocks')
  const isTouched = change.files.some(({ path }) => readerOf(path) !== null)
  if (!isTouched && promised.length === 0 && changes.length === 0) {
    return verdict('contract', 'not_applicable', 'no source with a public interface changed')
  }
  const scope = isReached ? 'the exports of the package entries' : 'all exported names except those of tests'
  const findings = [
    ...missing,
    ...[...doubts].map((doubt) => blocking(doubt)),
    ...[...breaks, ...unclear].map((one) => breakFinding(one, spec.breakingChange)),
    ...promised.filter(({ weight }) => weight === 'note'),
    ...newNotes(found.get('added') ?? []),
    note(`compared: ${scope}`),
  ]
  const judged = (outcome: Verdict['outcome'], summary: string): Verdict =>
    verdict('contract', outcome, summary, { findings })
  const [first] = breaks
  if (first !== undefined && !spec.breakingChange) {
    const allow = 'set breaking_change: true if the task may break callers'
    return judged('failed', `${first.name} ${first.why}${andMore(breaks)}; ${allow}`)
  }
  if (missing[0] !== undefined) return judged('failed', missing[0].text)
  const [doubt] = doubts
  if (doubt !== undefined) return judged('inconclusive', doubt)
  return judged('passed', summaryOf(breaks.length, unclear.length, old.symbols.length))
}

function summaryOf(breaks: number, unclear: number, names: number): string {
  if (breaks > 0) return `${counted(breaks, 'break')}, which the plan allows`
  return unclear > 0
    ? `${counted(unclear, 'public name')} may have changed for callers`
    : `all ${names} public names are still compatible`
}

const doubtfulBreak = ({ name, why, file }: ApiChange): string =>
  `${name} ${why}, unless it is in a part of ${file} that could not be parsed`

function newNotes(added: readonly ApiChange[]): readonly Finding[] {
  const listed = added
    .slice(0, MOST_NEW)
    .map((one) => note(`new: ${one.after ?? one.name}`, one.file, one.line))
  return added.length > MOST_NEW ? [...listed, note(`and ${added.length - MOST_NEW} more new names`)] : listed
}

function promisedFindings(facts: ContractFacts, after: readonly PlacedSymbol[]): readonly Finding[] {
  return facts.spec.interfaces.map((text) => {
    const name = promisedName(text)
    if (name === null) return note(`review must confirm (no name found in it): ${text}`)
    const found = after.find((symbol) => answersTo(symbol.name, name)) ?? searched(facts, name)
    if (found !== null) return note(`promised and found: ${found.signature}`, found.file, found.line)
    // Routes are only known from an OpenAPI document.
    if (name.includes(' /')) return note(`review must confirm (not in an OpenAPI document): ${text}`)
    return blocking(`the task promises ${name}, but there is no public symbol of that name: ${text}`)
  })
}

/** An existing symbol fulfils a promise too. */
function searched(
  facts: ContractFacts,
  name: string,
): Pick<PlacedSymbol, 'signature' | 'file' | 'line'> | null {
  const word = name.split(/[. ]/).at(-1) ?? name
  let looked = 0
  let waiting = 0
  for (const path of facts.allPaths()) {
    if (readerOf(path) === null) continue
    if (++looked > MOST_SEARCHED) return null
    const text = facts.tree.text(path)
    if (text === null || !text.includes(word)) continue
    const api = readApi({ path, text }, facts)
    if (api === null && ++waiting === MOST_PARSED_AT_ONCE) return null
    const symbol = api?.symbols.find((one) => answersTo(one.name, name))
    if (symbol !== undefined) return { signature: symbol.signature, file: path, line: symbol.line }
  }
  return null
}

/** The name to look for in what a task promises, or null if there is none. */
export function promisedName(text: string): string | null {
  const code = /`([^`]+)`/.exec(text)?.[1] ?? text
  const plain = code
    .trim()
    .replace(/^(?:produces|exposes?|exports?|provides?|consumes?|uses)\s*:\s*/i, '')
    .replace(
      /^(?:(?:export|default|declare|public|static|async|abstract|pub|extern|inline|const|let|var)\s+)+/,
      '',
    )
  const route = /^(GET|PUT|POST|DELETE|OPTIONS|HEAD|PATCH|TRACE)\s+(\/\S*)/.exec(plain)
  if (route !== null) return `${route[1] ?? ''} ${(route[2] ?? '').replace(/\{[^}]*\}|:\w+/g, '{}')}`
  const keyword =
    /^(?:function\*?|class|interface|type|enum|def|fn|func|struct|trait|namespace|module)\s+/.exec(plain)
  const rest = plain.slice(keyword?.[0].length ?? 0)
  const found = /^([A-Za-z_$][\w$]*(?:(?:\.|::|#)[A-Za-z_$][\w$]*)*)\s*(.?)/.exec(rest)
  const [, name = '', next = ''] = found ?? []
  if (name === '') return null
  // A name is followed by a signature or nothing, prose by a word.
  const isCode = text.includes('`') || keyword !== null
  return isCode || next === '' || '(<:=[?;,'.includes(next) ? name.replace(/#|::/g, '.') : null
}

/** Whether a symbol matches a name: both `open` and `Shop.open` match `Shop.open`. */
function answersTo(symbol: string, name: string): boolean {
  const plain = symbol.replaceAll('::', '.')
  return plain === name || plain.endsWith(`.${name}`)
}

/** One side of a change: the public names that were read of it, and what could not be read. */
class Side implements Modules {
  readonly symbols: PlacedSymbol[] = []
  readonly doubts: string[] = []
  /** The files requested so far. */
  readonly read = new Map<string, FileApi | null>()
  readonly has: TreeFiles['has']
  readonly text: TreeFiles['text']
  readonly #parsers: Parsers

  constructor({ has, text }: TreeFiles, parsers: Parsers) {
    this.has = has
    this.text = text
    this.#parsers = parsers
  }

  api(path: string): FileApi | null {
    const known = this.read.get(path)
    if (known !== undefined) return known
    const text = this.text(path)
    // The gate runs again once the file is parsed.
    const api = text === null ? null : (readApi({ path, text }, this.#parsers) ?? NO_API)
    this.read.set(path, api)
    return api
  }

  addFile(path: string): void {
    const api = this.api(path)
    const unit = unitOf(path)
    this.doubts.push(
      ...(api?.doubts.map((doubt) => `${path}: ${doubt}`) ?? [`${path} could not be read as text`]),
    )
    const symbols = [...(api?.symbols ?? []), ...(api?.passedOn ?? []).map(passedName)]
    this.symbols.push(...symbols.map((symbol) => ({ ...symbol, unit, file: path })))
  }

  addEntries(folder: string, entries: readonly string[]): void {
    for (const entry of entries) {
      const { found, doubts } = reachedFrom(entry, this)
      this.doubts.push(...doubts)
      // An entry that moved to another language is the same entry.
      const unit = `${folder}:${entry.replace(/(?:\.d)?\.[mc]?[jt]sx?$/, '')}`
      this.symbols.push(...found.map((symbol) => ({ ...symbol, unit })))
    }
  }
}

/** Of changed files and those that lead to them; whether packages have entries that show what is public. */
function readPublicNames(change: Change, before: Side, after: Side): boolean {
  const packageFor = (path: string): string | null => packageOf(path, after) ?? packageOf(path, before)
  const isOfPackage = (path: string): boolean =>
    readerOf(path) === 'script' || path === 'package.json' || path.endsWith('/package.json')
  const packages = change.files.flatMap(({ path }) => (isOfPackage(path) ? (packageFor(path) ?? []) : []))
  const handled = new Set<string | null>()
  for (const folder of new Set(packages)) {
    const [old, now] = [entriesOf(folder, before), entriesOf(folder, after)]
    if (old.length === 0 || now.length === 0) continue
    before.addEntries(folder, old)
    after.addEntries(folder, now)
    handled.add(folder)
  }
  for (const { path, kind, isBinary } of change.files) {
    const reader = readerOf(path)
    if (reader === null || (reader === 'script' && handled.has(packageFor(path)))) continue
    if (isBinary) after.doubts.push(`${path} could not be read as text`)
    if (kind !== 'added') before.addFile(path)
    if (kind !== 'deleted') after.addFile(path)
  }
  return handled.size > 0
}

const LONGEST_PART = 60

/** The same parse errors on both sides do not matter. */
function differentErrors(
  before: Side,
  after: Side,
): readonly { readonly file: string; readonly text: string }[] {
  return [...new Set([...before.read.keys(), ...after.read.keys()])].flatMap((file) => {
    const [old, now] = [before, after].map(({ read }) => read.get(file)?.unparsed ?? [])
    const different = [...(old ?? []), ...(now ?? [])].filter(
      (text) => !old?.includes(text) || !now?.includes(text),
    )
    return different.map((text) => ({ file, text: text.slice(0, LONGEST_PART) }))
  })
}
