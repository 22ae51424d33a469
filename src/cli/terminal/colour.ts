/** Decides whether to colour; the user's settings win over the terminal's abilities. */
export function colourWanted(asked: {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly noColourFlag: boolean
  readonly isTerminal: boolean
}): boolean {
  const { env } = asked
  if (asked.noColourFlag || isSet(env['NO_COLOR'])) return false
  if (env['FORCE_COLOR'] === '0' || env['FORCE_COLOR'] === 'false') return false
  if (isSet(env['FORCE_COLOR'])) return true
  return asked.isTerminal && env['TERM'] !== 'dumb'
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== ''
}
