import type { Ending } from './worker-end.ts'

/** A worker's last output goes into the log when it fails, and agents print the key that was refused. */
const SECRET_NAME = /KEY|TOKEN|SECRET|PASSW|CREDENTIAL|AUTH/
const SHORTEST = 8

/** The text with the values of secret variables replaced by their names. */
export function hideSecrets(text: string, env: Readonly<Record<string, string>>): string {
  return Object.entries(env)
    .filter(([name, value]) => SECRET_NAME.test(name) && value.length >= SHORTEST && !value.startsWith('/'))
    .sort(([, one], [, other]) => other.length - one.length)
    .reduce((hidden, [name, value]) => hidden.replaceAll(value, `[${name}]`), text)
}

/** The end with the same done to its reason. */
export function withoutSecrets(ending: Ending, env: Readonly<Record<string, string>>): Ending {
  if (ending.kind === 'not_opened') return { ...ending, why: hideSecrets(ending.why, env) }
  if (ending.kind !== 'turn' || !('why' in ending.outcome)) return ending
  return { kind: 'turn', outcome: { ...ending.outcome, why: hideSecrets(ending.outcome.why, env) } }
}

/** A line of the transcript: agents may print the environment that they have. */
export function withoutToken(
  line: string,
  { BOSUN_TOKEN: token = '' }: Readonly<Record<string, string>>,
): string {
  return token === '' ? line : line.replaceAll(token, '[BOSUN_TOKEN]')
}
