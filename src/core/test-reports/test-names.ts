/** What a test is called, without what changes from run to run. */

const UUID = /[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/gi
/** A number, an address, a random value: any word with a digit in it. */
const VALUE = /\w*\d\w*/g
const DURATION = / ?\(?\d[\d.]* ?(?:ms|s|m)\)?$/

/** The same for names that differ in numbers, addresses and durations only. */
export function neutralName(name: string): string {
  const plain = name.replace(DURATION, '').replace(UUID, '#').replace(VALUE, '#')
  return plain.replace(/[-+]?#(?:[.,:_+-]+#)*/g, '#')
}

/** Without the suites around it. */
export const leafOf = (name: string): string => name.split(' > ').at(-1) ?? ''

/** Without the values that a runner puts behind it: `test_adds[1-2]`. */
export const withoutParameters = (name: string): string => name.replace(PARAMETERS, '')

/** Those values; null without any. */
export const parametersOf = (name: string): string | null => PARAMETERS.exec(name)?.[1] ?? null
const PARAMETERS = /(?<=(?:^| > )[^\s[]*\w)\[(.*)\]$/s

/** The name as a source has it: without suites, values, and the folders and modules of a name without spaces. */
export function titleOf(name: string): string {
  const own = withoutParameters(leafOf(name)).trim()
  return /\s/.test(own) ? own : (own.split(/::|[/#.]/).at(-1) ?? own)
}
