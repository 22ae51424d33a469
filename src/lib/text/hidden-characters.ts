/**
 * Characters that a reader does not see although they are there: zero-width spaces and joiners, tags, variation
 * selectors, fillers. Text can hide words in them from a person that a program still reads. They stay where writing
 * needs them (emoji sequences, scripts with joiners); everywhere else they are shown by their number.
 */

/** What Unicode lets a renderer ignore, besides the marks of direction. */
const BASIC =
  '[\\u00ad\\u034f\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b-\\u200d\\u2060-\\u2065\\u206a-\\u206f\\u3164\\ufe00-\\ufe0f\\ufeff\\uffa0\\ufff0-\\ufff8]'

/** All of them as halves of UTF-16, for an expression without the `u` flag. */
export const HIDDEN_HALVES = `${BASIC}|\\ud82f[\\udca0-\\udca3]|\\ud834[\\udd73-\\udd7a]|[\\udb40-\\udb43][\\udc00-\\udfff]`

/** All of them as whole characters, for an expression with it. */
const HIDDEN_WHOLE = `${BASIC}|[\\u{1bca0}-\\u{1bca3}\\u{1d173}-\\u{1d17a}\\u{e0000}-\\u{e0fff}]`

const JOINING_SCRIPTS =
  'Arabic Syriac Mongolian Devanagari Bengali Gurmukhi Gujarati Oriya Tamil Telugu Kannada Malayalam Sinhala Myanmar Khmer'
const JOINING = `[${JOINING_SCRIPTS.split(' ')
  .map((name) => `\\p{Script=${name}}`)
  .join('')}]`
const EMOJI = '\\p{Extended_Pictographic}(?:\\p{Emoji_Modifier}|\\ufe0f)?'

/** Sequences in which they are part of what is seen. */
const NEEDED = [
  // The flags of England, Scotland and Wales, the only emoji with tags.
  ...['gbeng', 'gbsct', 'gbwls'].map((name) => `\\u{1f3f4}${tags(name)}\\u{e007f}`),
  `${EMOJI}(?:\\u200d${EMOJI})+`,
  '\\p{Extended_Pictographic}[\\ufe0e\\ufe0f]',
  '[0-9#*]\\ufe0f\\u20e3',
  // One variant of an ideograph, and of a Mongolian letter.
  '\\p{Script=Han}[\\u{e0100}-\\u{e01ef}\\ufe00-\\ufe02]',
  '\\p{Script=Mongolian}[\\u180b-\\u180d\\u180f]',
  `${JOINING}\\p{M}{0,4}[\\u200c\\u200d](?=${JOINING})`,
].join('|')

const SOME = new RegExp(HIDDEN_HALVES)
const RUNS = new RegExp(`(?:${NEEDED})|((?:${HIDDEN_WHOLE})+)`, 'gu')

export const hasHidden = (text: string): boolean => SOME.test(text)

/** The text with every run of hidden characters replaced by words. A byte order mark at its start is dropped. */
export function showHidden(text: string): string {
  if (!hasHidden(text)) return text
  const rest = text.startsWith('\ufeff') ? text.slice(1) : text
  return rest.replace(RUNS, (all: string, hidden: string | undefined) =>
    hidden === undefined ? all : shown(hidden),
  )
}

function shown(hidden: string): string {
  const number = hidden.codePointAt(0) ?? 0
  const first = `U+${number.toString(16).toUpperCase().padStart(4, '0')}`
  const more = Array.from(hidden).length - 1
  return more === 0 ? `<${first}>` : `<${first} and ${more} more hidden>`
}

function tags(name: string): string {
  return name
    .split('')
    .map((letter) => `\\u{e00${letter.charCodeAt(0).toString(16)}}`)
    .join('')
}
