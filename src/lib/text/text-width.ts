/** How wide text is in a terminal, and text cut to a width. Expects text without control characters. */

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
