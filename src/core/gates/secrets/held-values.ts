/** Secret values that Bosun holds; they are searched exactly, without a pattern. */
import { workerId } from '../../planning/ids.ts'
import { isCommon, looksRandom } from './patterns.ts'

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
  const variables = Object.entries(env).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  )
  const { plan } = place
  const ofUser = secretsIn(variables, 'the environment', 'by name')
  return ({ task, attempt }) => {
    const workers = Array.from({ length: attempt }, (_, at) => workerId(plan.id, task, at + 1))
    const tokens = workers.map((worker) => ({ kind: `the token of ${worker}`, value: place.tokenOf(worker) }))
    return worthHolding([{ kind: 'the token of the user', value: place.userToken }, ...tokens, ...ofUser])
  }
}
