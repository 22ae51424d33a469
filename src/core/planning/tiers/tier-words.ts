/**
 * The words and paths that decide the tier of a task. A phrase is matched as whole words in lower case, with
 * `camelCase` and `snake_case` split; it may be a pattern.
 */
import { MIGRATION_WORDS } from '../../languages/migrations.ts'
import type { SecurityFlag } from '../plan.ts'

export interface RiskTopic {
  /** As in the reason "touches auth: src/auth/login.ts". */
  readonly name: string
  readonly flag: SecurityFlag | null
  /** Single words of a path. */
  readonly words: readonly string[]
  /** Whole paths, in lower case. */
  readonly paths: RegExp | null
  /** Paths and titles that also match this do not count. */
  readonly unless: RegExp | null
  /** Phrases of a title. */
  readonly title: RegExp
  /** Phrases of a description: unambiguous ones only. */
  readonly prose: RegExp
}

/** Anything here makes a task critical. */
export const RISK_TOPICS: readonly RiskTopic[] = [
  {
    name: 'auth',
    flag: 'auth',
    words: words(
      'auth authn authz authentication authorization authorisation oauth oauth2 oidc login logout signin signup',
      'sso saml jwt rbac acl permissions password passwords',
    ),
    paths: null,
    unless: null,
    title: phrases(
      'o?auth|oauth2|authn|authz|oidc|sso|saml|jwts?|rbac|acls?|2fa|mfa|passkeys?|passwords?',
      'authenticat\\w*|authori[sz](e|es|ed|ing|ation)',
      'log-?ins?|log-?outs?|sign-?ups?|(sign|log)[ -](in|out)',
      'access control|user permissions?|role-based',
      '(access|refresh|bearer|session|auth|csrf) tokens?',
      'session (cookies?|hijacking|expiry|fixation)',
    ),
    prose: phrases(
      'authentication|authorization|oauth2?|oidc|saml|rbac|jwts?|access control',
      'password (hash\\w*|reset)|passwords are',
      '(access|refresh|bearer) tokens?',
      'login (endpoint|handler|route|flow)',
    ),
  },
  {
    name: 'schema and migrations',
    flag: 'schema',
    words: MIGRATION_WORDS,
    paths: anyOf(
      '(^|/)(db/migrate|prisma)/',
      '(^|/)(schema|structure)\\.(sql|prisma|rb|dbml)$',
      '\\.sql$',
      '(^|/)(db|database|storage|store|sqlite|postgres)/(.*/)?schema\\.\\w+$',
    ),
    unless: /\bmigration (guide|notes?|docs?)\b/,
    title: phrases(
      'migrations?',
      '(database|db|sql|data|table) schemas?|schema (changes?|migrations?|updates?)',
      '(add|create|drop|alter|rename|new)\\b[^.]{0,40}\\b(database|db|sql|sqlite|postgres(ql)?) (tables?|columns?|index(es)?)',
      '(add|create|drop|alter) [\\w ]{0,40}\\btables? (to|in|for) (the )?[\\w ]{0,20}\\b(store|db|database|storage|sqlite|postgres)',
      '(drop|alter) (the )?[\\w ]{0,30}(table|column)s?',
      '(store|storage|persistence|repository) \\(?(sqlite|postgres(ql)?|mysql)',
      '(sqlite|postgres(ql)?|mysql) (store|storage|tables?|schema|persistence)',
      'migrat(e|es|ing) (the |all |existing |old |user )*(data|database|db|tables?|rows|records|users?|schema|accounts?|columns?)',
    ),
    prose: phrases(
      '(database|schema|data|sql) migrations?|migration (file|script)s?',
      '(alter|create|drop) table',
      'add(s|ing)? (a |the )?(new )?(database |db )?columns? (to|on) the [\\w ]{1,30}table',
    ),
  },
  {
    name: 'billing and costs',
    flag: 'billing',
    words: words(
      'billing payment payments invoice invoices invoicing stripe paypal refund refunds finops cost costs checkout',
    ),
    paths: null,
    unless: /\b(git|worktree|branch|vcs|actions) |\bcheckout (git|branch)/,
    title: phrases(
      'billing|payments?|invoic(e|es|ing)|stripe|paypal|refunds?|finops|spend(ing)? limits?',
      '(cart|order|payment) checkout|checkout (flow|page|session|cart)',
      'paid (plans?|subscriptions?)|subscription (billing|plans?|payments?)',
      '(track|calculate|compute|report|limit|estimate|record|cap|count)\\w* [\\w ]{0,30}\\bcosts?',
      'costs? (tracking|calculation|report(ing|s)?|limits?|accounting|estimat\\w+|budget\\w*|per|dashboard)',
    ),
    prose: phrases(
      'stripe|paypal|payment (intent|provider|method|gateway)s?|invoices?|refunds?',
      'charges? (the|a) (customer|card|user)s?|billing (account|cycle|address|period)',
    ),
  },
  {
    name: 'secrets',
    flag: 'secrets',
    words: words('secret secrets credential credentials keychain keystore vault'),
    paths: anyOf(
      '(^|/)\\.env(\\.(?!example|sample|template|dist)[\\w.-]+)?$',
      '\\.(pem|p12|pfx|jks)$',
      '(^|/)(id_(rsa|ed25519)|\\.netrc)$',
    ),
    unless: null,
    title: phrases(
      'secrets?|credentials?|keychain',
      'api[ -]?keys?|(private|encryption|signing) keys?',
      '(hashicorp )?vault (integration|client|secrets?)',
    ),
    prose: phrases(
      'api[ -]keys? (are|is|must)|private keys?',
      '(stores?|reads?|rotat\\w+) (the )?(secret|credential)s?',
    ),
  },
  {
    name: 'security',
    flag: null,
    words: words('security crypto cryptography encryption csrf xss cors'),
    paths: null,
    unless: null,
    title: phrases(
      'security|vulnerabilit(y|ies)|cve-\\d+|xss|csrf|ssrf|cors|csp|path traversal|prompt firewall|pii',
      '(sql|command|shell|prompt|code) injections?',
      'encrypt\\w*|decrypt\\w*|cryptograph\\w*',
      'saniti[sz](e|es|ing|ation)( of)?( the| user| untrusted)* (input|html|paths?|urls?|output|uploads?)',
    ),
    prose: phrases(
      '(sql|command) injection|cross-site|path traversal|remote code execution',
      'encrypt(s|ed|ion)? (at rest|the (data|database|payload|secret)s?)',
    ),
  },
  {
    name: 'infrastructure',
    flag: null,
    words: [],
    paths: anyOf(
      '(^|/)(\\.github/workflows|\\.circleci|\\.buildkite|terraform|k8s|kubernetes|helm|ansible|pulumi|cloudformation|infra|infrastructure|deploy|deployment)/',
      '(^|/)(dockerfile(\\..+)?|.+\\.dockerfile|(docker-)?compose[\\w.-]*\\.ya?ml|jenkinsfile|procfile|chart\\.yaml)$',
      '(^|/)(\\.gitlab-ci\\.yml|azure-pipelines\\.ya?ml|cloudbuild\\.ya?ml|fly\\.toml|serverless\\.ya?ml|nginx[\\w.-]*\\.conf)$',
      '\\.(tf|tfvars|service)$',
    ),
    unless: null,
    title: phrases(
      'infra(structure)?|docker(file|files|ize|ise|-compose)?|kubernetes|k8s|terraform|helm charts?|ansible|nginx|systemd',
      'ci/cd|(ci|deployment|release|build) pipelines?|ci (workflow|job|config\\w*)|git ?hub actions',
      'deploy(s|ment|ments)?|load balancer|cron ?jobs?',
    ),
    prose: phrases('terraform|kubernetes|helm chart|git ?hub actions workflow'),
  },
  {
    name: 'public API',
    flag: null,
    words: words('openapi swagger'),
    paths: anyOf(
      '\\.proto$',
      '(^|/)include/.+\\.(h|hh|hpp|hxx)$',
      '(^|/)public[-_]?api\\b',
      '(^|/)schema\\.graphql$',
    ),
    unless: null,
    title: phrases(
      'public (rest |http |json )?apis?|open ?api|breaking changes?|api (contract|versioning|v\\d+)',
      'deprecat\\w+ (the )?[\\w ]{0,20}api|sdk (interface|surface|api)',
    ),
    prose: phrases('breaking change to the|public api (changes|of the)'),
  },
  {
    name: 'data integrity',
    flag: null,
    words: [],
    paths: null,
    unless: null,
    title: phrases(
      'data (integrity|loss|corruption|consistency|retention)|referential integrity|foreign keys?',
      '(database|db|sql) transactions?|transactional',
      '(database|db|data) (backups?|restores?)',
      '(delete|purge|erase|wipe|anonymi[sz]e)[sd]? (all |every |any |the |old |inactive |expired |closed |their )*(user|customer|client|member|patient|personal|account|order|production)s? (data|records?|accounts?|rows|profiles?)',
    ),
    prose: phrases('data (loss|corruption)|referential integrity'),
  },
]

export interface LowTopic {
  readonly name: 'refactoring' | 'docs' | 'copy' | 'config' | 'tests'
  /** Low even where sources change. */
  readonly withSources: boolean
  readonly title: RegExp
}

/** A task with such a title and no risk is low. */
export const LOW_TOPICS: readonly LowTopic[] = [
  {
    name: 'refactoring',
    withSources: true,
    title: phrases(
      'refactor\\w*|renam(e|es|ing)|tidy|clean[- ]?ups?|dead code|de-?dup(licate|lication)?|reformat\\w*|code style',
    ),
  },
  {
    name: 'docs',
    withSources: false,
    title: phrases(
      'docs?|documents?|documentation|readme|changelog|release notes?|docstrings?|guide|tutorial|agents\\.md|claude\\.md',
    ),
  },
  {
    name: 'copy',
    withSources: true,
    title: phrases('typos?|wording|ui copy|copy ?text|microcopy|labels?|tooltips?|translations?|spelling'),
  },
  {
    name: 'config',
    withSources: false,
    title: phrases(
      'eslint|prettier|lint(er|ing)? (config\\w*|rules?|setup)|editorconfig|gitignore|tsconfig|configur(e|ation) (files?|docs?)',
    ),
  },
  {
    name: 'tests',
    withSources: false,
    title:
      /^(add |write |more |extend |update )?(the )?(unit |e2e |end-to-end |integration |smoke )?tests?\b|\btest (coverage|fixtures?|suite)\b|\bend-to-end [\w ]{0,20}test\b/,
  },
]

/** Titles of tasks that only verify the work of others. */
export const VERIFICATION_TITLE = phrases(
  '(final|build|type|full|overall|manual|end-to-end|e2e|release|post-\\w+) verification|^verification',
  'still (works?|pass(es)?|builds?|runs?)',
  'quality gates?|sanity checks?|manual (testing|qa)|acceptance testing|adversarial review',
  'validat(e|ion) (from|everything|the whole|all)',
  'smoke (tests?|checks?)|regression (gate|check|tests?)',
  '(full|whole|entire) (test )?suite|(run|re-?run) (all |the )?(tests?|checks?|suite)',
  'final (check|checks|review|validation|testing|commit|gate)',
)

/** Ambiguous: a verification or a feature ("verify the signature"). */
export const MAYBE_VERIFICATION_TITLE =
  /^(verify|check|confirm|validate) (that|everything|all|the|file|files|it)\b/

function words(...lines: readonly string[]): readonly string[] {
  return lines.flatMap((line) => line.split(' '))
}

/** Any of the phrases, as whole words. */
function phrases(...alternatives: readonly string[]): RegExp {
  return new RegExp(`(?<![\\w-])(${alternatives.join('|')})(?!\\w)`)
}

function anyOf(...patterns: readonly string[]): RegExp {
  return new RegExp(patterns.join('|'))
}
