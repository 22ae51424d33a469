/** Classifies the risk of a task: from its files, its title and what its plan declares. */
import { kindOfPath, type PathKind } from '../../languages/paths.ts'
import { SECURITY_FLAGS, type SecurityFlag, type Tier } from '../plan.ts'
import { ABOUT_COPY, ABOUT_NO_SOURCES, ABOUT_REFACTORING, inWords, RISK_TOPICS } from './tier-words.ts'

export interface TierEvidence {
  readonly title: string
  readonly paths: readonly string[]
  /** The author's tier; it is only ever raised. */
  readonly tier?: Tier | undefined
  readonly flags?: readonly SecurityFlag[] | undefined
  readonly breakingChange?: boolean | undefined
  /** Paths that only sound like migrations, by what the files hold. */
  readonly notMigrations?: readonly string[] | undefined
}

export interface TierVerdict {
  readonly tier: Tier
  readonly reasons: readonly string[]
  readonly flags: readonly SecurityFlag[]
}

const REASON_LIMIT = 6

export function classifyTask(task: TierEvidence): TierVerdict {
  const kinds = new Set(task.paths.map(kindOfPath))
  const risks = risksOf(task, kinds)
  const flags = SECURITY_FLAGS.filter(
    (flag) => task.flags?.includes(flag) === true || risks.some((risk) => risk.flag === flag),
  )
  const reasons = [
    ...(task.flags ?? []).map((flag) => `the plan flags ${flag}`),
    ...(task.breakingChange === true ? ['the plan declares a breaking change'] : []),
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
  const verdict = classifyTask({ title: '', paths, notMigrations })
  return verdict.tier === 'normal' ? { ...verdict, reasons: ['changes source files'] } : verdict
}

interface Risk {
  readonly flag: SecurityFlag | null
  readonly reason: string
}

/** Docs, tests and assets about a topic do not touch it. One reason of each kind per topic. */
function risksOf({ title, paths, notMigrations = [] }: TierEvidence, kinds: Kinds): readonly Risk[] {
  const own = paths.filter((path) => !['doc', 'test', 'asset'].includes(kindOfPath(path)))
  const texts = own.map((path) => ({ path, lower: path.toLowerCase(), words: inWords(path) }))
  const named = inWords(title)
  const isOnlyAbout = onlyReason(kinds) !== null && (ABOUT_NO_SOURCES.test(named) || ABOUT_COPY.test(named))
  const speaks = isOnlyAbout ? '' : named
  const withoutPaths = notMigrations.reduce((rest, path) => rest.replaceAll(inWords(path), ' '), speaks)
  return RISK_TOPICS.flatMap(({ name, flag, ...topic }) => {
    const known = flag === 'schema' ? notMigrations : []
    const touched = texts.find(
      ({ path, lower, words }) =>
        !known.includes(path) && (topic.words?.test(words) === true || topic.paths?.test(lower) === true),
    )
    const text = flag === 'schema' ? withoutPaths : speaks
    const mentioned = topic.words?.exec(text) ?? topic.title?.exec(text)
    return [
      ...(touched === undefined ? [] : [{ flag, reason: `touches ${name}: ${touched.path}` }]),
      ...(mentioned ? [{ flag, reason: `title mentions ${mentioned[0]}` }] : []),
    ]
  })
}

function lowReason({ title }: TierEvidence, kinds: Kinds): string | null {
  const only = onlyReason(kinds)
  if (only !== null) return only
  // What follows a hyphen is part of the word before it: a "style-guide" is no guide.
  const named = inWords(title.replace(/(?<=\w)-\w+/g, ''))
  const about = [ABOUT_REFACTORING, ABOUT_COPY, ...(kinds.has('source') ? [] : [ABOUT_NO_SOURCES])]
  const mentioned = about.map((words) => words.exec(named)).find((found) => found !== null)
  return mentioned === undefined ? null : `title mentions ${mentioned[0]}`
}

type Kinds = ReadonlySet<PathKind>

const ONLY: Readonly<Record<Exclude<PathKind, 'source'>, string>> = {
  doc: 'docs',
  test: 'tests',
  config: 'config',
  lock: 'lock files',
  asset: 'styles and assets',
}

function onlyReason(kinds: Kinds): string | null {
  if (kinds.size === 0 || kinds.has('source')) return null
  const names = [...kinds].flatMap((kind) => (kind === 'source' ? [] : [ONLY[kind]]))
  return `changes only ${names.join(' and ')}`
}

function unique(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)]
}
