/** The names of protected files, which determine whether work counts as done, and what in them is protected. */
import { isDocPath, isTestPath, normalPath, segmentsOf } from '../../languages/paths.ts'
import {
  cargoParts,
  denoParts,
  linesLike,
  makeParts,
  packageParts,
  pyprojectParts,
  setupCfgParts,
  type PartReader,
} from './file-parts.ts'

export const PROTECTED_KINDS = {
  base_test: 'an existing test',
  test_settings: 'test settings',
  lint_settings: 'lint and type settings',
  commands: 'gate commands',
  ci: 'CI',
  agent_settings: 'agent settings',
  ignore_file: 'ignore rules',
  tools: 'installed tools',
  bosun_settings: 'Bosun settings',
} as const
export type ProtectedKind = keyof typeof PROTECTED_KINDS

interface Protection {
  readonly kind: ProtectedKind
  /** The protected parts; null if the whole file is protected. */
  readonly parts: PartReader | null
}

/**
 * Decides by path which files are protected, i.e. determine whether work counts as done. Null if the file is not protected, or
 * only as an existing test (see `isBaseTest`).
 */
export function protectionOf(path: string): Protection | null {
  const plain = normalPath(path).toLowerCase()
  const segments = segmentsOf(plain)
  const name = segments.at(-1) ?? ''
  const folders = segments.slice(0, -1)
  const [kind, , parts = null] = NAMES.find(([, names]) => names.test(name)) ?? []
  if (kind !== undefined) return { kind, parts }
  const [inside] = FOLDERS.find(([, names]) => folders.some((folder) => names.includes(folder))) ?? []
  if (inside !== undefined) return { kind: inside, parts: null }
  return folders[0] === '.github' && !isDocPath(name) ? { kind: 'ci', parts: null } : null
}

/** A test, or a file that tests read: data, mocks, snapshots. */
export function isBaseTest(path: string): boolean {
  return (
    isTestPath(path) ||
    isSnapshot(path) ||
    isAmongTests(path) ||
    TEST_DATA.test(normalPath(path).toLowerCase())
  )
}

const TEST_DATA =
  /(^|\/)(testdata|__mocks__|__fixtures__|goldens?|golden[-_]files)\/|^fixtures\/|\.(golden|expected)(\.[a-z0-9]+)?$/
const SNAPSHOT = /(^|\/)__snapshots__\/|-snapshots\/|\.(snap|snapshot|ambr|approved\.[a-z0-9]+)$/

/** A test may read any file beside it, even one that looks like documentation. */
function isAmongTests(path: string): boolean {
  const segments = segmentsOf(path.toLowerCase())
  const name = segments.at(-1) ?? ''
  const folders = segments.slice(0, -1)
  if (ABOUT.test(name) && isTestFolder(folders.at(-1) ?? '')) return false
  if (folders.some((folder) => isTestFolder(folder) && !SPEC_FOLDERS.has(folder))) return true
  const isInSpecs = folders.some((folder) => SPEC_FOLDERS.has(folder))
  return isInSpecs && (!PROSE.test(name) || folders.some((folder) => DATA_FOLDER.test(folder)))
}

const isTestFolder = (name: string): boolean => isTestPath(`${name}/x`)
/** Documentation directly in a test folder. */
const ABOUT = /^(readme|contributing|license|copying|notice|authors|changelog)(\.|$)/
/** Folders in which prose may be a specification or expected output. */
const SPEC_FOLDERS: ReadonlySet<string> = new Set(['spec', 'specs', 'testing'])
const PROSE = /\.(md|mdx|markdown|rst|adoc)$/
const DATA_FOLDER = /^(fixtures?|data|expected|goldens?|snapshots?|cassettes|cases|samples)$/

/** Snapshots that a test runner writes and compares. */
export function isSnapshot(path: string): boolean {
  return SNAPSHOT.test(normalPath(path).toLowerCase())
}

const NAMES: readonly (readonly [kind: ProtectedKind, names: RegExp, parts?: PartReader])[] = [
  ['commands', /^package\.json$/, packageParts],
  ['commands', /^deno\.jsonc?$/, denoParts],
  ['test_settings', /^pyproject\.toml$/, pyprojectParts],
  ['test_settings', /^setup\.cfg$/, setupCfgParts],
  ['test_settings', /^cargo\.toml$/, cargoParts],
  ['commands', /^(gnu)?makefile$|\.mk$|^\.?justfile$/, makeParts],
  ['test_settings', /^go\.(mod|work)$/, linesLike(/\breplace\b|=>|^tool\b/)],
  [
    'test_settings',
    /^cmakelists\.txt$|\.cmake$/,
    // Adding a test does not affect others, so `add_test` counts only when removed.
    linesLike(
      /enable_testing|set_tests_properties|WILL_FAIL|include\s*\(\s*CTest|CTEST_|NDEBUG|-Wno-|-w\b|-Werror|-fsanitize|CLANG_TIDY/i,
      /add_test|_discover_tests/i,
    ),
  ],
  [
    'test_settings',
    /^pom\.xml$/,
    linesLike(
      /skipTests|skipITs|maven\.test|testFailureIgnore|surefire|failsafe|jacoco|checkstyle|spotbugs|<(in|ex)clude>|failOn/i,
    ),
  ],
  [
    'test_settings',
    /^build\.gradle(\.kts)?$|^gradle\.properties$/,
    linesLike(
      /ignoreFailures|useJUnit|useTestNG|jacoco|checkstyle|detekt|ktlint|spotbugs|failOn|\btest\b.{0,40}\{|retry|onlyIf|exclude/i,
    ),
  ],
  [
    'test_settings',
    /^vite\.config\.[cm]?[jt]s$/,
    linesLike(/\btests?\b|coverage|exclude|include|setupFiles|retry|timeout|alias/i),
  ],
  ['commands', /^rakefile$|\.rake$/, linesLike(/test|spec|rubocop|default/i)],
  [
    'lint_settings',
    /\.csproj$|^directory\.build\.(props|targets)$/,
    linesLike(/NoWarn|TreatWarnings|WarningsAs|Nullable|Analysis|IsTestProject|RunSettings|Coverage/i),
  ],
  [
    'test_settings',
    /^(vitest|jest|ava|karma|playwright|cypress|wdio|web-test-runner|babel)[.-](config|conf|setup|workspace|preset|projects|global[\w-]*)\b|^setup-?tests?\.[cm]?[jt]sx?$|^\.(mocharc|nycrc|c8rc|taprc|swcrc|babelrc|jasmine|testcaferc)\b|^jasmine\.json$|^cypress\.json$|^bunfig\.toml$/,
  ],
  [
    'test_settings',
    /^(conftest|noxfile|sitecustomize|usercustomize)\.py$|^\.?(pytest|tox)\.ini$|^\.coveragerc$|^\.rspec(-local)?$|^\.simplecov$|^phpunit\.xml(\.dist)?$|\.runsettings$|^junit-platform\.properties$|^testng\.xml$|^nextest\.toml$|^\.?codecov\.ya?ml$|^sonar-project\.properties$|^ctestconfig\.cmake$/,
  ],
  [
    'lint_settings',
    /^[tj]sconfig\b.*\.json$|^\.eslintrc\b|^eslint\.config\.|^\.?biome\.jsonc?$|^\.?oxlint(rc)?\b.*\.json$|^\.(prettier|stylelint|jshint|oxfmt|htmlhint|markdownlint|lintstaged|commitlint)(rc)?\b|^(prettier|stylelint|lint-staged|commitlint)\.config\.|^\.(editorconfig|pre-commit-config\.yaml)$|^\.?lefthook\.ya?ml$|^tslint\.json$/,
  ],
  [
    'lint_settings',
    /^\.?(ruff|clippy|rustfmt|taplo)\.toml$|^\.?mypy\.ini$|^\.flake8$|^\.?pylintrc(\.toml)?$|^pyrightconfig\.json$|^\.?golangci\.(ya?ml|toml|json)$|^\.clang-(tidy|format)$|^\.shellcheckrc$|^\.rubocop(_todo)?\.yml$|^checkstyle.*\.xml$|^\.?detekt.*\.yml$|^phpstan\.neon(\.dist)?$|^\.php-cs-fixer\b|^\.credo\.exs$|^rust-toolchain(\.toml)?$/,
  ],
  ['commands', /^taskfile\.ya?ml$|^(turbo|nx|lerna)\.json$|^\.?(npmrc|yarnrc(\.yml)?)$|^\.pnpmfile\.c?js$/],
  [
    'ci',
    /^\.gitlab-ci\.ya?ml$|^jenkinsfile$|^\.travis\.yml$|^\.?appveyor\.yml$|^azure-pipelines.*\.ya?ml$|^bitbucket-pipelines\.yml$|^\.(drone|woodpecker|cirrus)\.ya?ml$|^cloudbuild\.ya?ml$|^codeowners$/,
  ],
  [
    'agent_settings',
    /^(claude|claude\.local|agents|agents\.override|gemini|qwen)\.md$|^\.?opencode\.jsonc?$|^\.mcp\.json$|^\.(cursorrules|windsurfrules|clinerules|goosehints)$|^\.aider\b|^copilot-instructions\.md$/,
  ],
  ['ignore_file', /^\.[a-z]+ignore$|^\.git(attributes|modules)$/],
  ['bosun_settings', /^bosun\.ya?ml$/],
]

const FOLDERS: readonly (readonly [kind: ProtectedKind, folders: readonly string[]])[] = [
  ['ci', ['.circleci', '.buildkite', '.woodpecker', '.gitlab']],
  ['agent_settings', ['.claude', '.codex', '.opencode', '.gemini', '.qwen', '.goose', '.pi']],
  ['agent_settings', ['.cursor', '.windsurf', '.continue', '.kiro']],
  // Editors or hooks run these files.
  ['commands', ['.vscode', '.husky', '.cargo']],
  ['tools', ['node_modules', '.venv', 'site-packages']],
  ['bosun_settings', ['.bosun']],
]
