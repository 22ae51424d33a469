/** Decides by path which files are protected, i.e. determine whether work counts as done. */
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

export interface Protection {
  readonly kind: ProtectedKind
  /** The protected parts; null if the whole file is protected. */
  readonly parts: PartReader | null
}

/** Null if the file is not protected, or only as an existing test (see `isBaseTest`). */
export function protectionOf(path: string): Protection | null {
  const plain = normalPath(path).toLowerCase()
  const segments = segmentsOf(plain)
  const name = segments.at(-1) ?? ''
  const folders = segments.slice(0, -1)
  const partly = PARTLY.find(({ names }) => names.test(name))
  if (partly !== undefined) return { kind: partly.kind, parts: partly.parts }
  const whole = WHOLE.find(({ names }) => names.test(name))
  if (whole !== undefined) return { kind: whole.kind, parts: null }
  const inside = FOLDERS.find(({ folder }) => folders.includes(folder))
  if (inside !== undefined) return { kind: inside.kind, parts: null }
  if (folders[0] === '.github' && !isDocPath(name)) return { kind: 'ci', parts: null }
  return null
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

/** Files that start a project. */
const BEGINNINGS =
  /^(package\.json|deno\.jsonc?|pyproject\.toml|setup\.py|go\.mod|cargo\.toml|cmakelists\.txt|makefile|pom\.xml|build\.gradle(\.kts)?|gemfile|composer\.json|mix\.exs)$/
export const isBeginning = (path: string): boolean =>
  BEGINNINGS.test(segmentsOf(path.toLowerCase()).at(-1) ?? '')

interface Named {
  readonly names: RegExp
  readonly kind: ProtectedKind
}

const PARTLY: readonly (Named & { readonly parts: PartReader })[] = [
  { names: /^package\.json$/, kind: 'commands', parts: packageParts },
  { names: /^deno\.jsonc?$/, kind: 'commands', parts: denoParts },
  { names: /^pyproject\.toml$/, kind: 'test_settings', parts: pyprojectParts },
  { names: /^setup\.cfg$/, kind: 'test_settings', parts: setupCfgParts },
  { names: /^cargo\.toml$/, kind: 'test_settings', parts: cargoParts },
  { names: /^(gnu)?makefile$|\.mk$|^\.?justfile$/, kind: 'commands', parts: makeParts },
  { names: /^go\.(mod|work)$/, kind: 'test_settings', parts: linesLike(/\breplace\b|=>|^tool\b/) },
  {
    names: /^cmakelists\.txt$|\.cmake$/,
    kind: 'test_settings',
    // Adding a test does not affect others, so `add_test` counts only when removed.
    parts: linesLike(
      /enable_testing|set_tests_properties|WILL_FAIL|include\s*\(\s*CTest|CTEST_|NDEBUG|-Wno-|-w\b|-Werror|-fsanitize|CLANG_TIDY/i,
      /add_test|_discover_tests/i,
    ),
  },
  {
    names: /^pom\.xml$/,
    kind: 'test_settings',
    parts: linesLike(
      /skipTests|skipITs|maven\.test|testFailureIgnore|surefire|failsafe|jacoco|checkstyle|spotbugs|<(in|ex)clude>|failOn/i,
    ),
  },
  {
    names: /^build\.gradle(\.kts)?$|^gradle\.properties$/,
    kind: 'test_settings',
    parts: linesLike(
      /ignoreFailures|useJUnit|useTestNG|jacoco|checkstyle|detekt|ktlint|spotbugs|failOn|\btest\b.{0,40}\{|retry|onlyIf|exclude/i,
    ),
  },
  {
    names: /^vite\.config\.[cm]?[jt]s$/,
    kind: 'test_settings',
    parts: linesLike(/\btests?\b|coverage|exclude|include|setupFiles|retry|timeout|alias/i),
  },
  {
    names: /^rakefile$|\.rake$/,
    kind: 'commands',
    parts: linesLike(/test|spec|rubocop|default/i),
  },
  {
    names: /\.csproj$|^directory\.build\.(props|targets)$/,
    kind: 'lint_settings',
    parts: linesLike(/NoWarn|TreatWarnings|WarningsAs|Nullable|Analysis|IsTestProject|RunSettings|Coverage/i),
  },
]

const WHOLE: readonly Named[] = [
  {
    kind: 'test_settings',
    names:
      /^(vitest|jest|ava|karma|playwright|cypress|wdio|web-test-runner|babel)[.-](config|conf|setup|workspace|preset|projects|global[\w-]*)\b|^setup-?tests?\.[cm]?[jt]sx?$|^\.(mocharc|nycrc|c8rc|taprc|swcrc|babelrc|jasmine|testcaferc)\b|^jasmine\.json$|^cypress\.json$|^bunfig\.toml$/,
  },
  {
    kind: 'test_settings',
    names:
      /^(conftest|noxfile|sitecustomize|usercustomize)\.py$|^\.?(pytest|tox)\.ini$|^\.coveragerc$|^\.rspec(-local)?$|^\.simplecov$|^phpunit\.xml(\.dist)?$|\.runsettings$|^junit-platform\.properties$|^testng\.xml$|^nextest\.toml$|^\.?codecov\.ya?ml$|^sonar-project\.properties$|^ctestconfig\.cmake$/,
  },
  {
    kind: 'lint_settings',
    names:
      /^[tj]sconfig\b.*\.json$|^\.eslintrc\b|^eslint\.config\.|^\.?biome\.jsonc?$|^\.?oxlint(rc)?\b.*\.json$|^\.(prettier|stylelint|jshint|oxfmt|htmlhint|markdownlint|lintstaged|commitlint)(rc)?\b|^(prettier|stylelint|lint-staged|commitlint)\.config\.|^\.(editorconfig|pre-commit-config\.yaml)$|^\.?lefthook\.ya?ml$|^tslint\.json$/,
  },
  {
    kind: 'lint_settings',
    names:
      /^\.?(ruff|clippy|rustfmt|taplo)\.toml$|^\.?mypy\.ini$|^\.flake8$|^\.?pylintrc(\.toml)?$|^pyrightconfig\.json$|^\.?golangci\.(ya?ml|toml|json)$|^\.clang-(tidy|format)$|^\.shellcheckrc$|^\.rubocop(_todo)?\.yml$|^checkstyle.*\.xml$|^\.?detekt.*\.yml$|^phpstan\.neon(\.dist)?$|^\.php-cs-fixer\b|^\.credo\.exs$|^rust-toolchain(\.toml)?$/,
  },
  {
    kind: 'commands',
    names: /^taskfile\.ya?ml$|^(turbo|nx|lerna)\.json$|^\.?(npmrc|yarnrc(\.yml)?)$|^\.pnpmfile\.c?js$/,
  },
  {
    kind: 'ci',
    names:
      /^\.gitlab-ci\.ya?ml$|^jenkinsfile$|^\.travis\.yml$|^\.?appveyor\.yml$|^azure-pipelines.*\.ya?ml$|^bitbucket-pipelines\.yml$|^\.(drone|woodpecker|cirrus)\.ya?ml$|^cloudbuild\.ya?ml$|^codeowners$/,
  },
  {
    kind: 'agent_settings',
    names:
      /^(claude|claude\.local|agents|agents\.override|gemini)\.md$|^\.?opencode\.jsonc?$|^\.mcp\.json$|^\.(cursorrules|windsurfrules|clinerules|goosehints)$|^\.aider\b|^copilot-instructions\.md$/,
  },
  { kind: 'ignore_file', names: /^\.[a-z]+ignore$|^\.git(attributes|modules)$/ },
  { kind: 'bosun_settings', names: /^bosun\.ya?ml$/ },
]

const FOLDERS: readonly { readonly folder: string; readonly kind: ProtectedKind }[] = [
  ...['.circleci', '.buildkite', '.woodpecker', '.gitlab'].map((folder) => ({ folder, kind: 'ci' }) as const),
  ...['.claude', '.codex', '.gemini', '.opencode', '.cursor', '.windsurf', '.continue', '.kiro'].map(
    (folder) => ({ folder, kind: 'agent_settings' }) as const,
  ),
  // Editors or hooks run these files.
  ...['.vscode', '.husky', '.cargo'].map((folder) => ({ folder, kind: 'commands' }) as const),
  ...['node_modules', '.venv', 'site-packages'].map((folder) => ({ folder, kind: 'tools' }) as const),
  { folder: '.bosun', kind: 'bosun_settings' },
]
