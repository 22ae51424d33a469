/**
 * Text from outside, made safe to print. Plans, files, agents and models may contain escape sequences that
 * move the cursor, set the clipboard or the window's title, or make text read differently from what it is.
 * Every such sequence and every control character goes; line feeds and tabs stay; characters that hide in text are
 * shown by their number. Linear in the length.
 */
import { hasHidden, HIDDEN_HALVES, showHidden } from './hidden-characters.ts'

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
