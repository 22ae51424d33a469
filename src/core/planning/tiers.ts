/** Classifies the risk of a task: from its files, its title and what its plan declares. */
import { kindOfPath, wordsOf, type PathKind } from '../languages/paths.ts'
import { SECURITY_FLAGS, type SecurityFlag, type Tier } from './plan.ts'
import { MIGRATION_WORDS } from '../languages/migrations.ts'

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

/**
 * The words that decide the tier of a task, by topic. Each stands for its plural too; `*` stands for the rest of a word
 * and `…` for a few words between.
 */
interface RiskTopic {
  /** As in the reason "touches auth: src/auth/login.ts". */
  readonly name: string
  readonly flag: SecurityFlag | null
  /** Words of paths and titles. */
  readonly words: RegExp | null
  /** Words of titles alone. */
  readonly title: RegExp | null
  /** Whole paths, in lower case. */
  readonly paths: RegExp | null
}

const DATABASE = '(database|db|sql|sqlite|postgres|postgresql|mysql)'
const KEPT_IN_IT = '(table|column|index|row|schema|store|storage|persistence|repository)'

/** Anything here makes a task critical. */
const RISK_TOPICS: readonly RiskTopic[] = [
  {
    name: 'auth',
    flag: 'auth',
    words: anyOf(
      'auth|authn|authz|authentication|authorization|authorisation|oauth|oauth2|oidc|sso|saml|jwt|rbac|acl',
      'login|logout|signin|signup|permission|password|passkey',
    ),
    title: anyOf(
      'authenticat*|authoriz*|authoris*|2fa|mfa|(sign|log) (in|out|up)|access control|role based',
      '(access|bearer|refresh|session) token|session (cookie|expiry|fixation|hijacking)',
    ),
    paths: null,
  },
  {
    name: 'schema and migrations',
    flag: 'schema',
    words: anyOf(...MIGRATION_WORDS),
    title: anyOf(
      `migrat*|(data|table) schema|schema (change|update)|${DATABASE} … ${KEPT_IN_IT}|${KEPT_IN_IT} … ${DATABASE}`,
      '(drop|alter) … (table|column)|table … (store|storage)',
    ),
    paths:
      /(^|\/)(db\/migrate|prisma)\/|(^|\/)(schema|structure)\.(prisma|rb|dbml)$|\.sql$|(^|\/)(db|database|storage|store|sqlite|postgres)\/(.*\/)?schema\.\w+$/,
  },
  {
    name: 'billing and costs',
    flag: 'billing',
    words: anyOf('billing|payment|invoice|invoicing|stripe|paypal|refund|finops|cost|(?<!git )checkout'),
    title: anyOf('spend* limit|paid (plan|subscription)|subscription (billing|payment|plan)'),
    paths: null,
  },
  {
    name: 'secrets',
    flag: 'secrets',
    words: anyOf('secret|credential|keychain|keystore|vault'),
    title: anyOf('(api|private|encryption|signing) key'),
    paths:
      /(^|\/)\.env(\.(?!example|sample|template|dist)[\w.-]+)?$|\.(pem|p12|pfx|jks)$|(^|\/)(id_(rsa|ed25519)|\.netrc)$/,
  },
  {
    name: 'security',
    flag: null,
    words: anyOf('security|crypto|cryptograph*|encryption|csrf|xss|cors'),
    title: anyOf(
      'encrypt*|decrypt*|saniti*|vulnerabilit*|cve|ssrf|csp|pii|path traversal|prompt firewall',
      '(sql|command|shell|prompt|code) injection',
    ),
    paths: null,
  },
  {
    name: 'infrastructure',
    flag: null,
    words: null,
    title: anyOf(
      'infra|infrastructure|docker*|kubernetes|k8s|terraform|helm|ansible|nginx|systemd|deploy*|load balancer',
      '(build|ci|deployment|release) pipeline|ci (cd|config*|job|workflow)|(github|git hub) action|cron job|cronjob',
    ),
    paths: new RegExp(
      [
        '(^|/)(\\.github/workflows|\\.circleci|\\.buildkite|terraform|k8s|kubernetes|helm|ansible|pulumi|cloudformation|infra|infrastructure|deploy|deployment)/',
        '(^|/)(dockerfile(\\..+)?|.+\\.dockerfile|(docker-)?compose[\\w.-]*\\.ya?ml|jenkinsfile|procfile|chart\\.yaml)$',
        '(^|/)(\\.gitlab-ci\\.yml|azure-pipelines\\.ya?ml|cloudbuild\\.ya?ml|fly\\.toml|serverless\\.ya?ml|nginx[\\w.-]*\\.conf)$',
        '\\.(tf|tfvars|service)$',
      ].join('|'),
    ),
  },
  {
    name: 'public API',
    flag: null,
    words: anyOf('openapi|swagger'),
    title: anyOf(
      'public … api|open api|breaking change|api (contract|versioning|v1|v2|v3|v4)|deprecat* … api',
      'sdk (api|interface|surface)',
    ),
    paths: /\.proto$|(^|\/)include\/.+\.(h|hh|hpp|hxx)$|(^|\/)public[-_]?api\b|(^|\/)schema\.graphql$/,
  },
  {
    name: 'data integrity',
    flag: null,
    words: null,
    title: anyOf(
      'data (backup|consistency|corruption|integrity|loss|restore|retention)|(database|db) (backup|restore)',
      '(database|db|sql) transaction|transactional|referential integrity|foreign key',
      '(delete|deleted|purge|purged|erase|erased|wipe|wiped|anonymi*) … (user|customer|client|member|patient|personal|account|order|production) … (account|data|profile|record|row)',
    ),
    paths: null,
  },
]

/** Without sources among its files, a task with such a title and no risk is low. */
const ABOUT_NO_SOURCES = anyOf(
  'doc|document|documentation|readme|changelog|release note|docstring|guide|tutorial|agents md|claude md',
  'eslint|prettier|(lint|linter|linting) (config*|rule|setup)|editorconfig|gitignore|tsconfig|(configure|configuration) (doc|file)',
)
/** Low even where sources change. */
const ABOUT_COPY = anyOf(
  'typo|wording|ui copy|copy text|copytext|microcopy|label|tooltip|translation|spelling',
)
const ABOUT_REFACTORING = anyOf(
  'refactor*|rename|renaming|tidy|cleanup|clean up|dead code|dedup|deduplicate|deduplication|reformat*|code style',
)

/** For a text as `inWords` gives it. */
function anyOf(...entries: readonly string[]): RegExp {
  const source = entries
    .join('|')
    .replace(/\w+(?![\w*])/g, '$&s?')
    .replaceAll('*', '[a-z0-9]*')
    .replaceAll(' … ', ' (?:\\w+ ){0,6}')
  return new RegExp(`(?<= )(?:${source})(?= )`)
}

/** Lower case, with a space around each word. */
const inWords = (text: string): string => ` ${wordsOf(text).join(' ')} `
