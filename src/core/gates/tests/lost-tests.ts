/**
 * Compares the tests of base and work. A test is lost if it passed on the base and now fails, is skipped or does not run. One
 * whose name changed is not lost, and one that the work removes from a file that the contract names is for review.
 */
import { firstFew, literalPattern } from '../../../lib/text/counted.ts'
import type { Finding } from '../../event-schemas/evidence.ts'
import { linesBefore, type Change, type ChangedFile } from '../change.ts'
import {
  neutralName,
  withoutParameters,
  testKey,
  leafOf,
  parametersOf,
  titleOf,
  type ReportedTest,
  type TestOutcome,
} from '../../test-reports/report.ts'
import { forReview } from '../verdicts.ts'
import { kindOfPath, isPattern, stemOf } from '../../languages/paths.ts'
import { covers } from '../plan-alignment/expected-files.ts'

/** What the work changed, and whether the contract names a changed file. */
export interface WorkDone {
  readonly change: Change
  readonly isNamed: (file: ChangedFile) => boolean
}

export interface LostTest {
  readonly name: string
  readonly now: TestOutcome | 'missing'
}

export interface ComparedTests {
  readonly lost: readonly LostTest[]
  /** One for each file that tests were removed from. */
  readonly removals: readonly Finding[]
}

/** Tests of both sides without a counterpart on the other one. */
interface Unpaired {
  readonly before: readonly ReportedTest[]
  readonly after: readonly ReportedTest[]
}

/** Beyond these, a removal is not looked for. */
const MOST_EXPLAINED = 1_000
const MOST_NAMED = 10

/** `again`: another run of the base, where its first one left tests that the work does not have. */
export function compareTests(
  base: readonly ReportedTest[],
  work: readonly ReportedTest[],
  done: WorkDone | null,
  again: readonly ReportedTest[] | null = null,
): ComparedTests {
  const lost: LostTest[] = []
  const isTouched = (path: string): boolean => done?.change.files.some((file) => isOf(file, path)) ?? false
  /** Null where a test has no such key. */
  const keys: readonly ((test: ReportedTest) => string | null)[] = [
    (test) => `${test.outcome} ${testKey(test)}`,
    testKey,
    (test) => neutralName(testKey(test)),
    (test) => neutralName(withoutParameters(testKey(test))),
    // Nothing but the work can rename the tests of a file that it leaves as it is.
    ({ file }) => (file === null || isTouched(file) ? null : file),
  ]
  let left: Unpaired = { before: base, after: work }
  for (const [at, keyOf] of keys.entries()) {
    const { pairs, unpaired } = pairUp(left, keyOf, at > 1)
    for (const [was, now] of pairs) {
      if (hasPassed(was) && !hasPassed(now)) lost.push({ name: testKey(was), now: now.outcome })
    }
    left = unpaired
  }
  const missing = left.before.filter(hasPassed)
  const changing = changingNames(missing, left.after, again)
  const others = missing.filter((test) => !changing.includes(test))
  const { removals, unexplained } = explain(others, left.after, work, done)
  return {
    lost: [...lost, ...unexplained.map((test) => ({ name: testKey(test), now: 'missing' }) as const)],
    removals: changing.length === 0 ? removals : [changingOnes(changing), ...removals],
  }
}

/** Those that another run of the base does not have either, if as many tests that no run of the base has pass. */
function changingNames(
  missing: readonly ReportedTest[],
  after: readonly ReportedTest[],
  again: readonly ReportedTest[] | null,
): readonly ReportedTest[] {
  if (again === null) return []
  const known = new Set(again.map(testKey))
  const isNew = (test: ReportedTest): boolean => !known.has(testKey(test))
  const changing = missing.filter(isNew)
  return after.filter((test) => hasPassed(test) && isNew(test)).length < changing.length ? [] : changing
}

function changingOnes(of: readonly ReportedTest[]): Finding {
  const names = firstFew(of.map(testKey), MOST_NAMED)
  const many = of.length === 1 ? '1 test changes its name' : `${of.length} tests change their names`
  return forReview(`${many} from run to run, so only their number is compared: ${names}`)
}

const hasPassed = ({ outcome }: ReportedTest): boolean => outcome === 'passed'
const isOf = ({ path }: ChangedFile, file: string): boolean => isFileOf(file, path)

/** The worst of both sides belong together, so that another test that passes does not hide a skipped one. */
function pairUp(
  { before, after }: Unpaired,
  keyOf: (test: ReportedTest) => string | null,
  isWhole: boolean,
): { readonly pairs: readonly (readonly [ReportedTest, ReportedTest])[]; readonly unpaired: Unpaired } {
  const has = Map.groupBy(after, keyOf)
  const used = new Set<ReportedTest>()
  const pairs = [...Map.groupBy(before, keyOf)].flatMap(([key, tests]) => {
    const now = key === null ? [] : worstFirst(has.get(key) ?? [])
    // A looser name explains all the tests that it fits or none, so that every lost one is named.
    if (isWhole && now.length < tests.length) return []
    return worstFirst(tests).flatMap((was, at) => {
      const one = now[at]
      if (one === undefined) return []
      used.add(was).add(one)
      return [[was, one] as const]
    })
  })
  const isLeft = (test: ReportedTest): boolean => !used.has(test)
  return { pairs, unpaired: { before: before.filter(isLeft), after: after.filter(isLeft) } }
}

const RANK: Readonly<Record<TestOutcome, number>> = { failed: 0, skipped: 1, todo: 2, passed: 3 }
const worstFirst = (tests: readonly ReportedTest[]): readonly ReportedTest[] =>
  tests.length < 2 ? tests : tests.toSorted((a, b) => RANK[a.outcome] - RANK[b.outcome])

interface Removal {
  readonly test: ReportedTest
  readonly file: ChangedFile
  readonly line: number | null
}

/** Splits missing tests into those that the work removes where it may and all others. */
function explain(
  missing: readonly ReportedTest[],
  after: readonly ReportedTest[],
  work: readonly ReportedTest[],
  done: WorkDone | null,
): { readonly removals: readonly Finding[]; readonly unexplained: readonly ReportedTest[] } {
  const named = done?.change.files.filter((file) => done.isNamed(file)) ?? []
  if (done === null || named.length === 0 || missing.length === 0 || missing.length > MOST_EXPLAINED)
    return { removals: [], unexplained: missing }
  const { files } = done.change
  const isNear = ({ file }: ReportedTest): boolean => file === null || files.some((one) => isOf(one, file))
  const stands = standingTitles(done.change, work.filter(isNear))
  const shown = missing.flatMap((test): Removal[] => {
    if (stands(test)) return []
    for (const file of named) {
      if (test.file !== null && !isOf(file, test.file)) continue
      const line = removalIn(file, test)
      if (line !== null) return [{ test, file, line }]
    }
    return []
  })
  const isShown = new Set(shown.map(({ test }) => test))
  const others = missing.filter((test) => !isShown.has(test) && !stands(test))
  const replaced = named.flatMap((file): Removal[] => {
    const gone = others.filter((test) => test.file !== null && isOf(file, test.file))
    const fresh = after.filter((test) => hasPassed(test) && test.file !== null && isOf(file, test.file))
    const spoken = shown.filter((one) => one.file === file).length
    return fresh.length - spoken < gone.length ? [] : gone.map((test) => ({ test, file, line: null }))
  })
  const explained = [...shown, ...replaced]
  const known = new Set(explained.map(({ test }) => test))
  const removals = [...Map.groupBy(explained, ({ file }) => file)].map(([file, of]) => removalOf(file, of))
  return { removals, unexplained: missing.filter((test) => !known.has(test)) }
}

function removalOf({ path }: ChangedFile, of: readonly Removal[]): Finding {
  const tests = of.map(({ test }) => testKey(test))
  const many =
    of.length === 1 ? 'a test that passed on the base is' : `${of.length} tests that passed on the base are`
  const [line = null] = of.flatMap((one) => one.line ?? []).sort((a, b) => a - b)
  return forReview(`${many} gone: ${firstFew(tests, MOST_NAMED)}`, path, line)
}

/**
 * The place in the new file where a test, or a suite around it, was removed or renamed; null if nothing shows it. A title that
 * the old file does not have is made from values, which a removed line has to hold, and no added one.
 */
function removalIn(file: ChangedFile, test: ReportedTest): number | null {
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
function standingTitles({ files }: Change, ran: readonly ReportedTest[]): (test: ReportedTest) => boolean {
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

/**
 * Whether the file that a report names is a file of the tree. Compiled tests have another folder and extension; then the name
 * is compared.
 */
export function isFileOf(reported: string, path: string): boolean {
  if (isPattern(path) || path.endsWith('/')) return covers(path, reported)
  if (reported === path || reported.endsWith(`/${path}`) || path.endsWith(`/${reported}`)) return true
  return !reported.endsWith(path.slice(path.lastIndexOf('.'))) && stemOf(reported) === stemOf(path)
}
