/** How a new project of each language is set up, tested, checked and built. */

export interface Toolchain {
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
export const toolchainOf = (language: string): Toolchain =>
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
