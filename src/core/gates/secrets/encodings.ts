/** Encodes and decodes values in the ways a secret can be disguised. */

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const VALUES: ReadonlyMap<string, number> = new Map(
  ALPHABET.split('')
    .map((char, value) => [char, value] as const)
    .concat([
      ['-', 62],
      ['_', 63],
    ]),
)

/** Bytes as characters from 0 to 255. */
export function bytesOf(text: string): string {
  let bytes = ''
  for (const char of text) {
    const code = char.codePointAt(0) ?? 0
    if (code < 0x80) bytes += char
    else if (code < 0x800) bytes += byteText(0xc0 | (code >> 6), 0x80 | (code & 63))
    else if (code < 0x10000)
      bytes += byteText(0xe0 | (code >> 12), 0x80 | ((code >> 6) & 63), 0x80 | (code & 63))
    else {
      bytes += byteText(
        0xf0 | (code >> 18),
        0x80 | ((code >> 12) & 63),
        0x80 | ((code >> 6) & 63),
        0x80 | (code & 63),
      )
    }
  }
  return bytes
}

const byteText = (...bytes: readonly number[]): string => String.fromCharCode(...bytes)

export const base64Of = (bytes: string): string => btoa(bytes)

/** Decodes base64 or base64url; null if it is neither. */
export function fromBase64(text: string): string | null {
  let bytes = ''
  let [bits, held] = [0, 0]
  for (const char of text) {
    if (char === '=') break
    const value = VALUES.get(char)
    if (value === undefined) return null
    bits = ((bits << 6) | value) & 0xffffff
    held += 6
    if (held >= 8) {
      held -= 8
      bytes += String.fromCharCode((bits >> held) & 255)
    }
  }
  return bytes
}

export function hexOf(bytes: string): string {
  let text = ''
  for (let at = 0; at < bytes.length; at++) text += bytes.charCodeAt(at).toString(16).padStart(2, '0')
  return text
}

export function fromHex(text: string): string {
  let bytes = ''
  for (let at = 0; at + 1 < text.length; at += 2) {
    bytes += String.fromCharCode(Number.parseInt(text.slice(at, at + 2), 16))
  }
  return bytes
}

/** Decodes percent encoding; other text is kept. */
export function fromPercent(text: string): string {
  return text.replace(/%([0-9a-fA-F]{2})/g, (_all, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  )
}

/** `\x41`, `A` and `\101` decoded. */
export function fromEscapes(text: string): string {
  return text
    .replace(/\\x([0-9a-fA-F]{2})/g, (_all, digits: string) =>
      String.fromCharCode(Number.parseInt(digits, 16)),
    )
    .replace(/\\u\{?([0-9a-fA-F]{4})\}?/g, (_all, digits: string) =>
      String.fromCharCode(Number.parseInt(digits, 16)),
    )
}

export const reversed = (text: string): string => text.split('').reverse().join('')

export interface Form {
  /** Empty for the plain value. */
  readonly how: string
  readonly text: string
}

/**
 * The encoded forms of a value. Base64 of a longer text contains one of three forms, depending on the offset of the value;
 * each is cut to the characters that do not depend on its neighbours.
 */
export function formsOf(value: string): readonly Form[] {
  const bytes = bytesOf(value)
  const forms: Form[] = [{ how: '', text: value }]
  const encoded = [...base64Forms(bytes), ...base64Forms(base64Of(bytes))]
  for (const text of encoded) {
    forms.push({ how: 'in base64', text })
    const other = text.replaceAll('+', '-').replaceAll('/', '_')
    if (other !== text) forms.push({ how: 'in base64url', text: other })
  }
  const hex = hexOf(bytes)
  forms.push({ how: 'in hex', text: hex }, { how: 'in hex', text: hex.toUpperCase() })
  const small = percentOf(bytes, (digits) => digits)
  const capital = percentOf(bytes, (digits) => digits.toUpperCase())
  if (small !== value) {
    forms.push({ how: 'in percent encoding', text: small }, { how: 'in percent encoding', text: capital })
  }
  forms.push(
    ...forms.map(({ how, text }) => ({
      how: how === '' ? 'backwards' : `${how}, backwards`,
      text: reversed(text),
    })),
  )
  const least = Math.min(12, value.length)
  return [...new Map(forms.map((form) => [form.text, form])).values()].filter(
    ({ text }) => text.length >= least,
  )
}

function percentOf(bytes: string, digits: (hex: string) => string): string {
  return bytes
    .split('')
    .map((char) => (/[A-Za-z0-9._~-]/.test(char) ? char : `%${digits(hexOf(char))}`))
    .join('')
}

function base64Forms(bytes: string): readonly string[] {
  return [0, 1, 2].map((shift) => {
    const text = base64Of('\0'.repeat(shift) + bytes).replace(/=+$/, '')
    const first = shift === 0 ? 0 : shift === 1 ? 2 : 3
    const whole = Math.floor(((shift + bytes.length) * 8) / 6)
    return text.slice(first, whole)
  })
}
