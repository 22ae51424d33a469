/**
 * The words that decide the tier of a task, by topic. Each stands for its plural too; `*` stands for the rest of a word
 * and `…` for a few words between.
 */
import { MIGRATION_WORDS } from '../../languages/migrations.ts'
import { wordsOf } from '../../languages/paths.ts'
import type { SecurityFlag } from '../plan.ts'

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
export const RISK_TOPICS: readonly RiskTopic[] = [
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
export const ABOUT_NO_SOURCES = anyOf(
  'doc|document|documentation|readme|changelog|release note|docstring|guide|tutorial|agents md|claude md',
  'eslint|prettier|(lint|linter|linting) (config*|rule|setup)|editorconfig|gitignore|tsconfig|(configure|configuration) (doc|file)',
)
/** Low even where sources change. */
export const ABOUT_COPY = anyOf(
  'typo|wording|ui copy|copy text|copytext|microcopy|label|tooltip|translation|spelling',
)
export const ABOUT_REFACTORING = anyOf(
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
export const inWords = (text: string): string => ` ${wordsOf(text).join(' ')} `
