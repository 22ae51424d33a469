/**
 * Settings that bosun.yaml may name and that no part of Bosun reads yet. A value other than the default is refused: a
 * setting that is accepted and ignored misleads its author. A line here goes away with the part that reads the setting.
 */
import type { Settings } from './settings.ts'

export interface UnsupportedSetting {
  readonly path: readonly string[]
  readonly remedy: string
}

const SECTIONS = ['models', 'brain', 'permissions', 'store'] as const
const ROLES = ['architect', 'designer', 'tester'] as const

/** Every setting that differs from its default without any effect. */
export function unsupportedSettings(settings: Settings, defaults: Settings): readonly UnsupportedSetting[] {
  const agents = Object.entries(settings.agents).flatMap(([name, { protocol }]) =>
    protocol === 'command'
      ? []
      : [
          {
            path: ['agents', name, 'protocol'],
            remedy: `Write protocol: command, and as agents.${name}.command a program that reads its brief on stdin.`,
          },
        ],
  )
  const roles = ROLES.filter((role) => settings.roles[role] !== undefined).map((role) => ({
    path: ['roles', role],
    remedy: 'Remove it: the roles that do work are developer, fixer and reviewer.',
  }))
  const sections = SECTIONS.flatMap((section) => {
    const [now, before] = [values(settings[section]), values(defaults[section])]
    const changed = Object.keys(now).filter((key) => now[key] !== before[key])
    return changed.map((key) => ({
      path: [section, key],
      remedy: `Remove it, or leave it at its default, ${asWritten(before[key])}.`,
    }))
  })
  return [...agents, ...roles, ...sections]
}

/** A number is a duration in milliseconds: written, it has its unit. */
const asWritten = (value: unknown): string => (typeof value === 'number' ? `${value / 1000}s` : String(value))

const values = (section: object): Readonly<Record<string, unknown>> => ({ ...section })
