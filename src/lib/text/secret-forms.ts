/** The forms in which a secret value can be disguised. Bytes are characters from 0 to 255. */

export const byte = (code: number): string => String.fromCharCode(code)

const bytesOf = (text: string): string => [...new TextEncoder().encode(text)].map(byte).join('')

export const hexOf = (bytes: string): string =>
  bytes
    .split('')
    .map((char) => char.charCodeAt(0).toString(16).padStart(2, '0'))
    .join('')

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
  const encoded = [...base64Forms(bytes), ...base64Forms(btoa(bytes))]
  for (const text of encoded) {
    forms.push({ how: 'in base64', text })
    const other = text.replaceAll('+', '-').replaceAll('/', '_')
    if (other !== text) forms.push({ how: 'in base64url', text: other })
  }
  const hex = hexOf(bytes)
  forms.push({ how: 'in hex', text: hex }, { how: 'in hex', text: hex.toUpperCase() })
  const percent = bytes.replace(/[^A-Za-z0-9._~-]/g, (char) => `%${hexOf(char)}`)
  if (percent !== value) {
    const capital = percent.replace(/%../g, (code) => code.toUpperCase())
    forms.push({ how: 'in percent encoding', text: percent }, { how: 'in percent encoding', text: capital })
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

function base64Forms(bytes: string): readonly string[] {
  return [0, 1, 2].map((shift) => {
    const text = btoa('\0'.repeat(shift) + bytes).replace(/=+$/, '')
    const first = shift === 0 ? 0 : shift === 1 ? 2 : 3
    const whole = Math.floor(((shift + bytes.length) * 8) / 6)
    return text.slice(first, whole)
  })
}
