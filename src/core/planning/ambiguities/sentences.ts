/** Splits the text of a task into sentences, and hides what is quoted in them: code and names are not the author's words. */

/** A sentence and its masked form, which has the same length. */
export interface Sentence {
  readonly text: string
  /** Code and quoted words are replaced by `HIDDEN`. */
  readonly masked: string
}

/** Stands for one character of code or of a quotation. */
export const HIDDEN = '\u00A7'

/** Longer ones are tables, logs or generated text. */
const LONGEST = 400
const MOST_LINES = 1000

const QUOTED = /`[^`\n]{1,200}`|"[^"\n]{1,120}"|“[^”\n]{1,120}”|(?<=^|[\s(])'[^'\n]{1,60}'(?=$|[\s,.;:)])/g

export function sentencesOf(text: string): readonly Sentence[] {
  return linesOf(text).flatMap((line) => {
    const masked = line.replace(QUOTED, (found) => HIDDEN.repeat(found.length))
    const sentences: Sentence[] = []
    let start = 0
    for (const end of [...masked.matchAll(/(?<!\?\?)[.!?;]\s+(?=\S)/g), null]) {
      const stop = end === null ? line.length : end.index + 1
      const sentence = trimmed(line, masked, { start, stop })
      if (sentence.text !== '' && sentence.text.length <= LONGEST) sentences.push(sentence)
      start = stop
    }
    return sentences
  })
}

/** Without fenced code, block quotes, tables and comments. */
function linesOf(text: string): readonly string[] {
  let fence: string | null = null
  return text
    .split('\n')
    .slice(0, MOST_LINES)
    .flatMap((raw) => {
      const mark = /^\s*(`{3,}|~{3,})/.exec(raw)?.[1]
      if (mark !== undefined) {
        if (fence === null) fence = mark
        else if (mark.startsWith(fence)) fence = null
        return []
      }
      return fence !== null || /^\s*(?:>|\||<!--)/.test(raw) ? [] : [plainMarkdown(raw)]
    })
}

/** Without list marks, check boxes, headings and emphasis. */
function plainMarkdown(line: string): string {
  return line
    .slice(0, 4000)
    .replace(/^\s*(?:[-*+]\s+|\d{1,3}[.)]\s+|#{1,6}\s+)?(?:\[[ xX]\]\s+)?/, '')
    .replace(/\*\*|__|(?<![\w*])[*_](?=\w)|(?<=\w)[*_](?![\w*])/g, '')
    .trim()
}

function trimmed(
  line: string,
  masked: string,
  { start, stop }: { readonly start: number; readonly stop: number },
): Sentence {
  const text = line.slice(start, stop)
  const from = start + (text.length - text.trimStart().length)
  const to = start + text.trimEnd().length
  return { text: line.slice(from, to), masked: masked.slice(from, Math.max(from, to)) }
}
