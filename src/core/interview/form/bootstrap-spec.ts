/** The spec of a project's set-up: what has to be there before its first feature is built. */
import type { Requirement, Spec } from '../../spec/spec.ts'
import type { BootstrapFacts } from '../turn.ts'

/** Null where the project needs no set-up. */
export function bootstrapSpec(
  language: string,
  bootstrap: BootstrapFacts,
  { title, created }: Pick<Spec, 'title' | 'created'>,
): Spec | null {
  if (!bootstrap.needed) return null
  const tools = toolchainOf(language)
  const requirements = [project(tools, bootstrap), tests(tools), checks(tools), guide(tools)]
  return {
    version: '1.0',
    priority: 'must',
    created,
    title: `Set-up of ${title}`,
    vision: `A repository in which "${title}" can be built and tested, in ${tools.label}.`,
    inScope: requirements.map((one) => one.title),
    outOfScope: ['Features of the product', 'Publishing and deployment'],
    requirements,
    notes: [],
  }
}

const requirement = (
  number: number,
  given: Pick<Requirement, 'title' | 'type' | 'description' | 'criteria'>,
): Requirement => ({
  id: `R-00${number}`,
  priority: 'must',
  dependsOn: number === 1 ? [] : ['R-001'],
  line: 0,
  ...given,
})

function project({ label, manifest, ignored, build }: Toolchain, { missing }: BootstrapFacts): Requirement {
  return requirement(1, {
    title: `Set up the ${label} project`,
    type: 'infrastructure',
    description: `Create the smallest project in ${label} that can be installed${build === null ? '' : ' and built'}. Missing today: ${missing.map((part) => part.replace('_', ' ')).join(', ')}.`,
    criteria: [
      `${manifest} names the project and how to test and check it`,
      `.gitignore names ${ignored.join(', ')}`,
      ...(build === null ? [] : [`"${build.command}" exits with 0`]),
    ],
  })
}

const tests = ({ test }: Toolchain): Requirement =>
  requirement(2, {
    title: `Set up tests with ${test.name}`,
    type: 'infrastructure',
    description: `Set up ${test.name} with one test of the project's own code, so that every later task can add tests.`,
    criteria: [
      `"${test.command}" runs at least one test and exits with 0`,
      'A wrong expectation in that test makes the command exit with another code than 0',
    ],
  })

const checks = ({ lint }: Toolchain): Requirement =>
  requirement(3, {
    title: `Set up checks with ${lint.name}`,
    type: 'infrastructure',
    description: `Set up ${lint.name} with its recommended rules.`,
    criteria: [`"${lint.command}" exits with 0 and reports nothing`],
  })

const guide = ({ test, lint }: Toolchain): Requirement =>
  requirement(4, {
    title: 'Say how to work on it',
    type: 'documentation',
    description: 'A README for people who see the project for the first time.',
    criteria: [
      `README.md says how to install the project, and names "${test.command}" and "${lint.command}"`,
    ],
  })

/** How a new project of each language is set up, tested, checked and built. */

interface Toolchain {
  readonly language: string
  readonly label: string
  readonly manifest: string
  readonly test: Tool
  readonly lint: Tool
  /** Null where there is nothing to build. */
  readonly build: Tool | null
  /** What the ignore file names at least. */
  readonly ignored: readonly string[]
}

interface Tool {
  readonly name: string
  readonly command: string
}

export const TOOLCHAINS: readonly Toolchain[] = [
  {
    language: 'typescript',
    label: 'TypeScript',
    manifest: 'package.json',
    test: { name: 'vitest', command: 'npm test' },
    lint: { name: 'eslint', command: 'npm run lint' },
    build: { name: 'tsc', command: 'npm run build' },
    ignored: ['node_modules/', 'dist/'],
  },
  {
    language: 'javascript',
    label: 'JavaScript',
    manifest: 'package.json',
    test: { name: 'node --test', command: 'npm test' },
    lint: { name: 'eslint', command: 'npm run lint' },
    build: null,
    ignored: ['node_modules/'],
  },
  {
    language: 'python',
    label: 'Python',
    manifest: 'pyproject.toml',
    test: { name: 'pytest', command: 'pytest -v' },
    lint: { name: 'ruff', command: 'ruff check .' },
    build: null,
    ignored: ['__pycache__/', '.venv/', '.pytest_cache/'],
  },
  {
    language: 'go',
    label: 'Go',
    manifest: 'go.mod',
    test: { name: 'go test', command: 'go test ./...' },
    lint: { name: 'go vet', command: 'go vet ./...' },
    build: { name: 'go build', command: 'go build ./...' },
    ignored: ['bin/'],
  },
  {
    language: 'rust',
    label: 'Rust',
    manifest: 'Cargo.toml',
    test: { name: 'cargo test', command: 'cargo test' },
    lint: { name: 'clippy', command: 'cargo clippy -- -D warnings' },
    build: { name: 'cargo build', command: 'cargo build' },
    ignored: ['target/'],
  },
  {
    language: 'java',
    label: 'Java',
    manifest: 'pom.xml',
    test: { name: 'JUnit', command: 'mvn -B test' },
    lint: { name: 'checkstyle', command: 'mvn -B checkstyle:check' },
    build: { name: 'Maven', command: 'mvn -B -DskipTests package' },
    ignored: ['target/'],
  },
  {
    language: 'csharp',
    label: 'C#',
    manifest: 'a project file (.csproj)',
    test: { name: 'xUnit', command: 'dotnet test' },
    lint: { name: 'dotnet format', command: 'dotnet format --verify-no-changes' },
    build: { name: 'dotnet', command: 'dotnet build' },
    ignored: ['bin/', 'obj/'],
  },
  {
    language: 'ruby',
    label: 'Ruby',
    manifest: 'Gemfile',
    test: { name: 'minitest', command: 'bundle exec rake test' },
    lint: { name: 'rubocop', command: 'bundle exec rubocop' },
    build: null,
    ignored: ['.bundle/', 'vendor/bundle/'],
  },
]

/** By its key; another language gets the usual tools of its own. */
const toolchainOf = (language: string): Toolchain =>
  TOOLCHAINS.find((one) => one.language === language) ?? ownTools(language.trim() || 'its language')

function ownTools(name: string): Toolchain {
  const tool = (what: string): Tool => ({
    name: `the usual ${what} of ${name}`,
    command: `the ${what} command`,
  })
  return {
    language: name,
    label: name,
    manifest: `the manifest of ${name}`,
    test: tool('test'),
    lint: tool('lint'),
    build: tool('build'),
    ignored: ['build output'],
  }
}
