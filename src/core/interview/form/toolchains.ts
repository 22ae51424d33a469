/** How a new project of each language is set up, tested, checked and built. */

export interface Toolchain {
  readonly language: string
  readonly label: string
  /** What people call it, in lower case. */
  readonly names: readonly string[]
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
    names: ['typescript', 'ts', 'react', 'vue', 'svelte', 'angular', 'next.js', 'nextjs'],
    manifest: 'package.json',
    test: { name: 'vitest', command: 'npm test' },
    lint: { name: 'eslint', command: 'npm run lint' },
    build: { name: 'tsc', command: 'npm run build' },
    ignored: ['node_modules/', 'dist/'],
  },
  {
    language: 'javascript',
    label: 'JavaScript',
    names: ['javascript', 'js', 'node', 'node.js', 'nodejs', 'express'],
    manifest: 'package.json',
    test: { name: 'node --test', command: 'npm test' },
    lint: { name: 'eslint', command: 'npm run lint' },
    build: null,
    ignored: ['node_modules/'],
  },
  {
    language: 'python',
    label: 'Python',
    names: ['python', 'django', 'flask', 'fastapi'],
    manifest: 'pyproject.toml',
    test: { name: 'pytest', command: 'pytest -v' },
    lint: { name: 'ruff', command: 'ruff check .' },
    build: null,
    ignored: ['__pycache__/', '.venv/', '.pytest_cache/'],
  },
  {
    language: 'go',
    label: 'Go',
    names: ['go', 'golang'],
    manifest: 'go.mod',
    test: { name: 'go test', command: 'go test ./...' },
    lint: { name: 'go vet', command: 'go vet ./...' },
    build: { name: 'go build', command: 'go build ./...' },
    ignored: ['bin/'],
  },
  {
    language: 'rust',
    label: 'Rust',
    names: ['rust', 'cargo'],
    manifest: 'Cargo.toml',
    test: { name: 'cargo test', command: 'cargo test' },
    lint: { name: 'clippy', command: 'cargo clippy -- -D warnings' },
    build: { name: 'cargo build', command: 'cargo build' },
    ignored: ['target/'],
  },
  {
    language: 'java',
    label: 'Java',
    names: ['java', 'spring', 'maven'],
    manifest: 'pom.xml',
    test: { name: 'JUnit', command: 'mvn -B test' },
    lint: { name: 'checkstyle', command: 'mvn -B checkstyle:check' },
    build: { name: 'Maven', command: 'mvn -B -DskipTests package' },
    ignored: ['target/'],
  },
  {
    language: 'csharp',
    label: 'C#',
    names: ['c#', 'csharp', '.net', 'dotnet'],
    manifest: 'a project file (.csproj)',
    test: { name: 'xUnit', command: 'dotnet test' },
    lint: { name: 'dotnet format', command: 'dotnet format --verify-no-changes' },
    build: { name: 'dotnet', command: 'dotnet build' },
    ignored: ['bin/', 'obj/'],
  },
  {
    language: 'ruby',
    label: 'Ruby',
    names: ['ruby', 'rails'],
    manifest: 'Gemfile',
    test: { name: 'minitest', command: 'bundle exec rake test' },
    lint: { name: 'rubocop', command: 'bundle exec rubocop' },
    build: null,
    ignored: ['.bundle/', 'vendor/bundle/'],
  },
]

/** By any of its names; an unknown language gets the usual tools of its own. */
export function toolchainOf(name: string): Toolchain {
  const wanted = name.trim().toLowerCase()
  const known = TOOLCHAINS.find(({ language, names }) => language === wanted || names.includes(wanted))
  return known ?? TOOLCHAINS.find((one) => mentions(one, wanted)) ?? ownTools(name.trim())
}

/** The language that a text names; null where it names none. */
export const languageNamedIn = (wording: string): string | null =>
  TOOLCHAINS.find((one) => mentions(one, wording))?.language ?? null

/** Names that are also ordinary words count only where a language is meant. */
const ORDINARY: ReadonlySet<string> = new Set([
  'go',
  'rust',
  'express',
  'spring',
  'node',
  'react',
  'rails',
  'cargo',
  'flask',
  'js',
  'ts',
])

function mentions({ names }: Toolchain, wording: string): boolean {
  return names.some((name) => {
    const word = name.replace(/[+#.]/g, '\\$&')
    const pattern = ORDINARY.has(name)
      ? `(?:\\b(?:in|with|using|mit|written in|use)\\s+${word})(?![\\w])`
      : `(?:^|[^\\w])${word}(?![\\w])`
    return new RegExp(pattern).test(wording)
  })
}

function ownTools(name: string): Toolchain {
  const tool = (what: string): Tool => ({
    name: `the usual ${what} of ${name}`,
    command: `the ${what} command`,
  })
  return {
    language: name,
    label: name,
    names: [],
    manifest: `the manifest of ${name}`,
    test: tool('test'),
    lint: tool('lint'),
    build: tool('build'),
    ignored: ['build output'],
  }
}
