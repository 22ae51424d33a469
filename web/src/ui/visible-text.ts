/** Makes what a reader would not see visible: escape sequences, direction marks, zero-width characters. */

const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu

/** `␛[31m` for an escape, `⟨U+202E⟩` for a mark of direction. Line ends and tabs stay. */
export function visibleText(text: string): string {
  return text.replaceAll('\r\n', '\n').replaceAll(HIDDEN, (character) => {
    if (character === '\n' || character === '\t') return character
    const code = character.codePointAt(0) ?? 0
    if (code < 0x20) return String.fromCodePoint(0x24_00 + code)
    // It only chooses how the emoji before it looks.
    if (code === 0xfe_0f) return ''
    return `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`
  })
}
