/** Looks for the title of a test in the lines that a change removes, and in those that it leaves. */
import { literalPattern } from '../../../lib/text/literal-pattern.ts'
import { kindOfPath } from '../../languages/paths.ts'
import type { ReportedTest } from '../../test-reports/report.ts'
import { leafOf, parametersOf, titleOf } from '../../test-reports/test-names.ts'
import { linesBefore, type Change, type ChangedFile } from '../change.ts'

/**
 * The place in the new file where a test, or a suite around it, was removed or renamed; null if nothing shows it. A title that
 * the old file does not have is made from values, which a removed line has to hold, and no added one.
 */
export function removalIn(file: ChangedFile, test: ReportedTest): number | null {
  const titles = [titleOf(test.name), ...test.name.split(' > ').slice(0, -1)].map(titleIn)
  const removed = file.removed.find(({ text }) => titles.some((title) => title(text)))
  if (removed !== undefined) return removed.at
  const given = parametersOf(test.name)
  const isLiteral = linesBefore(file)?.some((line) => titles[0]?.(line)) === true
  if (isLiteral && given === null) return null
  const words = wordsOf(given ?? leafOf(test.name))
  const values = file.removed.find(({ text }) => {
    const shared = sharedWords(words, text)
    if (shared.length === 0 || 2 * shared.length < words.size) return false
    return !file.added.some((line) => sharedWords(new Set(shared), line.text).length === shared.length)
  })
  return values?.at ?? null
}

/** Whether the changed files hold the title of a test more often than tests of that title ran. */
export function standingTitles(
  { files }: Change,
  ran: readonly ReportedTest[],
): (test: ReportedTest) => boolean {
  const running = Map.groupBy(ran, ({ name }) => titleOf(name))
  const standing = new Map<string, number>()
  const lines = files.flatMap((file) => (kindOfPath(file.path) === 'doc' ? [] : (file.lines ?? [])))
  return (test) => {
    const title = titleOf(test.name)
    const known = standing.get(title) ?? lines.filter(titleIn(title)).length
    standing.set(title, known)
    return known > (running.get(title)?.length ?? 0)
  }
}

/** As a string, or as the name of a function or of a case: a name without spaces also occurs where nothing is named. */
function titleIn(title: string): (line: string) => boolean {
  if (title === '') return () => false
  const own = literalPattern(title).replaceAll('_', '[_ ]').replaceAll(/["'`]/g, '\\\\?$&')
  const isWord = /^\w+$/.test(title)
  const pattern = isWord
    ? new RegExp(`(["'\`])${own}\\1|\\w[*&\\s]+${own}\\s*[(<{]|[,(]\\s*${own}\\s*\\)`)
    : new RegExp(`(?<!\\w)${own}(?!\\w)`)
  return (line) => pattern.test(line)
}

const wordsOf = (text: string): ReadonlySet<string> => new Set(text.match(/[\p{L}\p{N}]+/gu) ?? [])

function sharedWords(words: ReadonlySet<string>, line: string): readonly string[] {
  const has = wordsOf(line)
  return [...words].filter((word) => has.has(word))
}
