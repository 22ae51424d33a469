/**
 * The contract gate: the public interface of the tree that work started from still holds, unless the plan says that this
 * task may break it; and what the task promises is there.
 */
import type { Finding } from '../../event-schemas/evidence.ts'
import type { Verdict } from '../../event-schemas/schemas.ts'
import type { TaskSpec } from '../../planning/plan.ts'
import type { Change } from '../change.ts'
import { blocking, note, verdict } from '../verdicts.ts'
import { breakFinding } from '../break-findings.ts'
import { compareApis, type ApiChange, type PlacedSymbol } from './compare.ts'
import { readApi, readerOf, type Parsers } from './read-api.ts'
import type { TreeFiles } from '../tree-files.ts'
import { twoSides, type TwoSides } from './two-sides.ts'
import { counted } from '../../../lib/text/counted.ts'

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
  const sides = twoSides(change, tree, facts)
  const changes = compareApis(sides.before, sides.after)
  const found = Map.groupBy(changes, (one) => (isUnparsed(one, sides) ? 'unparsed' : one.kind))
  const breaks = [...(found.get('removed') ?? []), ...(found.get('changed') ?? [])]
  const unclear = found.get('unclear') ?? []
  const doubts = [...sides.doubts, ...(found.get('unparsed') ?? []).map(doubtfulBreak)]
  const promised = promisedFindings(facts, sides.after)
  const missing = promised.filter(({ weight }) => weight === 'blocks')
  if (sides.files === 0 && promised.length === 0 && changes.length === 0) {
    return verdict('contract', 'not_applicable', 'no source with a public interface changed')
  }
  const findings = [
    ...missing,
    ...doubts.map((doubt) => blocking(doubt)),
    ...[...breaks, ...unclear].map((one) => breakFinding(one, spec.breakingChange)),
    ...promised.filter(({ weight }) => weight === 'note'),
    ...newNotes(found.get('added') ?? []),
    note(`compared: ${sides.scope}`),
  ]
  const [first] = breaks
  if (first !== undefined && !spec.breakingChange) {
    const more = breaks.length > 1 ? `, and ${breaks.length - 1} more` : ''
    const summary = `${first.name} ${first.why}${more}; set breaking_change: true if the task may break callers`
    return verdict('contract', 'failed', summary, { findings })
  }
  if (missing.length > 0) return verdict('contract', 'failed', missing[0]?.text ?? '', { findings })
  const [doubt] = doubts
  if (doubt !== undefined) return verdict('contract', 'inconclusive', doubt, { findings })
  return verdict('contract', 'passed', summaryOf(breaks.length, unclear.length, sides.before.length), {
    findings,
  })
}

function summaryOf(breaks: number, unclear: number, names: number): string {
  if (breaks > 0) return `${counted(breaks, 'break')}, which the plan allows`
  return unclear > 0
    ? `${counted(unclear, 'public name')} may have changed for callers`
    : `all ${names} public names are still compatible`
}

/** A missing name may be in a part that could not be parsed, and a difference may be a parse error. */
const isUnparsed = ({ kind, file }: ApiChange, { broken, withErrors }: TwoSides): boolean =>
  (broken.has(file) && kind !== 'added') || (kind === 'removed' && withErrors.has(file))

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
