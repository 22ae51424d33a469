/** Where this repository keeps the tests of a source file, from the tests that there are. */
import { folderOf, inFolder, isTestPath, nameOf, segmentsOf, stemOf } from '../languages/paths.ts'
import { slug } from '../planning/ids.ts'

const TEST_CODE = /\.(?:[cm]?[jt]sx?|py|go|rb|rs|java|kt|cs|php|exs|dart|swift)$/i
const FOLDERS = new Set(['test', 'tests', '__tests__', 'spec', 'specs'])

export interface TestConvention {
  /** `beside`: in the source's own folder; else the folder that holds the tests, from the root. */
  readonly place: string
  /** What comes before and after the stem: `test_` and `.py`, or `` and `.test.ts`. */
  readonly prefix: string
  readonly suffix: string
}

/** The most frequent form; null where there are no tests to learn from. */
export function testConvention(files: readonly string[] | null): TestConvention | null {
  const sources = new Set(
    (files ?? []).filter((path) => !isTestPath(path)).map((path) => `${folderOf(path)}/${stemOf(path)}`),
  )
  const counts = new Map<string, { convention: TestConvention; many: number }>()
  for (const path of files ?? []) {
    if (!isTestPath(path) || !TEST_CODE.test(path)) continue
    const convention = conventionOf(path, sources)
    if (convention === null) continue
    const key = JSON.stringify(convention)
    const known = counts.get(key) ?? { convention, many: 0 }
    counts.set(key, { convention, many: known.many + 1 })
  }
  const best = [...counts.values()].sort((a, b) => b.many - a.many)[0]
  return best?.convention ?? null
}

function conventionOf(path: string, sources: ReadonlySet<string>): TestConvention | null {
  const name = nameOf(path)
  const form = /^(test_)?(.+?)((?:[._-](?:test|spec))?(?:\.\w+))$/.exec(name)
  const [, prefix = '', stem = '', suffix = ''] = form ?? []
  if (stem === '' || (prefix === '' && !/[._-](?:test|spec)\./.test(suffix))) return null
  const folder = folderOf(path)
  if (sources.has(`${folder}/${stem}`)) return { place: 'beside', prefix, suffix }
  const at = segmentsOf(folder).findIndex((segment) => FOLDERS.has(segment.toLowerCase()))
  const place =
    at === -1
      ? null
      : segmentsOf(folder)
          .slice(0, at + 1)
          .join('/')
  return place === null ? null : { place, prefix, suffix }
}

/** The test of a source file; null where the convention does not fit its language. */
export function testOf(source: string, convention: TestConvention | null): string | null {
  if (convention === null || !sameLanguage(source, convention.suffix)) return null
  const { place, prefix, suffix } = convention
  return inFolder(
    place === 'beside' ? folderOf(source) : place,
    `${prefix}${stemOf(source)}${withExtension(suffix, source)}`,
  )
}

/** A test for something whose files are not known; null where tests stand beside their sources. */
export function testNamed(title: string, convention: TestConvention | null): string | null {
  if (convention === null || convention.place === 'beside') return null
  const plain = slug(title, 40)
  if (plain === '') return null
  const stem =
    convention.prefix === 'test_' || convention.suffix.startsWith('_') ? plain.replaceAll('-', '_') : plain
  return inFolder(convention.place, `${convention.prefix}${stem}${convention.suffix}`)
}

const extensionOf = (path: string): string => /\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? ''

const FAMILY = /^[cm]?[jt]sx?$/

function sameLanguage(source: string, suffix: string): boolean {
  const [a, b] = [extensionOf(source), extensionOf(suffix)]
  return a === b || (FAMILY.test(a) && FAMILY.test(b))
}

/** `.test.ts` for a `.tsx` source is `.test.tsx`. */
function withExtension(suffix: string, source: string): string {
  const [own, theirs] = [extensionOf(suffix), extensionOf(source)]
  return own !== theirs && theirs.endsWith('x') ? `${suffix.slice(0, -own.length)}${theirs}` : suffix
}
