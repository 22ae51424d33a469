/** What `notify:` in bosun.yaml says, with what the environment adds. */
import type { Settings } from './settings.ts'

export type NotifySettings = Settings['notify']

/** The variable with the webhook's secret, where bosun.yaml has none; and the one that turns all notices off. */
export const SECRET_VARIABLE = 'BOSUN_WEBHOOK_SECRET'
const SWITCH_VARIABLE = 'BOSUN_NOTIFY'

type Env = Readonly<Record<string, string | undefined>>

export const areNoticesOff = (env: Env): boolean => env[SWITCH_VARIABLE] === 'off'

export interface Webhook {
  readonly url: string
  /** Null: requests are not signed. */
  readonly secret: string | null
}

export function webhookOf({ webhook }: NotifySettings, env: Env): Webhook | null {
  if (webhook === null) return null
  const { url, secret } = typeof webhook === 'string' ? { url: webhook, secret: undefined } : webhook
  const fromEnvironment = env[SECRET_VARIABLE] ?? ''
  return { url, secret: secret ?? (fromEnvironment === '' ? null : fromEnvironment) }
}
