/** Settings as rows of key and value, each with where it comes from. Secrets are left out. */
import type { Settings } from './settings.ts'

export interface SettingRow {
  /** As in bosun.yaml, with dots: `watch.late`. */
  readonly key: string
  readonly value: string
  readonly from: 'default' | 'file' | 'detected' | 'environment'
}

interface Leaf {
  readonly path: readonly string[]
  readonly value: unknown
}

/** `written` holds what bosun.yaml says itself, `detected` the commands that are used where it says nothing. */
export function settingsRows(
  settings: Settings,
  written: unknown,
  detected: Readonly<Record<string, unknown>>,
): readonly SettingRow[] {
  const environment = { ...detected, ...settings.environment }
  return leavesOf({ ...settings, environment }).map(({ path, value }) => ({
    key: path.join('.'),
    value: shown(path, value),
    from: isWritten(written, path) ? 'file' : isDetected(detected, path) ? 'detected' : 'default',
  }))
}

function leavesOf(value: unknown, path: readonly string[] = []): readonly Leaf[] {
  if (!isObject(value) || path.at(-1) === 'env') return value === undefined ? [] : [{ path, value }]
  return Object.entries(value).flatMap(([key, one]) => leavesOf(one, [...path, key]))
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A section that is written as one value, such as a role, counts for all below it. */
function isWritten(written: unknown, [key, ...rest]: readonly string[]): boolean {
  if (key === undefined) return true
  if (!isObject(written)) return written !== undefined && written !== null
  return key in written && isWritten(written[key], rest)
}

const isDetected = (
  detected: Readonly<Record<string, unknown>>,
  [section, key]: readonly string[],
): boolean => section === 'environment' && key !== undefined && (detected[key] ?? null) !== null

function shown(path: readonly string[], value: unknown): string {
  if (value === null) return 'none'
  if (isObject(value)) return Object.keys(value).join(', ')
  if (Array.isArray(value))
    return value.length === 0 ? 'none' : value.map(String).join(isCommand(path) ? ' ' : ', ')
  if (typeof value === 'number' && isDuration(path)) return exactDuration(value)
  return withoutPassword(typeof value === 'string' ? value : JSON.stringify(value))
}

const isCommand = (path: readonly string[]): boolean =>
  /(^|_)command$/.test(path.at(-1) ?? '') || (path[0] === 'environment' && path[1] !== 'env_files')

/** As it is written in bosun.yaml. */
function exactDuration(ms: number): string {
  if (ms === 0) return '0s'
  const [unit, unitMs] = UNITS.find(([, size]) => ms % size === 0) ?? ['ms', 1]
  return `${ms / unitMs}${unit}`
}

const UNITS = [
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1000],
  ['ms', 1],
] as const

const NOT_DURATIONS: ReadonlySet<string> = new Set(['terminate_at'])

function isDuration([section, key = '']: readonly string[]): boolean {
  if (section === 'watch') return !NOT_DURATIONS.has(key)
  if (section === 'notify') return key === 'repeat'
  if (section === 'interview') return true
  return (section === 'proof' && key === 'mutation_time') || (section === 'brain' && key === 'timeout')
}

/** Of an address: a user and a password in it are a secret. */
const withoutPassword = (text: string): string => text.replace(/^([a-z][\w+.-]*:\/\/)[^/@\s]*@/i, '$1…@')
