/** A request as its author wrote it, without what templates, mail programs and code add to it. Linear in its length. */
import { isCourtesy } from '../../lib/text/courtesies.ts'
import { plainLine } from '../../lib/text/quoted.ts'
import { splitSentences } from '../../lib/text/split-sentences.ts'

/** The rules read this much; a longer request says what it is long before. */
export const MOST_READ = 200_000
const LONGEST_TITLE = 100
const LONGEST_LINE = 2000

export interface RequestText {
  /** One line; empty where the request has no words. */
  readonly title: string
  /** The author's sentences: no code, no quotations, no template text, one block a paragraph. */
  readonly prose: string
  readonly headings: readonly string[]
  /** List items of the prose that are not part of a template. */
  readonly items: readonly string[]
  /** Text in code fences: logs, stack traces, samples. */
  readonly code: string
  /** Paths and file names, as written, each once. */
  readonly paths: readonly string[]
  readonly words: number
  /** Requirements of a spec or tasks of a plan; 0 in other texts. */
  readonly parts: number
  /** What it refers to instead of saying what is wanted, such as `#42`; null where it says it. */
  readonly reference: string | null
  /** Whether it says anything: noise and references do not. */
  readonly isReadable: boolean
}

export function readRequest(text: string): RequestText {
  const { kept, code } = splitCode(withoutComments(text.slice(0, MOST_READ).toWellFormed()))
  const lines = ownLines(withoutFrontMatter(kept).filter((line) => !isTemplate(line)))
  const headings = lines.flatMap((line) => /^#{1,6}\s+(.+)$/.exec(line)?.[1] ?? [])
  const items = lines.flatMap((line) => /^\s{0,8}(?:[-*+•]|\d{1,3}[.)])\s+(.+)$/.exec(line)?.[1] ?? [])
  const prose = lines
    .map((line) => line.replace(/^#{1,6}\s+/, '').replace(FORM_MARK, ''))
    .join('\n')
    .trim()
  const words = prose.match(/[\p{L}\p{N}][\p{L}\p{N}'’_-]*/gu)?.length ?? 0
  const reference = referenceIn(prose)
  return {
    title: titleOf(lines),
    prose,
    headings,
    items,
    code,
    paths: pathsIn(prose),
    words,
    parts: Math.max(
      0,
      ...PARTS.map((part) => kept.filter((line) => part.test(line)).length).filter(firstSome),
    ),
    reference,
    isReadable: reference === null && isReadable(prose),
  }
}

/** Written at the head of a spec or a plan, whatever it is about. */
const FORM_MARK = /^(?:feature:\s*|title:\s*["']?|plan:\s.{0,80}$|\*\*title:\*\*\s*)/i

/** Requirements and tasks, by the way they are written; the first way that occurs counts. */
const PARTS: readonly RegExp[] = [
  /^###\s+R-\d{3,4}\b/,
  /^#{2,4}\s+\W{0,3}(?:task|step)\s+[\d.]{1,8}\s*[:.—–-]/i,
  /^\s{0,6}-\s+\{?\s*(?:id|"id"):/,
  /^\s{0,4}[-*] \[[ xX]\] \S/,
  /^\d{1,3}[.)]\s/,
]
const firstSome = (count: number, at: number, counts: readonly number[]): boolean =>
  count > 0 && counts.slice(0, at).every((before) => before === 0)

/** Few words of one's own above a quotation mean the quotation. */
const FEW_WORDS = 25

function ownLines(lines: readonly string[]): readonly string[] {
  const own = lines.filter((line) => !line.startsWith('>'))
  const words = own.join(' ').match(/\p{L}{2,}/gu)?.length ?? 0
  return words >= FEW_WORDS ? own : lines.map((line) => line.replace(/^(?:>\s?)+/, ''))
}

/** Of terminals: colours, cursor moves, titles. */
// oxlint-disable-next-line no-control-regex -- that is what is looked for
const CONTROL_SEQUENCE = /\u001B(?:\[[0-9;?]{0,20}[A-Za-z]|\][^\u0007\n]{0,200}\u0007?)/g

/** A comment that is not closed is text. */
function withoutComments(text: string): string {
  const parts: string[] = []
  let at = 0
  for (;;) {
    const start = text.indexOf('<!--', at)
    const end = start === -1 ? -1 : text.indexOf('-->', start)
    if (end === -1)
      return [...parts, text.slice(at)]
        .join('')
        .replace(/^\uFEFF/, '')
        .replaceAll('\r\n', '\n')
        .replace(CONTROL_SEQUENCE, '')
    parts.push(text.slice(at, start))
    at = end + 3
  }
}

interface Split {
  readonly kept: readonly string[]
  readonly code: string
}

function splitCode(text: string): Split {
  const kept: string[] = []
  const code: string[] = []
  let fence: string | null = null
  for (const raw of text.split('\n')) {
    const line = raw.slice(0, LONGEST_LINE).trimEnd()
    const mark = /^\s{0,3}(`{3,}|~{3,})/.exec(line)?.[1]
    if (fence === null && mark !== undefined) fence = mark
    else if (fence !== null && mark?.startsWith(fence) === true) fence = null
    else if (fence !== null || TRACE_LINE.test(line)) code.push(line)
    else kept.push(line)
  }
  return { kept, code: code.join('\n') }
}

/** Lines of logs and stack traces that were pasted without a fence. */
const TRACE_LINE =
  /^\s+at \S.{0,300}[(:]\S+:\d+|^\s{2,}File "[^"]{1,300}", line \d+|^Traceback \(most recent|^\s{0,8}\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d/

function withoutFrontMatter(lines: readonly string[]): readonly string[] {
  if (lines[0]?.trim() !== '---') return lines
  const end = lines.indexOf('---', 1)
  return end === -1 || end > 40 ? lines : lines.slice(end + 1)
}

/** What the templates of forges ask, as opposed to what people answer. */
const TEMPLATE_LINE: readonly RegExp[] = [
  /^\s{0,8}[-*] \[[ xX]\]\s.{0,60}\b(search(ed)?|duplicate|existing issues?|read the|code of conduct|contributing|latest version|agree|checked that|willing to)\b/i,
  /^\s{0,4}_?no response_?\.?$/i,
  /^\s{0,4}(n\/a|none|\.\.\.|…|-{3,}|\*{3,}|_{3,})$/i,
  /^\s{0,4}(please )?(describe|explain|provide|add any other|include|tell us|fill in|a clear and concise description)\b.{0,120}\b(here|problem is\.?|bug is\.?|to happen\.?|the bug\.?|you('d)? like\.?|below\.?)$/i,
  /^(sent from my|on .{5,80} wrote:$|signed-off-by:|co-authored-by:)/i,
]

const isTemplate = (line: string): boolean => TEMPLATE_LINE.some((pattern) => pattern.test(line))

/** Headings of templates: they say of which kind the text below is, and nothing about this request. */
export const TEMPLATE_HEADING =
  /^(\W{0,4})(describe the (bug|issue|problem)|(bug )?description|summary|steps to reproduce|to reproduce|how to reproduce|reproduction( steps)?|expected( behaviou?r| result)?|actual( behaviou?r| result)?|current behaviou?r|environment|system info|version|screenshots?|logs?|additional (context|information|notes)|possible solution|proposed solution|describe the solution you'd like|describe alternatives.{0,40}|is your feature request.{0,60}|motivation|use case|checklist|what happened\??|what did you expect.{0,20}|context|background|problem( statement)?|project brief|overview|goals?|introduction|user story|acceptance criteria)(\W{0,4})$/i

/** Addressed to the program that reads the request: it asks for no work. */
export const TO_THE_READER =
  /\b(?:ignore|disregard|forget) (?:all |any |the |your )*(?:previous|prior|above|earlier)\b|\byou are now\b|\b(?:classify|label|treat|mark|report) (?:this|it|the request)\b|\bsystem prompt\b|^\W*(?:system|assistant)\s*:/i

/** The first line that says something, without the mark of its kind (`[Bug]: `, `feat(ui): `). */
function titleOf(lines: readonly string[]): string {
  return titleAmong(lines, saysNothing) || titleAmong(lines, () => false)
}

const saysNothing = (sentence: string): boolean => isCourtesy(sentence) || TO_THE_READER.test(sentence)

function titleAmong(lines: readonly string[], isLeftOut: (sentence: string) => boolean): string {
  for (const line of lines) {
    if (line.startsWith('plan:')) continue
    const plain = line
      .replace(/^#{1,6}\s+(?:feature:\s*)?|^title:\s*["']?|^\*\*title:\*\*\s*/i, '')
      .replace(/^#{1,6}\s+|^\s*[-*+•]\s+(\[[ xX]\]\s+)?|^\s*\d{1,3}[.)]\s+/, '')
      .replace(/\*\*|__|`/g, '')
      .trim()
    if (!/[\p{L}\p{N}]/u.test(plain) || TEMPLATE_HEADING.test(plain)) continue
    const title = firstSentence(plain, isLeftOut)
    if (title !== '') return title
  }
  return ''
}

function firstSentence(line: string, isLeftOut: (sentence: string) => boolean): string {
  const [first, ...more] = splitSentences(line).filter((sentence) => !isLeftOut(sentence))
  if (first === undefined) return ''
  return plainLine(first.length < 8 ? [first, ...more].join(' ') : first, LONGEST_TITLE).replace(
    /(?<=\p{L})\.$/u,
    '',
  )
}

const PATH =
  /(?<![\w@/.:-])(?:[\w@.-]{1,80}\/){1,12}[\w@.-]{0,80}|(?<![\w@/.-])[\w-]{1,60}\.(?:[cm]?[jt]sx?|py|go|rs|rb|java|kt|cs|php|swift|c|cc|cpp|h|hpp|vue|svelte|css|scss|html?|md|mdx|ya?ml|json|toml|sql|sh|razor|tf|proto|lock|txt|ini|cfg)\b/g

/** Not addresses of pages, and no "and/or". */
function pathsIn(text: string): readonly string[] {
  const plain = text.replace(/\b[a-z][a-z+.-]{1,20}:\/\/\S+/gi, ' ')
  const found = [...plain.matchAll(PATH)].map(([path]) => path.replace(/[.:]+$/, ''))
  const named = found.filter((path) =>
    /\.\w{1,6}$|\/.*\/|^(src|test|tests|docs|lib|app|packages)\//.test(path),
  )
  return [...new Set(named)].slice(0, 100)
}

const LONGEST_REFERENCE = 300
/** Standards and the like are names, and say what is meant. */
const REFERENCE =
  /https?:\/\/\S+|(?<![\w/])#\d+\b|\b(?!(?:UTF|SHA|AES|RSA|ISO|IEC|RFC|CVE|CWE|PEP|HTTP|TLS|IEEE|ES|MD|GPT)-)[A-Z][A-Z0-9]{1,9}-\d+\b|\b(?:issue|ticket|bug|story|task|card|pr|pull request)\s+(?:number\s+|no\.?\s+)?\d+\b/
const AROUND_IT =
  /\b(?:please|pls|can|could|you|we|i|need|to|fix(?:es)?|close[sd]?|resolve[sd]?|solve|implement|do|handle|work|on|address|start|build|finish|see|look|at|check|the|this|that|it|an?|issues?|tickets?|bugs?|features?|stor(?:y|ies)|tasks?|cards?|prs?|from|in|of|for|as|described|by|tracker|jira|github|gitlab|linear|and|also|next|now|today|asap|hi|hello|thanks)\b/gi

/** "fix #42", "see https://…/issues/12": its text is elsewhere. */
function referenceIn(prose: string): string | null {
  if (prose.length > LONGEST_REFERENCE) return null
  const found = REFERENCE.exec(prose)?.[0] ?? null
  const rest = prose.replaceAll(new RegExp(REFERENCE, 'g'), ' ').replaceAll(AROUND_IT, ' ')
  return /[\p{L}\p{N}]/u.test(rest) ? null : found
}

/** Sentences have letters in words; noise is symbols, digits, records of data, one run of keys or one word over and over. */
function isReadable(prose: string): boolean {
  const sample = prose.slice(0, 5000)
  const lines = sample.split('\n').filter((line) => line.trim() !== '')
  if (lines.length >= 3 && lines.filter((line) => RECORD.test(line)).length > lines.length / 2) return false
  const letters = sample.match(/\p{L}/gu)?.length ?? 0
  const seen = sample.replace(/\s/g, '').length
  if (letters < 3 || letters < seen * 0.4 || /^\s*lorem ipsum/i.test(sample)) return false
  // Scripts without spaces have no words to count.
  if (/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u.test(sample)) return true
  const words = sample.toLowerCase().match(/\p{L}{2,}/gu) ?? []
  const distinct = new Set(words)
  if (words.length >= 6 && distinct.size <= Math.min(4, words.length * 0.2)) return false
  const spoken = [...distinct].filter((word) => word.length <= 30 && hasVowels(word))
  return spoken.length > distinct.size * 0.5
}

/** A line of data: four fields or more with one separator, which sentences do not have without a space. */
const RECORD = /^[^:;|]{0,100}([:;|])(?:[^\s:;|][^:;|]{0,200}|)\1(?:[^\s:;|][^:;|]{0,200}|)\1/

/** Latin words have a vowel and no long run of consonants; of other scripts nothing is known. */
function hasVowels(word: string): boolean {
  if (!/^[a-z]+$/.test(word)) return true
  return /[aeiouy]/.test(word) ? !/[^aeiouy]{6,}/.test(word) : word.length <= 4
}
