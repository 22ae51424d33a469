/**
 * Settings in the schema that no code reads yet. A value other than the default is refused, since a setting that is
 * accepted and ignored misleads its author.
 */
import type { Settings } from './settings.ts'

export interface UnsupportedSetting {
  readonly path: readonly string[]
  readonly remedy: string
}

const SECTIONS = ['store'] as const

/** Settings that differ from their default and have no effect. */
export function unsupportedSettings(settings: Settings, defaults: Settings): readonly UnsupportedSetting[] {
  return SECTIONS.flatMap((section) => {
    const [now, before] = [values(settings[section]), values(defaults[section])]
    const changed = Object.keys(now).filter((key) => now[key] !== before[key])
    return changed.map((key) => ({
      path: [section, key],
      remedy: `Remove it, or set it to its default, ${asWritten(before[key])}.`,
    }))
  })
}

/** Numbers are durations in milliseconds. */
const asWritten = (value: unknown): string => (typeof value === 'number' ? `${value / 1000}s` : String(value))

const values = (section: object): Readonly<Record<string, unknown>> => ({ ...section })
