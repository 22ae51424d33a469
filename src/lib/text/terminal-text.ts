/**
 * Text from outside, made safe to print. Plans, files, agents and models may contain escape sequences that
 * move the cursor, set the clipboard or the window's title, or make text read differently from what it is.
 * Every such sequence and every control character goes; line feeds and tabs stay; characters that hide in text are
 * shown by their number. Linear in the length.
 */
import { hasHidden, HIDDEN_HALVES, showHidden } from './hidden-characters.ts'

const ESC = 0x1b
const BEL = 0x07
const CAN = 0x18
const SUB = 0x1a
const ST_8BIT = 0x9c

const NO_COLOUR = -1

/** Removes escape sequences and control characters. A carriage return alone becomes a line feed. */
export function terminalText(text: string): string {
  return showHidden(UNSAFE.test(text) ? scrub(text, { colours: false }) : text)
}

/** The same on one line: line feeds and tabs become spaces. */
export function terminalLine(text: string): string {
  return IN_LINES.test(text) || hasHidden(text) ? terminalText(text).replace(/[\n\t]/g, ' ') : text
}

/** For text that Bosun has coloured itself: everything goes but plain colour sequences (`ESC [ digits m`). */
export function terminalTextWithColours(text: string): string {
  return showHidden(UNSAFE.test(text) ? scrub(text, { colours: true }) : text)
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

function scrub(text: string, keep: { readonly colours: boolean }): string {
  let out = ''
  let safeFrom = 0
  let at = 0
  while (at < text.length) {
    if (!UNSAFE.test(text.charAt(at))) {
      at++
      continue
    }
    out += text.slice(safeFrom, at)
    const colourEnd = keep.colours ? endOfColour(text, at) : NO_COLOUR
    if (colourEnd !== NO_COLOUR) {
      out += text.slice(at, colourEnd)
      at = colourEnd
    } else {
      out += replacement(text, at)
      at = endOfUnsafe(text, at)
    }
    safeFrom = at
  }
  return out + text.slice(safeFrom)
}

/** A carriage return would let a line overwrite itself, and the Unicode line ends are line ends. */
function replacement(text: string, at: number): string {
  const code = text.charCodeAt(at)
  if (code === 0x2028 || code === 0x2029) return '\n'
  return code === 0x0d && text.charCodeAt(at + 1) !== 0x0a ? '\n' : ''
}

/** Where the colour sequence at `at` ends, or NO_COLOUR when there is none. */
function endOfColour(text: string, at: number): number {
  if (text.charCodeAt(at) !== ESC || text.charAt(at + 1) !== '[') return NO_COLOUR
  let end = at + 2
  while (end < at + 16 && /[\d;]/.test(text.charAt(end))) end++
  return text.charAt(end) === 'm' ? end + 1 : NO_COLOUR
}

/** The index after the control character or the whole sequence that starts at `at`. */
function endOfUnsafe(text: string, at: number): number {
  const code = text.charCodeAt(at)
  if (code === ESC) return endOfEscape(text, at + 1)
  if (code === 0x9b) return endOfCsi(text, at + 1)
  if (isStringIntroducer(code - 0x40)) return endOfString(text, at + 1)
  return at + 1
}

/** After ESC: CSI, a string (OSC, DCS, SOS, PM, APC), or intermediates and one final character. */
function endOfEscape(text: string, from: number): number {
  const code = text.charCodeAt(from)
  if (code === 0x5b) return endOfCsi(text, from + 1)
  if (isStringIntroducer(code)) return endOfString(text, from + 1)
  let at = from
  while (inRange(text.charCodeAt(at), 0x20, 0x2f)) at++
  return inRange(text.charCodeAt(at), 0x30, 0x7e) ? at + 1 : at
}

/** DCS P, SOS X, OSC ], PM ^, APC _ ; their 8-bit forms are 0x40 higher. */
function isStringIntroducer(code: number): boolean {
  return code === 0x50 || code === 0x58 || inRange(code, 0x5d, 0x5f)
}

/** Parameters and intermediates, then one final character; anything else ends the sequence unread. */
function endOfCsi(text: string, from: number): number {
  let at = from
  while (inRange(text.charCodeAt(at), 0x20, 0x3f)) at++
  return inRange(text.charCodeAt(at), 0x40, 0x7e) ? at + 1 : at
}

/** Up to its terminator; an unterminated string swallows the rest of its line only, so that no text is lost. */
function endOfString(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === BEL || code === ST_8BIT || code === CAN || code === SUB) return at + 1
    if (code === ESC) return text.charAt(at + 1) === '\\' ? at + 2 : at
    if (code === 0x0a) return at
  }
  return text.length
}

function inRange(code: number, low: number, high: number): boolean {
  return code >= low && code <= high
}
