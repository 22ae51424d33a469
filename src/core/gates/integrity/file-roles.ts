/** Classifies a file by language family and role, for tripwires. */
import { languageOf, type Family } from '../../languages/languages.ts'
import { isDocPath, isLockPath, nameOf, segmentsOf } from '../../languages/paths.ts'
import { isBaseTest, protectionOf } from './protected-paths.ts'

/** Settings files. */
const SETTINGS: readonly (readonly [RegExp, Family])[] = [
  [/^\.(eslint|nyc|c8|mocha|prettier|babel)rc$/, 'json'],
  [
    /\.(ini|cfg|conf|properties|mk|cmake)$|^(gnu)?makefile$|^\.?justfile$|^dockerfile|^jenkinsfile$|^cmakelists\.txt$|^\.(coveragerc|flake8|pylintrc|rspec)$/,
    'config',
  ],
]

/** Null for prose, data and lock files, which do not run. */
export function familyOf(path: string, firstLine: string): Family | null {
  if (isLockPath(path)) return null
  const name = nameOf(path).toLowerCase()
  const settings = SETTINGS.find(([names]) => names.test(name))
  if (settings !== undefined) return settings[1]
  return languageOf(path, isDocPath(path) ? '' : firstLine)?.family ?? null
}

/** `settings` determine how the rest is judged. */
export type Role = 'test' | 'settings' | 'source'

export function roleOf(path: string): Role {
  const protection = protectionOf(path)
  if (protection !== null && protection.kind !== 'agent_settings' && protection.kind !== 'tools')
    return 'settings'
  return isBaseTest(path) ? 'test' : 'source'
}

/** Entry points of programs, which may read arguments and exit. */
export function isEntry(
  path: string,
  firstLine: string,
  lines: readonly { readonly text: string }[],
): boolean {
  const segments = segmentsOf(path.toLowerCase())
  const name = segments.at(-1) ?? ''
  if (segments.slice(0, -1).some((folder) => /^(bin|cmd|cli|scripts?|tools?|bench|examples?)$/.test(folder)))
    return true
  if (/^(main|cli|__main__|manage|setup|build|entry|run)[.-]/.test(name)) return true
  if (firstLine.startsWith('#!')) return true
  return lines.some(({ text }) => ENTRY_LINE.test(text.slice(0, 300)))
}

const ENTRY_LINE =
  /require\.main\s*===?\s*module|import\.meta\.main|import\.meta\.(url|filename)\b.*argv|__name__\s*==\s*['"]__main__|\bint main\s*\(|^func main\(|^(pub )?fn main\(|static void main\s*\(|\$0\s*==\s*__FILE__|__FILE__\s*==\s*\$/

/** Programs that are test input; their code neither proves nor weakens anything. */
export function isFixture(path: string): boolean {
  return segmentsOf(path.toLowerCase())
    .slice(0, -1)
    .some((folder) => /^(__)?(fixtures?|testdata|samples?|corpus|golden|snapshots|mocks)(__)?$/.test(folder))
}
