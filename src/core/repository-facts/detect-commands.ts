/** Detects the commands that set up, test, check and build a repository, from its file list and manifests. */
import type { Command } from '../planning/plan.ts'
import { nodeCommands } from './detect-node.ts'
import { pythonCommands } from './detect-python.ts'

/** A repository as a file list and its manifests. */
export interface Listing {
  /** Paths relative to the root, with `/`. */
  readonly files: ReadonlySet<string>
  /** The text of a manifest; null if it does not exist. */
  readonly read: (path: string) => string | null
}

export interface DetectedCommands {
  readonly setup: Command | null
  readonly test: Command | null
  readonly lint: Command | null
  readonly typecheck: Command | null
  readonly build: Command | null
}

export type CommandName = keyof DetectedCommands

export const NO_COMMANDS: DetectedCommands = {
  setup: null,
  test: null,
  lint: null,
  typecheck: null,
  build: null,
}

/** Files that are read; of others only the existence counts. */
export const READ_MANIFESTS: readonly string[] = [
  'package.json',
  'pyproject.toml',
  'setup.cfg',
  'tox.ini',
  'pytest.ini',
  'requirements.txt',
  'requirements-dev.txt',
  'Makefile',
  'makefile',
  'GNUmakefile',
  'CMakeLists.txt',
  'Rakefile',
  'Gemfile',
]

export interface Detection {
  readonly commands: DetectedCommands
  /** One line per command that was not found; its gate does not apply. */
  readonly warnings: readonly string[]
}

/** Each command comes from the first kind of project that has it; a Makefile fills the gaps. */
export function detectCommands(repo: Listing): Detection {
  const found = kindsIn(repo)
  const pick = (name: CommandName): Command | null =>
    found.map((commands) => commands?.[name] ?? null).find((command) => command !== null) ?? null
  const commands: DetectedCommands = {
    setup: pick('setup'),
    test: pick('test'),
    lint: pick('lint'),
    typecheck: pick('typecheck'),
    build: pick('build'),
  }
  const missing = (['test', 'lint', 'typecheck', 'build'] as const).filter((name) => commands[name] === null)
  return {
    commands,
    warnings: missing.map((name) => `no ${name} command found; set environment.${name} (null for none)`),
  }
}

function kindsIn(repo: Listing): readonly (Partial<DetectedCommands> | null)[] {
  return KINDS.map((kind) => {
    if (typeof kind === 'function') return kind(repo)
    const [sign, commands] = kind
    const isThere = typeof sign === 'string' ? repo.files.has(sign) : matches(repo.files, sign)
    if (!isThere) return null
    return typeof commands === 'function' ? commands(repo) : commands
  })
}

/** The test command of each kind of project that a repository is. */
export const testsOfKinds = (repo: Listing): readonly Command[] =>
  kindsIn(repo).flatMap((commands) => commands?.test ?? [])

type Detector = (repo: Listing) => Partial<DetectedCommands> | null

const matches = (files: ReadonlySet<string>, pattern: RegExp): boolean =>
  [...files].some((path) => pattern.test(path))

/** A rake task of the tests by its usual name; null where there is none. */
function rakeTests(rakefile: string): string | null {
  const isTask = (name: string): boolean =>
    new RegExp(String.raw`\b(task|TestTask\.(new|create))\b[\s(]{0,9}[:"']?${name}\b`).test(rakefile)
  const isUnnamed = /\bTestTask\.(new|create)\b\s{0,9}(\(\s{0,9}\)|do\b|\{|$)/m.test(rakefile)
  const name = isUnnamed ? 'test' : ['test', 'spec', 'default'].find(isTask)
  if (name === undefined) return null
  const run = name === 'default' ? 'rake' : `rake ${name}`
  // Minitest and test-unit name each test with -v, which takes the place of the options of a task.
  return /\bTestTask\b/.test(rakefile) && !/\.options\b/.test(rakefile) ? `${run} TESTOPTS=-v` : run
}

const ruby: Detector = ({ files, read }) => {
  const run = files.has('Gemfile.lock') ? 'bundle exec ' : ''
  const task = files.has('Rakefile') ? rakeTests(read('Rakefile') ?? '') : null
  const test = rubyTests({ files, read }, task)
  return {
    setup: run === '' ? null : 'bundle install',
    test: test === null ? null : `${run}${test}`,
    lint: files.has('.rubocop.yml') ? `${run}rubocop` : null,
  }
}

/** Specs may be Minitest's as well, which a rake task runs; `rake test` succeeds without a task where there is a folder `test`. */
function rubyTests({ files, read }: Listing, task: string | null): string | null {
  if (!matches(files, /^spec\/.*_spec\.rb$/))
    return files.has('Rakefile') && matches(files, /^test\/.*\.rb$/) ? (task ?? 'rake test') : null
  const isRspec =
    files.has('.rspec') || ['Gemfile', 'Rakefile'].some((name) => /rspec/i.test(read(name) ?? ''))
  return isRspec ? 'rspec' : (task ?? 'rspec')
}

/** Targets by their common names. */
const makefile: Detector = ({ read }) => {
  const text = read('Makefile') ?? read('makefile') ?? read('GNUmakefile')
  if (text === null) return null
  const targets = new Set(
    text.split('\n').flatMap((line) => /^([A-Za-z][\w-]{0,40}) *:(?!=)/.exec(line)?.[1] ?? []),
  )
  const first = (...names: readonly string[]): string | null => {
    const name = names.find((one) => targets.has(one))
    return name === undefined ? null : `make ${name}`
  }
  return {
    test: first('test', 'tests', 'check'),
    lint: first('lint'),
    typecheck: first('typecheck', 'types', 'type-check'),
    build: first('build', 'all'),
  }
}

/** A file that a kind of project has, and its commands. */
type Row = readonly [sign: string | RegExp, commands: Partial<DetectedCommands> | Detector]

/** In the order in which they are asked. */
const KINDS: readonly (Row | Detector)[] = [
  nodeCommands,
  [
    'Cargo.toml',
    {
      test: 'cargo test',
      // What a check leaves beside the results of a build makes a test that links against them fail ("multiple candidates").
      typecheck: 'cargo check --all-targets --target-dir target/check',
      build: 'cargo build',
    },
  ],
  [
    'go.mod',
    ({ files }) => ({
      test: 'go test -v ./...',
      lint: matches(files, /^\.golangci\.(yml|yaml|toml)$/) ? 'golangci-lint run' : 'go vet ./...',
      build: 'go build ./...',
    }),
  ],
  pythonCommands,
  [/^(Gemfile|Rakefile|[^/]+\.gemspec)$/, ruby],
  [
    'composer.json',
    ({ files }) => ({
      setup: 'composer install --no-interaction',
      test: matches(files, /^phpunit(\.dist)?\.xml(\.dist)?$/) ? 'vendor/bin/phpunit' : null,
    }),
  ],
  [
    'pom.xml',
    ({ files }) => {
      const mvn = files.has('mvnw') ? './mvnw' : 'mvn'
      return { test: `${mvn} -B test`, build: `${mvn} -B -DskipTests package` }
    },
  ],
  [
    /^build\.gradle(\.kts)?$/,
    ({ files }) => {
      const run = files.has('gradlew') ? './gradlew' : 'gradle'
      return { test: `${run} test`, build: `${run} assemble` }
    },
  ],
  [/\.(csproj|fsproj|sln|slnx)$/, { setup: 'dotnet restore', test: 'dotnet test', build: 'dotnet build' }],
  [
    'CMakeLists.txt',
    {
      test: 'cmake -S . -B build && cmake --build build && ctest --test-dir build --output-on-failure',
      build: 'cmake -S . -B build && cmake --build build',
    },
  ],
  [
    'meson.build',
    {
      test: 'meson setup build && meson test -C build',
      build: 'meson setup build && meson compile -C build',
    },
  ],
  [
    /^(Makefile\.PL|Build\.PL|cpanfile|dist\.ini)$/,
    ({ files }) => ({ test: matches(files, /^t\/.*\.t$/) ? 'prove -lr t' : null }),
  ],
  [/^(\.busted|spec\/.*_spec\.lua)$/, { test: 'busted' }],
  makefile,
]
