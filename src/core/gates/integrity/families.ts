/** What language a file is in, as far as its tripwires need to know, and what part it plays. */
import { isDocPath, isLockPath, nameOf, segmentsOf } from '../../planning/paths.ts'
import { isBaseTest, protectionOf } from './protected-paths.ts'

export const FAMILIES = [
  'js',
  'python',
  'go',
  'rust',
  'c',
  'java',
  'ruby',
  'shell',
  'config',
  'json',
] as const
export type Family = (typeof FAMILIES)[number]

const ENDINGS: readonly (readonly [RegExp, Family])[] = [
  [/\.([cm]?[jt]sx?|vue|svelte)$/, 'js'],
  [/\.pyi?$/, 'python'],
  [/\.go$/, 'go'],
  [/\.rs$/, 'rust'],
  [/\.(c|cc|cpp|cxx|cu|h|hh|hpp|hxx|inl|m|mm)$/, 'c'],
  [/\.(java|kts?|scala|groovy|gradle|cs|swift|php|dart)$/, 'java'],
  [/\.(rb|rake|gemspec)$|^(gem|rake)file$/, 'ruby'],
  [/\.(sh|bash|zsh|bats|fish)$/, 'shell'],
  [/\.jsonc?$|^\.(eslint|nyc|c8|mocha|prettier|babel)rc$/, 'json'],
  [
    /\.(ya?ml|toml|ini|cfg|conf|properties|mk|cmake)$|^(gnu)?makefile$|^\.?justfile$|^dockerfile|^jenkinsfile$|^cmakelists\.txt$|^\.(coveragerc|flake8|pylintrc|rspec)$/,
    'config',
  ],
]

/** Null: prose, data, locks; nothing in it runs. */
export function familyOf(path: string, firstLine: string): Family | null {
  const name = nameOf(path).toLowerCase()
  const found = ENDINGS.find(([ending]) => ending.test(name))
  if (found !== undefined && !isLockPath(path)) return found[1]
  if (isDocPath(path) || isLockPath(path)) return null
  const folder = segmentsOf(path)[0]
  if (/^#!.*\b(ba|z|da)?sh\b/.test(firstLine) || folder === '.husky') return 'shell'
  if (/^#!.*\bnode\b/.test(firstLine)) return 'js'
  return /^#!.*\bpython/.test(firstLine) ? 'python' : null
}

/** `settings` decide how the rest is judged. */
export type Role = 'test' | 'settings' | 'source'

export function roleOf(path: string): Role {
  const protection = protectionOf(path)
  if (protection !== null && protection.kind !== 'agent_settings' && protection.kind !== 'tools')
    return 'settings'
  return isBaseTest(path) ? 'test' : 'source'
}

/** What a program is started with: it may look at its arguments, and end. */
export function isEntry(path: string, lines: readonly string[]): boolean {
  const segments = segmentsOf(path.toLowerCase())
  const name = segments.at(-1) ?? ''
  if (segments.slice(0, -1).some((folder) => /^(bin|cmd|cli|scripts?|tools?|bench|examples?)$/.test(folder)))
    return true
  if (/^(main|cli|__main__|manage|setup|build|entry|run)[.-]/.test(name)) return true
  if (lines[0]?.startsWith('#!') === true) return true
  return lines.some((line) => ENTRY_LINE.test(line.slice(0, 300)))
}

const ENTRY_LINE =
  /require\.main\s*===?\s*module|import\.meta\.main|import\.meta\.(url|filename)\b.*argv|__name__\s*==\s*['"]__main__|\bint main\s*\(|^func main\(|^(pub )?fn main\(|static void main\s*\(|\$0\s*==\s*__FILE__|__FILE__\s*==\s*\$/

/** Programs that are input of tests: what stands in them proves nothing and weakens nothing. */
export function isFixture(path: string): boolean {
  return segmentsOf(path.toLowerCase())
    .slice(0, -1)
    .some((folder) => /^(__)?(fixtures?|testdata|samples?|corpus|golden|snapshots|mocks)(__)?$/.test(folder))
}
