/** What is known of each provider without loading its package. */
import type { Settings } from '../core/settings/settings.ts'

export type ModelProvider = Exclude<Settings['brain']['provider'], 'auto' | 'none' | 'agent'>

/** The base URLs, with the version in the path; null where the settings must name one. */
export const DEFAULT_URLS: Readonly<Record<ModelProvider, string | null>> = {
  anthropic: 'https://api.anthropic.com/v1',
  openai: 'https://api.openai.com/v1',
  google: 'https://generativelanguage.googleapis.com/v1beta',
  compatible: null,
}
