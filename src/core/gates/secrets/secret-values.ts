/** What counts as a secret: values that Bosun holds, and patterns of keys and tokens by provider. */
import type { NamedSecret } from '../../../lib/text/redactor.ts'
import { workerId } from '../../planning/ids.ts'

/** Secret values that Bosun holds; they are searched exactly, without a pattern. */
export interface HeldSecret {
  /** Its name, never its value: `TOKEN in .env`. */
  readonly kind: string
  readonly value: string
}

const SECRET_NAME =
  /SECRET|TOKEN|PASSW|PASSPHRASE|PWD|CREDENTIAL|API_?KEY|PRIVATE|AUTH|ACCESS_?KEY|_KEY$|^KEY$|DSN|COOKIE|SALT|SIGNING/i
/** Names that look like a secret but are not. */
const PLAIN_NAME =
  /^(?:SSH_AUTH_SOCK|XAUTHORITY|.*_(?:PATH|FILE|DIR|URL_PREFIX|SOCK|ENABLED|TYPE|LENGTH|TTL|EXPIRES?|ISSUER|AUDIENCE|ID))$|^PWD$|^OLDPWD$/i
const SHORTEST = 8
const USER_TOKEN = 'the token of the user'

/** Variables with a secret name, or with a password in an address. */
export function secretsIn(
  variables: Iterable<readonly [name: string, value: string]>,
  where: string,
  isChance: 'by name' | 'by name or chance',
): readonly HeldSecret[] {
  const held: HeldSecret[] = []
  for (const [name, value] of variables) {
    const kind = `${name} in ${where}`
    const password = /^[a-z][a-z0-9+.-]*:\/\/[^:@/\s]*:([^@/\s]+)@/i.exec(value)?.[1]
    if (password !== undefined) held.push({ kind: `password of ${kind}`, value: password })
    const isNamed = SECRET_NAME.test(name) && !PLAIN_NAME.test(name)
    const isRandom = isChance === 'by name or chance' && looksRandom(value)
    if ((isNamed || isRandom) && !/^[/~.][\w./-]*$/.test(value)) held.push({ kind, value })
  }
  return worthHolding(held)
}

/** Drops short and common values, which would match everywhere. */
export function worthHolding(held: readonly HeldSecret[]): readonly HeldSecret[] {
  const known = new Set<string>()
  return held.flatMap(({ kind, value }) => {
    const plain = value.trim()
    if (plain.length < SHORTEST || known.has(plain)) return []
    if (/^\d+$/.test(plain) || /^(?:true|false|https?:\/\/[^@]*)$/i.test(plain) || isCommon(plain)) return []
    known.add(plain)
    return [{ kind, value: plain }]
  })
}

/** Reads `NAME=value` lines of env files. */
export function variablesIn(text: string): readonly (readonly [string, string])[] {
  return text.split('\n').flatMap((line) => {
    const found = /^\s*(?:export\s+)?([A-Za-z_][\w.]*)\s*=\s*(.*)$/.exec(line.replace(/\r$/, ''))
    if (found === null) return []
    const raw = (found[2] ?? '').trim()
    const quoted = /^(["'])(.*)\1/.exec(raw)?.[2]
    return [[found[1] ?? '', quoted ?? raw.replace(/\s+#.*$/, '')] as const]
  })
}

/** Values that must never appear in a tree: the user's token, those of the task's workers, the user's variables. */
export function knownSecrets(
  place: {
    readonly plan: { readonly id: string }
    readonly tokenOf: (worker: string) => string
    readonly userToken: string
  },
  env: Readonly<Record<string, string | undefined>>,
): (draft: { readonly task: string; readonly attempt: number }) => readonly HeldSecret[] {
  const { plan } = place
  const ofUser = secretsIn(entriesOf(env), 'the environment', 'by name')
  return ({ task, attempt }) => {
    const workers = Array.from({ length: attempt }, (_, at) => workerId(plan.id, task, at + 1))
    const tokens = workers.map((worker) => ({ kind: `the token of ${worker}`, value: place.tokenOf(worker) }))
    return worthHolding([{ kind: USER_TOKEN, value: place.userToken }, ...tokens, ...ofUser])
  }
}

/** Names of variables that an agent is given and that hold no secret. */
const PLAIN_GIVEN =
  /^(?:PATH|HOME|LANG|TERM)$|(?:^|_)(?:MODEL|REGION|ZONE|LOCATION|PROFILE|HOST|ENDPOINT|BASE_URL|PROJECT|PROVIDER|VERSION|MODE|LEVEL|EFFORT)(?:_\d+)?$/i

/** What is hidden in texts beside the variables of agents. */
export function heldSecrets(sources: {
  readonly userToken?: string
  /** Of the daemon. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** Of env files. */
  readonly held?: readonly HeldSecret[]
}): readonly NamedSecret[] {
  const { userToken = '', env = {}, held = [] } = sources
  return [...named([{ kind: USER_TOKEN, value: userToken }]), ...secretsByName(env), ...named(held)]
}

/**
 * Of variables that agents and the brain are given, all but the plain ones (paths, addresses, numbers, names of models), since a
 * user who names a variable may name it anyhow.
 */
export function secretsGiven(given: Readonly<Record<string, string | undefined>>): readonly NamedSecret[] {
  const variables = entriesOf(given)
  const isPlain = (name: string, value: string): boolean =>
    PLAIN_NAME.test(name) || PLAIN_GIVEN.test(name) || /^[/~.][\w./-]*$/.test(value)
  const whole = variables.flatMap(([kind, value]) => (isPlain(kind, value) ? [] : [{ kind, value }]))
  return named([...whole, ...secretsIn(variables, '', 'by name or chance')])
}

/** They are shown by their variable, whatever it was in. */
const named = (held: readonly HeldSecret[]): readonly NamedSecret[] =>
  worthHolding(held).map(({ kind, value }) => ({ name: kind.replace(/ in .*$/, ''), value }))

/** Those with a secret name in an environment. */
export const secretsByName = (env: Readonly<Record<string, string | undefined>>): readonly NamedSecret[] =>
  named(secretsIn(entriesOf(env), '', 'by name'))

const entriesOf = (variables: Readonly<Record<string, string | undefined>>) =>
  Object.entries(variables).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]))

/** Patterns of keys and tokens, by provider. */

export interface SecretPattern {
  readonly kind: string
  readonly pattern: RegExp
  /** The group that is the secret; the whole match if absent. */
  readonly group?: number
  /** It may be something else, so it is only a note for review. */
  readonly isDoubtful?: boolean
}

export const PATTERNS: readonly SecretPattern[] = [
  {
    kind: 'AWS access key id',
    pattern: /(?<![A-Z0-9])(?:AKIA|ASIA|AGPA|AIDA|AROA|ANPA)[A-Z2-7]{16}(?![A-Z0-9])/g,
  },
  {
    kind: 'AWS secret access key',
    pattern:
      /aws[\w.-]{0,30}(?:secret|key)[\w.-]{0,30}["']?\s{0,4}[:=]\s{0,4}["']?([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])/gi,
    group: 1,
  },
  {
    kind: 'GitHub token',
    pattern: /(?<![A-Za-z0-9])(?:gh[pousr]_[A-Za-z0-9]{36,255}|github_pat_[A-Za-z0-9_]{50,255})/g,
  },
  {
    kind: 'GitLab token',
    pattern: /(?<![A-Za-z0-9])gl(?:pat|dt|rt|cbt|ptt|ft|imt|agent|soat|oas)-[\w-]{20,255}/g,
  },
  {
    kind: 'Slack token',
    pattern: /(?<![A-Za-z0-9])(?:xox[abposre]-[A-Za-z0-9-]{16,255}|xapp-\d-[A-Za-z0-9-]{16,255})/g,
  },
  {
    kind: 'Slack webhook',
    pattern: /hooks\.slack\.com\/services\/T[A-Z0-9]{6,}\/B[A-Z0-9]{6,}\/[A-Za-z0-9]{16,}/g,
  },
  {
    kind: 'Stripe key',
    pattern: /(?<![A-Za-z0-9])(?:[sr]k_(?:live|test)_[A-Za-z0-9]{16,255}|whsec_[A-Za-z0-9]{24,255})/g,
  },
  {
    kind: 'Google key',
    pattern: /(?<![A-Za-z0-9])(?:AIza[\w-]{35}|GOCSPX-[\w-]{20,60}|ya29\.[\w-]{20,512})(?![\w-])/g,
  },
  { kind: 'Anthropic key', pattern: /(?<![A-Za-z0-9])sk-ant-[\w-]{24,255}/g },
  { kind: 'OpenAI key', pattern: /(?<![A-Za-z0-9-])sk-(?!ant-)(?:[a-z]{3,10}-)?[A-Za-z0-9_-]{32,255}/g },
  { kind: 'npm token', pattern: /(?<![A-Za-z0-9])npm_[A-Za-z0-9]{36}(?![A-Za-z0-9])/g },
  { kind: 'PyPI token', pattern: /(?<![A-Za-z0-9])pypi-[\w-]{80,512}/g },
  { kind: 'Hugging Face token', pattern: /(?<![A-Za-z0-9])hf_[A-Za-z0-9]{34,40}(?![A-Za-z0-9])/g },
  { kind: 'Docker token', pattern: /(?<![A-Za-z0-9])dckr_pat_[\w-]{24,64}/g },
  { kind: 'SendGrid key', pattern: /(?<![A-Za-z0-9])SG\.[\w-]{22}\.[\w-]{43}(?![\w-])/g },
  { kind: 'DigitalOcean token', pattern: /(?<![A-Za-z0-9])do[opr]_v1_[a-f0-9]{64}/g },
  { kind: 'Azure storage key', pattern: /AccountKey=([A-Za-z0-9+/]{86}==)/g, group: 1 },
  {
    kind: 'private key',
    pattern:
      /-----BEGIN (?:[A-Z0-9]+ ){0,4}PRIVATE KEY(?: BLOCK)?-----(?:\s|\\n|\\r|["'+,])*(?:[\w-]+: [^\n]{0,100}\n\s*)*([A-Za-z0-9+/=]{40,})/g,
    group: 1,
  },
  { kind: 'JSON web token', pattern: /(?<![\w-])eyJ[\w-]{10,4096}\.eyJ[\w-]{10,8192}\.[\w-]{16,2048}/g },
  {
    kind: 'password in an address',
    pattern:
      /(?<![\w+.-])[a-z][a-z0-9+.-]{1,20}:\/\/[^\s:@/'"`<>]{1,80}:([^\s@/'"`<>]{3,120})@[^\s'"`<>/]{1,120}/gi,
    group: 1,
  },
  {
    kind: 'possible secret',
    pattern:
      /(?:secret|token|api[_-]?key|passw(?:or)?d|pwd|credential|private[_-]?key|auth)[\w.-]{0,30}["']?\s{0,4}[:=]{1,2}\s{0,4}["'`]([^"'`\s]{16,256})["'`]/gi,
    group: 1,
    isDoubtful: true,
  },
]

/** Placeholder passwords. */
const COMMON =
  /^(?:pass(?:word|wd)?|postgres|mysql|mongo|redis|root|admin|user(?:name)?|test(?:ing)?|guest|secret|changeme|change-me|example|dummy|fake|foo|bar|pwd|token|key|dev(?:elopment)?|local|none|null|undefined|string|your\w*)\d{0,4}$/i
/** Example keys of the AWS documentation and jwt.io. */
const SHOWN =
  /EXAMPLE|eyJzdWIiOiIxMjM0NTY3ODkwIiw|example(?:key|token|secret)|placeholder|dummy|redacted|xxxx/i

/** Placeholders: a variable, a gap, a word such as "example". */
export function isPlaceholder(text: string): boolean {
  if (/[<>{}]|\$\(|\$[A-Za-z_]|%[sdv]|\.\.\.|…|\*{3}/.test(text)) return true
  return SHOWN.test(text) || isCommon(text)
}

/** A common word, or too few different characters for a random key. */
export function isCommon(text: string): boolean {
  if (COMMON.test(text)) return true
  const plain = text.replace(/^[a-zA-Z]{2,12}[-_](?:[a-z]+[-_])?/, '')
  return new Set(plain).size < Math.min(6, plain.length)
}

/** Shannon entropy in bits per character. */
export function entropyOf(text: string): number {
  const counts = new Map<string, number>()
  for (const char of text) counts.set(char, (counts.get(char) ?? 0) + 1)
  let bits = 0
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length)
  return bits
}

/** Random letters and digits without a word in them. */
export function looksRandom(text: string): boolean {
  if (text.length < 16 || !/\d/.test(text) || !/[A-Za-z]/.test(text)) return false
  return entropyOf(text) >= 3.5 && !/^[a-z]+(?:[-_./][a-z0-9]+)+$/.test(text)
}
