/** Classifies the risk of a task from its paths, its title and, with care, its description. */
import { kindOfPath, wordsOf, type PathKind } from '../../languages/paths.ts'
import { SECURITY_FLAGS, type SecurityFlag, type Tier } from '../plan.ts'
import {
  LOW_TOPICS,
  MAYBE_VERIFICATION_TITLE,
  RISK_TOPICS,
  VERIFICATION_TITLE,
  type RiskTopic,
} from './tier-words.ts'

export interface TierEvidence {
  readonly title: string
  readonly description: string
  readonly paths: readonly string[]
  /** The author's tier; it is only ever raised. */
  readonly tier: Tier | undefined
  readonly flags: readonly SecurityFlag[]
  readonly breakingChange: boolean
  /** Paths that only sound like migrations, by what the files hold. */
  readonly notMigrations?: readonly string[] | undefined
}

export interface TierVerdict {
  readonly tier: Tier
  readonly reasons: readonly string[]
  readonly flags: readonly SecurityFlag[]
}

/** The part of a description that is read. */
const PROSE_LIMIT = 20_000
const REASON_LIMIT = 6
const NEGATION =
  /\b(no|not|without|never|non|avoid|unrelated to|independent of|instead of|out of scope|rather than|don't|doesn't)\b[^.;:]{0,40}$/

export function classifyTask(task: TierEvidence): TierVerdict {
  const kinds = new Set(task.paths.map(kindOfPath))
  const risks = [...risksInPaths(task), ...risksInWords(task, kinds)]
  const flags = SECURITY_FLAGS.filter(
    (flag) => task.flags.includes(flag) || risks.some((risk) => risk.topic.flag === flag),
  )
  const reasons = [
    ...task.flags.map((flag) => `the plan flags ${flag}`),
    ...(task.breakingChange ? ['the plan declares a breaking change'] : []),
    ...risks.map((risk) => risk.reason),
  ]
  if (reasons.length > 0) {
    const raised = task.tier !== undefined && task.tier !== 'critical' ? [`raised from ${task.tier}`] : []
    return { tier: 'critical', reasons: [...raised, ...unique(reasons)].slice(0, REASON_LIMIT), flags }
  }
  if (task.tier !== undefined) return { tier: task.tier, reasons: ['set in the plan'], flags }
  const low = lowReason(task, kinds)
  if (low !== null) return { tier: 'low', reasons: [low], flags }
  return { tier: 'normal', reasons: ['default: no sign of critical or low'], flags }
}

/** The tier of a real change, from its paths alone. */
export function tierOfPaths(paths: readonly string[], notMigrations?: readonly string[]): TierVerdict {
  const unnamed = { title: '', description: '', tier: undefined, flags: [], breakingChange: false }
  const verdict = classifyTask({ ...unnamed, paths, notMigrations })
  return verdict.tier === 'normal' ? { ...verdict, reasons: ['changes source files'] } : verdict
}

/** Whether a task without files only verifies the work of others. */
export function isVerification(title: string): boolean {
  const plain = plainText(title)
  return VERIFICATION_TITLE.test(plain) || MAYBE_VERIFICATION_TITLE.test(plain)
}

/** One quick test for all topics, since most texts match none. */
const ANY_TITLE = new RegExp(RISK_TOPICS.map((topic) => topic.title.source).join('|'))
const ANY_PROSE = new RegExp(RISK_TOPICS.map((topic) => topic.prose.source).join('|'))

interface Risk {
  readonly topic: RiskTopic
  readonly reason: string
}

/** Docs, tests and assets about a topic do not touch it. One reason per topic. */
function risksInPaths({ paths, notMigrations }: TierEvidence): readonly Risk[] {
  const risks = new Map<RiskTopic, Risk>()
  for (const path of paths) {
    const kind = kindOfPath(path)
    if (kind === 'doc' || kind === 'test' || kind === 'asset') continue
    const lower = path.toLowerCase()
    const words = wordsOf(path)
    for (const topic of RISK_TOPICS) {
      const isKnown = topic.flag === 'schema' && notMigrations?.includes(path) === true
      if (isKnown || risks.has(topic)) continue
      const touches = topic.words.some((word) => words.includes(word)) || topic.paths?.test(lower) === true
      if (!touches || topic.unless?.test(words.join(' ')) === true) continue
      risks.set(topic, { topic, reason: `touches ${topic.name}: ${path}` })
    }
  }
  return [...risks.values()]
}

function risksInWords(task: TierEvidence, kinds: ReadonlySet<PathKind>): readonly Risk[] {
  const title = plainText(task.title)
  const quiet = onlyReason(kinds) !== null
  const aboutSomethingLow = LOW_TOPICS.some((low) => low.name !== 'refactoring' && low.title.test(title))
  if ((quiet && aboutSomethingLow) || VERIFICATION_TITLE.test(title)) return []
  const prose = quiet || aboutSomethingLow ? '' : plainText(task.description.slice(0, PROSE_LIMIT))
  const [named, risky] = [ANY_TITLE.test(title), ANY_PROSE.test(prose)]
  return RISK_TOPICS.flatMap((topic) => {
    const wordsOnly = (text: string): string =>
      topic.flag === 'schema' ? withoutPaths(text, task.notMigrations ?? []) : text
    const inTitle = named ? findPhrase(wordsOnly(title), topic.title, topic.unless) : null
    if (inTitle !== null) return [{ topic, reason: `title mentions ${shortened(inTitle, topic)}` }]
    const inProse = risky ? findPhrase(wordsOnly(prose), topic.prose, null) : null
    return inProse === null ? [] : [{ topic, reason: `description mentions ${shortened(inProse, topic)}` }]
  })
}

const withoutPaths = (text: string, paths: readonly string[]): string =>
  paths.reduce((rest, path) => rest.replaceAll(plainText(path), ' '), text)

/** The phrase, or the name of its topic where it is longer than three words. */
function shortened(phrase: string, topic: RiskTopic): string {
  return phrase.split(' ').length > 3 ? topic.name : phrase
}

/** The first match that is not negated ("no migration"). */
function findPhrase(text: string, pattern: RegExp, unless: RegExp | null): string | null {
  for (let from = 0, rest = text; rest !== ''; rest = text.slice(from)) {
    const match = pattern.exec(rest)
    if (match === null) return null
    const at = from + match.index
    from = at + match[0].length
    if (NEGATION.test(text.slice(Math.max(0, at - 60), at))) continue
    return unless?.test(text) === true ? null : match[0].trim()
  }
  return null
}

function lowReason(task: TierEvidence, kinds: ReadonlySet<PathKind>): string | null {
  const only = onlyReason(kinds)
  if (only !== null) return only
  const title = plainText(task.title)
  if (task.paths.length === 0 && isVerification(task.title)) return 'only verifies the work of other tasks'
  const topic = LOW_TOPICS.find((low) => low.title.test(title))
  if (topic === undefined) return null
  return topic.withSources || !kinds.has('source') ? `title mentions ${topic.name}` : null
}

const ONLY: Readonly<Record<Exclude<PathKind, 'source'>, string>> = {
  doc: 'docs',
  test: 'tests',
  config: 'config',
  lock: 'lock files',
  asset: 'styles and assets',
}

function onlyReason(kinds: ReadonlySet<PathKind>): string | null {
  if (kinds.size === 0 || kinds.has('source')) return null
  const names = [...kinds].flatMap((kind) => (kind === 'source' ? [] : [ONLY[kind]]))
  return `changes only ${names.join(' and ')}`
}

/** Lower case, without code marks, with `camelCase` and `snake_case` split. */
function plainText(text: string): string {
  return text
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/[`*_]+/g, ' ')
    .replace(/\s+/g, ' ')
    .toLowerCase()
}

function unique(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)]
}
