/**
 * Text from outside, made safe to print. Plans, files, agents and models may contain escape sequences that
 * move the cursor, set the clipboard or the window's title, or make text read differently from what it is.
 * Every such sequence and every control character goes; line feeds and tabs stay; characters that hide in text are
 * shown by their number. Linear in the length.
 */

/** Removes escape sequences and control characters. A carriage return alone becomes a line feed. */
export function terminalText(text: string): string {
  return showHidden(UNSAFE.test(text) ? scrub(text, 'none') : text)
}

/** The same on one line: line feeds and tabs become spaces. */
export function terminalLine(text: string): string {
  return IN_LINES.test(text) || hasHidden(text) ? terminalText(text).replace(/[\n\t]/g, ' ') : text
}

/** For text that Bosun has coloured itself: everything goes but plain colour sequences (`ESC [ digits m`). */
export function terminalTextWithColours(text: string): string {
  return showHidden(UNSAFE.test(text) ? scrub(text, 'colours') : text)
}

/** JSON that is safe to print: the characters JSON.stringify leaves raw although terminals obey them are escaped. */
export function terminalJson(value: unknown, shape: 'indented' | 'one line' = 'indented'): string {
  const json = JSON.stringify(value, null, shape === 'indented' ? 2 : 0)
  return json.replace(RAW_IN_JSON, (found) => found.split('').map(escaped).join(''))
}

/** One half of UTF-16 as JSON writes it. */
const escaped = (half: string): string => `\\u${half.charCodeAt(0).toString(16).padStart(4, '0')}`

/** Whether JSON holds nothing but what may be shown as it is: no escapes, and nothing that terminals obey. */
export const isPlainJson = (json: string): boolean => !NOT_PLAIN_IN_JSON.test(json)

// Characters that a reader does not see although they are there: zero-width spaces and joiners, tags, variation
// selectors, fillers. Text can hide words in them from a person that a program still reads. They stay where writing
// needs them (emoji sequences, scripts with joiners); everywhere else they are shown by their number.

/** What Unicode lets a renderer ignore, besides the marks of direction. */
const BASIC =
  '[\\u00ad\\u034f\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b-\\u200d\\u2060-\\u2065\\u206a-\\u206f\\u3164\\ufe00-\\ufe0f\\ufeff\\uffa0\\ufff0-\\ufff8]'

/** All of them as halves of UTF-16, for an expression without the `u` flag. */
const HIDDEN_HALVES = `${BASIC}|\\ud82f[\\udca0-\\udca3]|\\ud834[\\udd73-\\udd7a]|[\\udb40-\\udb43][\\udc00-\\udfff]`

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

const hasHidden = (text: string): boolean => SOME.test(text)

/** The text with every run of hidden characters replaced by words. A byte order mark at its start is dropped. */
function showHidden(text: string): string {
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

// Controls except line feed and tab; DEL and C1; marks that reorder or hide text; lone interlinear marks.
const UNSAFE =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufff9-\ufffb]/
const IN_LINES = new RegExp(`${UNSAFE.source}|[\\n\\t]`)
const RAW_IN_JSON = new RegExp(
  `[\\u007f-\\u009f\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069\\ufff9-\\ufffb]|${HIDDEN_HALVES}`,
  'g',
)
const NOT_PLAIN_IN_JSON = new RegExp(`${RAW_IN_JSON.source}|\\\\`)

const COLOUR = /\u001b\[[\d;]{0,14}m/
/** Parameters and intermediates, then one final character. */
const CONTROL_SEQUENCE = /(?:\u001b\[|\u009b)[\u0020-\u003f]*[\u0040-\u007e]?/
/** DCS, SOS, OSC, PM or APC up to its terminator; without one it takes the rest of its line only, so that no text is lost. */
const CONTROL_STRING =
  /(?:\u001b[PX\]^_]|[\u0090\u0098\u009d-\u009f])[^\u0007\n\u0018\u001a\u001b\u009c]*(?:[\u0007\u0018\u001a\u009c]|\u001b\\)?/
const ESCAPE = /\u001b[\u0020-\u002f]*[\u0030-\u007e]?/
/** A carriage return would let a line overwrite itself, and the Unicode line ends are line ends. */
const LINE_END = /\r(?!\n)|[\u2028\u2029]/
const OBEYED = new RegExp(
  [
    `(${COLOUR.source})`,
    `(${LINE_END.source})`,
    ...[CONTROL_SEQUENCE, CONTROL_STRING, ESCAPE, UNSAFE].map(({ source }) => source),
  ].join('|'),
  'g',
)

function scrub(text: string, kept: 'colours' | 'none'): string {
  return text.replace(OBEYED, (_all, colour: string | undefined, lineEnd: string | undefined) => {
    if (lineEnd !== undefined) return '\n'
    return kept === 'colours' ? (colour ?? '') : ''
  })
}

// How wide text is in a terminal, and text cut to a width. Expects text without control characters.

const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u
const NOTHING = /[\p{Mark}\u200b-\u200d\u{e0000}-\u{e007f}]/u
const PLAIN = /^[\u0020-\u007e]*$/

export function textWidth(text: string): number {
  if (PLAIN.test(text)) return text.length
  let width = 0
  for (const char of text) width += charWidth(char)
  return width
}

/** The text where it fits, else its beginning and an ellipsis, never wider than `width`. */
export function cutText(text: string, width: number): string {
  if (textWidth(text) <= width) return text
  if (width <= 0) return ''
  let kept = ''
  let used = 0
  for (const char of text) {
    used += charWidth(char)
    if (used > width - 1) break
    kept += char
  }
  return `${kept.trimEnd()}…`
}

/** The end of a path tells more than its beginning: `…/plans/shop.md`. */
export function cutPath(path: string, width: number): string {
  if (textWidth(path) <= width) return path
  let kept = ''
  let used = 1
  for (const char of Array.from(path).reverse()) {
    used += charWidth(char)
    if (used > width) break
    kept = char + kept
  }
  return width <= 0 ? '' : `…${kept}`
}

/** Cut or filled with spaces to exactly `width`. */
export function fitText(text: string, width: number): string {
  const cut = cutText(text, width)
  return cut + ' '.repeat(Math.max(0, width - textWidth(cut)))
}

/** Lines no wider than `width`, broken between words where there are any. */
export function wrapText(text: string, width: number): readonly string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(/\s+/).filter((part) => part !== '')) {
    const longer = line === '' ? word : `${line} ${word}`
    if (line !== '' && textWidth(longer) > width) {
      lines.push(line)
      line = cutText(word, width)
    } else {
      line = cutText(longer, Math.max(width, 1))
    }
  }
  return line === '' ? lines : [...lines, line]
}

function charWidth(char: string): number {
  if (NOTHING.test(char)) return 0
  return WIDE.test(char) ? 2 : 1
}
