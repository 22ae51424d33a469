/** Small faults put into changed lines, one at a time. Tests that notice none of them do not test the change. */
import { isTestPath, kindOfPath, nameOf } from '../planning/paths.ts'
import type { Change } from './change.ts'

export interface Mutant {
  readonly path: string
  /** In the file as it is now, from 1. */
  readonly line: number
  /** What the line becomes. */
  readonly text: string
  /** The fault in words. */
  readonly what: string
}

type Family = 'script' | 'python' | 'c'
const FAMILIES: readonly (readonly [Family, RegExp])[] = [
  ['script', /\.[cm]?[jt]sx?$/],
  ['python', /\.py$/],
  ['c', /\.(c|cc|cpp|cxx|h|hpp|java|kt|cs|go|rs|swift|php|scala)$/],
]

const familyOf = (path: string): Family | null =>
  FAMILIES.find(([, names]) => names.test(nameOf(path).toLowerCase()))?.[0] ?? null

interface Rule {
  readonly what: string
  readonly only?: Family
  readonly from: RegExp
  readonly to: string
}

/** Tried in this order, one a line: what decides comes before what is only shown. */
const RULES: readonly Rule[] = [
  { what: 'a comparison turned round', from: /([^=!<>])===?([^=])/, to: '$1!=$2' },
  { what: 'a comparison turned round', from: /!==?/, to: '==' },
  { what: 'a comparison turned round', from: /\s<=\s/, to: ' > ' },
  { what: 'a comparison turned round', from: /\s>=\s/, to: ' < ' },
  { what: 'a comparison turned round', from: /\s<\s/, to: ' >= ' },
  { what: 'a comparison turned round', from: /\s>\s/, to: ' <= ' },
  { what: 'and for or', from: /&&/, to: '||' },
  { what: 'or for and', from: /\|\|/, to: '&&' },
  { what: 'and for or', only: 'python', from: /\sand\s/, to: ' or ' },
  { what: 'or for and', only: 'python', from: /\sor\s/, to: ' and ' },
  { what: 'a sign turned round', from: /([\w)\]]) \+ (?=[\w(['"])/, to: '$1 - ' },
  { what: 'a sign turned round', from: /([\w)\]]) - (?=[\w(])/, to: '$1 + ' },
  { what: 'a product made a quotient', from: /([\w)\]]) \* (?=[\w(])/, to: '$1 / ' },
  {
    what: 'nothing returned',
    only: 'script',
    from: /\breturn\s+(?!undefined\b)[^;{(]+;?$/,
    to: 'return undefined',
  },
  { what: 'nothing returned', only: 'script', from: /=>\s*(?![{(])[^;,]+$/, to: '=> undefined' },
  {
    what: 'nothing returned',
    only: 'python',
    from: /\breturn\s+(?!None\b)[^([{]+.*[^,([{]$/,
    to: 'return None',
  },
  {
    what: 'nothing returned',
    only: 'script',
    from: /^(\s*(?:export\s+)?const\s+\w+\s*=.*?=>\s*)(?![\s{([]).*[^,([{]$/,
    to: '$1undefined',
  },
  { what: 'true for false', from: /\btrue\b/, to: 'false' },
  { what: 'false for true', from: /\bfalse\b/, to: 'true' },
  { what: 'true for false', only: 'python', from: /\bTrue\b/, to: 'False' },
  { what: 'false for true', only: 'python', from: /\bFalse\b/, to: 'True' },
  { what: 'another number', from: /(^|[\s([{,=+*/<>-])(\d{1,9})(?=$|[\s)\]},;:])/, to: '$11$2' },
  {
    what: 'a call left out',
    only: 'script',
    from: /^(\s*)(?!return|throw|import|export)[\w.]+\([^()]*\);?$/,
    to: '$1',
  },
  {
    what: 'a call left out',
    only: 'python',
    from: /^(\s*)(?!return|raise|print)[\w.]+\([^()]*\)$/,
    to: '$1pass',
  },
]
/** Lines in which a fault is no fault of the program. */
const IDLE = /^\s*($|\/\/|\/?\*|#|import\b|from\b|export \{|export \*|type\b|interface\b|@|['"`])/
const TYPES = /^\s*(export\s+)?(type|interface|declare)\b|^\s*(readonly\s+)?\w+\??:\s*[\w<>[\]| ]+[;,]?$/

/** At most `most`, spread over the change, in an order that depends on nothing but the change. */
export function mutantsOf(change: Change, most: number): readonly Mutant[] {
  const all = change.files.flatMap(({ path, added, isBinary }) => {
    const family = familyOf(path)
    if (family === null || isBinary || isTestPath(path) || kindOfPath(path) !== 'source') return []
    return added.flatMap(({ line, text }) => {
      const found = mutated(text, family)
      return found === null ? [] : [{ path, line, ...found }]
    })
  })
  const step = Math.max(1, all.length / most)
  return Array.from({ length: Math.min(most, all.length) }, (_, at) => all[Math.floor(at * step)]).filter(
    (one) => one !== undefined,
  )
}

const LONGEST_LINE = 400

export function mutated(text: string, family: Family): Pick<Mutant, 'text' | 'what'> | null {
  if (text.length > LONGEST_LINE || IDLE.test(text) || TYPES.test(text)) return null
  const hidden = withoutTexts(text)
  for (const { what, only, from, to } of RULES) {
    if (only !== undefined && only !== family) continue
    const found = new RegExp(from.source, 'd').exec(hidden)
    if (found === null) continue
    // Found where texts are hidden, and made of the line as it is.
    const part = (group: number): string => {
      const [start, end] = found.indices?.[group] ?? [0, 0]
      return text.slice(start, end)
    }
    const piece = to.replace(/\$(\d)/g, (_, group: string) => part(Number(group)))
    const now = `${text.slice(0, found.index)}${piece}${text.slice(found.index + found[0].length)}`
    if (now !== text) return { text: now, what }
  }
  return null
}

/** Quoted texts and trailing comments as blanks of the same length. */
function withoutTexts(text: string): string {
  const plain = text.replace(/'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`[^`]*`/g, (found) =>
    '\u0001'.repeat(found.length),
  )
  return plain.replace(/\s(\/\/|#\s).*$/, (found) => '\u0001'.repeat(found.length))
}

/** What became of one mutant. */
export interface MutantSeen {
  readonly mutant: Mutant
  readonly isNoticed: boolean
}

/** Of those tried, this many have to be noticed: some faults change nothing that anybody could see. */
const LEAST_SHARE = 0.5

export function judgeMutants(seen: readonly MutantSeen[]): {
  readonly isEnough: boolean
  readonly words: string
  readonly survivors: readonly Mutant[]
} {
  const survivors = seen.filter(({ isNoticed }) => !isNoticed).map(({ mutant }) => mutant)
  const noticed = seen.length - survivors.length
  return {
    isEnough: noticed >= seen.length * LEAST_SHARE,
    words: `the tests noticed ${noticed} of ${seen.length} faults put into the change`,
    survivors,
  }
}
