/** The flags that every command takes, at any position. */
export interface GlobalFlags {
  readonly json: boolean
  readonly noInput: boolean
  readonly noColour: boolean
}

export const GLOBAL_OPTIONS = [
  { syntax: '--json', help: 'print one JSON document instead of text' },
  { syntax: '--no-input', help: 'never ask; fail and name the missing option instead' },
  { syntax: '--no-color', help: 'print without colours (NO_COLOR does the same)' },
] as const

/**
 * Takes the global flags out of the arguments, so that they are known even if the rest is invalid. Arguments after
 * `--` are left alone.
 */
export function takeGlobalFlags(argv: readonly string[]): { flags: GlobalFlags; rest: readonly string[] } {
  const end = argv.indexOf('--')
  const before = end === -1 ? argv : argv.slice(0, end)
  const after = end === -1 ? [] : argv.slice(end)
  const names: readonly string[] = GLOBAL_OPTIONS.map((option) => option.syntax)
  return {
    flags: {
      json: before.includes('--json'),
      noInput: before.includes('--no-input'),
      noColour: before.includes('--no-color'),
    },
    rest: [...before.filter((word) => !names.includes(word)), ...after],
  }
}
