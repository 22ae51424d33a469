/**
 * The words and paths that say how risky a task is. One table, so that people can read and argue with it.
 * Texts are matched in lower case with `camelCase` and `snake_case` taken apart into words.
 */
import type { SecurityFlag } from './plan.ts'

export interface RiskTopic {
  /** As it stands in a reason: "touches auth: src/auth/login.ts". */
  readonly name: string
  readonly flag: SecurityFlag | null
  /** Single words of a path. */
  readonly words: readonly string[]
  /** Whole paths, in lower case. */
  readonly paths: RegExp | null
  /** What a title must say. */
  readonly title: RegExp | null
  /** What a description must say: only what can hardly be meant otherwise. */
  readonly prose: RegExp | null
  /** Where one of these also stands in the path or the title, the topic is not meant. */
  readonly unless: RegExp | null
}

const words = (text: string): readonly string[] => text.split(' ')

/** Anything here makes a task critical. */
export const RISK_TOPICS: readonly RiskTopic[] = [
  {
    name: 'auth',
    flag: 'auth',
    words: words(
      'auth authn authz authentication authorization authorisation oauth oauth2 oidc login logout signin signup sso saml jwt rbac acl permissions password passwords',
    ),
    paths: null,
    title:
      /\b(o?auth|oauth2|authn|authz|oidc|authenticat\w*|authori[sz](e|es|ed|ing|ation)|log-?ins?|log-?outs?|(sign|log)[ -](in|out)|sign-?ups?|sso|saml|jwts?|rbac|acls?|passwords?|passkeys?|2fa|mfa|access control|user permissions?|role-based|(access|refresh|bearer|session|auth|csrf) tokens?|session (cookies?|hijacking|expiry|fixation))\b/,
    prose:
      /\b(authentication|authorization|oauth2?|oidc|saml|rbac|jwts?|password (hash\w*|reset)|passwords are|access control|(access|refresh|bearer) tokens?|login (endpoint|handler|route|flow))\b/,
    unless: /\bauth(or|ors|oring|ored)\b|\b(commit|co)-?author/,
  },
  {
    name: 'schema and migrations',
    flag: 'schema',
    words: ['migration', 'migrations', 'alembic', 'flyway', 'liquibase', 'knex'],
    paths:
      /(^|\/)(db\/migrate|prisma)\/|(^|\/)(schema|structure)\.(sql|prisma|rb|dbml)$|\.sql$|(^|\/)(db|database|storage|store|sqlite|postgres)\/(.*\/)?schema\.\w+$/,
    title:
      /\b(migrations?|(database|db|sql|data|table) schemas?|schema (changes?|migrations?|updates?)|(add|create|drop|alter|rename|new)\b[^.]{0,40}\b(database|db|sql|sqlite|postgres(ql)?) (tables?|columns?|index(es)?)|(add|create|drop|alter) (an? |the )?[\w ]{0,30}\btables? (to|in|for) (the )?[\w ]{0,20}\b(store|session ?store|db|database|storage|sqlite|postgres)|(drop|alter) (the )?[\w ]{0,30}(table|column)s?|(store|storage|persistence|repository) \(?(sqlite|postgres(ql)?|mysql)\b|(sqlite|postgres(ql)?|mysql) (store|storage|tables?|schema|persistence)|migrat(e|es|ing) (the |all |existing |old |user )*(data|database|db|tables?|rows|records|users?|schema|accounts?|columns?))\b/,
    prose:
      /\b((database|schema|data|sql) migrations?|migration (file|script|that)s?|alter table|create table|add(s|ing)? (a |the )?(new )?(database |db )?columns?\b(?= (to|on) the [\w ]{1,30}table)|drop table)\b/,
    unless: /\bmigration (guide|notes?|docs?)\b/,
  },
  {
    name: 'billing and costs',
    flag: 'billing',
    words: words(
      'billing payment payments invoice invoices invoicing stripe paypal refund refunds finops cost costs checkout',
    ),
    paths: null,
    title:
      /\b(billing|payments?|invoic(e|es|ing)|stripe|paypal|refunds?|finops|(cart|order|payment) checkout|checkout (flow|page|session|cart)|paid (plans?|subscriptions?)|subscription (billing|plans?|payments?)|(track|calculate|compute|report|limit|estimate|record|cap|count)\w* [\w ]{0,30}\bcosts?|costs? (tracking|calculation|report(ing|s)?|limits?|accounting|estimat\w+|budget\w*|per|dashboard)|spend(ing)? limits?)\b/,
    prose:
      /\b(stripe|paypal|payment (intent|provider|method|gateway)s?|invoices?|refunds?|charges? (the|a) (customer|card|user)s?|billing (account|cycle|address|period))\b/,
    unless: /\b(git|worktree|branch|vcs|stripes|striped|actions)\b|low[- ]cost/,
  },
  {
    name: 'secrets',
    flag: 'secrets',
    words: ['secret', 'secrets', 'credential', 'credentials', 'keychain', 'keystore', 'vault'],
    paths:
      /(^|\/)\.env(\.(?!example|sample|template|dist)[\w.-]+)?$|\.(pem|p12|pfx|jks)$|(^|\/)id_(rsa|ed25519)$|(^|\/)\.netrc$/,
    title:
      /\b(secrets?|credentials?|api[ -]?keys?|private keys?|encryption keys?|signing keys?|keychain|env(ironment)? secrets?|(hashicorp )?vault (integration|client|secrets?))\b/,
    prose:
      /\b(api[ -]keys? (are|is|must|from|in)|private keys?|stores? (the )?(secret|credential)s?|rotat\w+ (the )?(secret|credential|key)s?)\b/,
    unless: /\bsecret santa\b/,
  },
  {
    name: 'security',
    flag: null,
    words: ['security', 'crypto', 'cryptography', 'encryption', 'csrf', 'xss', 'cors'],
    paths: null,
    title:
      /\b(security|vulnerabilit(y|ies)|cve-\d+|xss|csrf|ssrf|cors|csp|(sql|command|shell|prompt|code) injections?|encrypt\w*|decrypt\w*|cryptograph\w*|saniti[sz](e|es|ing|ation)( of)?( the| user| untrusted)* (input|html|paths?|urls?|output|uploads?)|path traversal|prompt firewall|pii)\b/,
    prose:
      /\b(sql injection|command injection|cross-site|path traversal|remote code execution|encrypt(s|ed|ion)? (at rest|the (data|database|payload|secret)s?))\b/,
    unless: null,
  },
  {
    name: 'infrastructure',
    flag: null,
    words: [],
    paths:
      /(^|\/)(\.github\/workflows|\.circleci|\.buildkite|terraform|k8s|kubernetes|helm|ansible|pulumi|cloudformation|infra|infrastructure|deploy|deployment)\/|(^|\/)(dockerfile(\..+)?|.+\.dockerfile|(docker-)?compose[\w.-]*\.ya?ml|jenkinsfile|procfile|\.gitlab-ci\.yml|azure-pipelines\.ya?ml|fly\.toml|serverless\.ya?ml|nginx[\w.-]*\.conf|chart\.yaml|cloudbuild\.ya?ml)$|\.(tf|tfvars|service)$/,
    title:
      /\b(infra(structure)?|dockerfiles?|docker(ize|ise|-compose)?|docker compose|kubernetes|k8s|terraform|helm charts?|ansible|nginx|ci\/cd|(ci|deployment|release|build) pipelines?|ci (workflow|job|config\w*)|git ?hub actions|deploy(s|ment|ments)?|load balancer|systemd|cron ?jobs?)\b/,
    prose: /\b(terraform|kubernetes|helm chart|git ?hub actions workflow)\b/,
    unless: /\bdeploy(ed|ment)? (preview|badge)\b/,
  },
  {
    name: 'public API',
    flag: null,
    words: ['openapi', 'swagger'],
    paths: /\.proto$|(^|\/)include\/.+\.(h|hh|hpp|hxx)$|(^|\/)public[-_]?api\b|(^|\/)schema\.graphql$/,
    title:
      /\b(public (rest |http |json )?apis?|open ?api|breaking changes?|api (contract|versioning|v\d+)|deprecat\w+ (the )?[\w ]{0,20}api|sdk (interface|surface|api))\b/,
    prose: /\b(breaking change to the|public api (changes|of the))\b/,
    unless: /\bdependabot\b/,
  },
  {
    name: 'data integrity',
    flag: null,
    words: [],
    paths: null,
    title:
      /\b(data (integrity|loss|corruption|consistency|retention)|(database|db|sql) transactions?|transactional|foreign keys?|(database|db|data) (backups?|restores?)|referential integrity|idempoten\w+ (writes?|payments?))\b/,
    prose: /\b(data (loss|corruption)|referential integrity)\b/,
    unless: null,
  },
]

export interface LowTopic {
  readonly name: string
  readonly title: RegExp
}

/** A title that says one of these, with nothing risky about it, is a low task. */
export const LOW_TOPICS: readonly LowTopic[] = [
  {
    name: 'refactoring',
    title:
      /\b(refactor\w*|renam(e|es|ing)|tidy|clean[- ]?ups?|dead code|de-?dup(licate|lication)?|reformat\w*|code style)\b/,
  },
  {
    name: 'docs',
    title:
      /\b(docs?|documents?|documentation|readme|changelog|release notes?|docstrings?|guide|tutorial|agents\.md|claude\.md)\b/,
  },
  {
    name: 'copy',
    title: /\b(typos?|wording|ui copy|copy ?text|microcopy|labels?|tooltips?|translations?|spelling)\b/,
  },
  {
    name: 'config',
    title:
      /\b(eslint|prettier|lint(er|ing)? (config\w*|rules?|setup)|editorconfig|gitignore|tsconfig|configur(e|ation) (files?|docs?)|dev config)\b/,
  },
  {
    name: 'tests',
    title:
      /^(add |write |more |extend |update )?(the )?(unit |e2e |end-to-end |integration |smoke )?tests?\b|\btest (coverage|fixtures?|suite)\b|\bend-to-end [\w ]{0,20}test\b/,
  },
]

/** A title that only checks what others have made. */
export const VERIFICATION_TITLE =
  /\b(verif(y|ies|ication)|validat(e|ion) (from|everything|the whole|all)|quality gates?|smoke (tests?|checks?)|(full|whole|entire) (test )?suite|final (check|checks|review|verification|validation|testing|commit|gate)|regression (gate|check|tests?)|(run|re-?run) (all |the )?(tests?|checks?|suite)|sanity checks?|manual (testing|qa)|acceptance testing|adversarial review)\b/
