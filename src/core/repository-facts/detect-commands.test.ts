import { describe, expect, test } from 'vitest'
import { detectCommands, NO_COMMANDS } from './detect-commands.ts'

const detect = (files: Record<string, string>) =>
  detectCommands({ files: new Set(Object.keys(files)), read: (path) => files[path] ?? null })
const commands = (files: Record<string, string>) => detect(files).commands
const pkg = (json: object) => ({ 'package.json': JSON.stringify(json) })

describe('node', () => {
  test('commands come from the scripts and the lock file', () => {
    const scripts = { test: 'vitest run', lint: 'eslint .', typecheck: 'tsc', build: 'vite build' }
    const manifest = pkg({ scripts, devDependencies: { vitest: '1' } })
    expect(commands({ ...manifest, 'package-lock.json': '' })).toEqual({
      setup: 'npm ci',
      test: 'npm test',
      lint: 'npm run lint',
      typecheck: 'npm run typecheck',
      build: 'npm run build',
    })
    expect(commands({ ...manifest, 'pnpm-lock.yaml': '' })).toMatchObject({
      setup: 'pnpm install --frozen-lockfile',
      test: 'pnpm test',
    })
    expect(commands({ ...manifest, 'yarn.lock': '' }).setup).toBe('yarn install --frozen-lockfile')
    expect(commands({ ...manifest, 'bun.lock': '' }).test).toBe('bun test')
    expect(commands(manifest).setup).toBe('npm install')
  })

  test('a project without dependencies needs no set-up', () => {
    expect(commands(pkg({ scripts: { test: 'node --test' } }))).toMatchObject({
      setup: null,
      test: 'npm test',
    })
  })

  test('the placeholder test of npm init is ignored, and node runs the tests', () => {
    const scripts = { test: 'echo "Error: no test specified" && exit 1' }
    expect(commands({ ...pkg({ scripts }), 'test/a.test.js': '' }).test).toBe('node --test')
    expect(commands(pkg({ scripts })).test).toBeNull()
    expect(commands({ 'a.test.mjs': '' }).test).toBe('node --test')
  })

  test.each([
    ['xo && ava && tsd', { test: 'npx ava --tap', lint: 'npx xo', typecheck: 'npx tsd' }],
    ['ava', { test: 'npx ava --tap', lint: null, typecheck: null }],
    ['ava --tap', { test: 'npx ava --tap', lint: null }],
    ['xo && c8 ava --timeout=1m', { test: 'npx c8 ava --tap --timeout=1m', lint: 'npx xo' }],
    ['npm run build && ava', { test: 'npm run build && npx ava --tap' }],
    ['npm run lint && ava', { test: 'npx ava --tap', lint: 'npm run lint' }],
    [
      'xo && prettier --check . && vitest run && tsc --noEmit',
      {
        test: 'npx vitest run',
        lint: 'npx xo && npx prettier --check .',
        typecheck: 'npx tsc --noEmit',
      },
    ],
    ['node --test && tsd', { test: 'node --test', typecheck: 'npx tsd' }],
  ])('a test script of several known steps is split: %s', (script, expected) => {
    const scripts = { test: script, build: 'rollup -c', lint: script.includes('lint') ? 'xo' : '' }
    expect(commands(pkg({ scripts }))).toMatchObject(expected)
  })

  test.each([
    'xo && vitest run',
    'ava && node scripts/after.js',
    'node scripts/before.js && ava',
    'NODE_ENV=test ava',
    'ava; xo',
    'ava && vitest run && tsd',
    'ava "a b" && xo | cat',
    'xo && tsd',
    'ava && npm run build',
  ])(
    'a test script with a step that is not known, or whose report can be read, is run as it is: %s',
    (script) => {
      const scripts = { test: script, build: 'rollup -c' }
      expect(commands(pkg({ scripts }))).toMatchObject({ test: 'npm test', lint: null, typecheck: null })
    },
  )

  test('a test script with steps before or after it is left to the package manager', () => {
    expect(commands(pkg({ scripts: { test: 'xo && ava', pretest: 'node make.js' } })).test).toBe('npm test')
    expect(commands({ ...pkg({ scripts: { test: 'xo && ava' } }), 'pnpm-lock.yaml': '' })).toMatchObject({
      test: 'pnpm exec ava --tap',
      lint: 'pnpm exec xo',
    })
  })

  test('an installed TypeScript checks types', () => {
    const manifest = pkg({ devDependencies: { typescript: '6', vitest: '1' } })
    expect(commands({ ...manifest, 'tsconfig.json': '{}' })).toMatchObject({
      typecheck: 'npx tsc --noEmit',
      test: 'npx vitest run',
    })
  })

  test('an unreadable manifest is ignored', () => {
    expect(commands({ 'package.json': '{' })).toEqual(NO_COMMANDS)
    expect(commands({ 'package.json': '{"scripts": 7}' }).test).toBeNull()
  })
})

describe('commands of other kinds of projects', () => {
  test.each([
    [{ 'Cargo.toml': '' }, { test: 'cargo test', build: 'cargo build' }],
    [{ 'go.mod': '' }, { test: 'go test -v ./...', lint: 'go vet ./...' }],
    [{ 'pom.xml': '' }, { test: 'mvn -B test' }],
    [{ 'pom.xml': '', mvnw: '' }, { test: './mvnw -B test' }],
    [{ 'src/Shop.csproj': '' }, { setup: 'dotnet restore', test: 'dotnet test' }],
    [{ 'CMakeLists.txt': '' }, { build: 'cmake -S . -B build && cmake --build build' }],
    [
      { Makefile: 'CC := gcc\ntest: all\n\t./run\nlint:\n\ttrue\n' },
      { test: 'make test', lint: 'make lint', build: null },
    ],
    [
      { 'pyproject.toml': '[tool.pytest.ini_options]\n[tool.ruff]\n[tool.mypy]\n', 'uv.lock': '' },
      {
        setup: 'uv sync --frozen',
        test: 'uv run pytest -v',
        lint: 'uv run ruff check .',
        typecheck: 'uv run mypy .',
      },
    ],
    [{ 'requirements.txt': 'flask\npytest==8\n' }, { test: 'python3 -m pytest -v', lint: null }],
    [{ 'tox.ini': '[testenv]\ndeps = pytest\n', 'test_cart.py': '' }, { test: 'python3 -m pytest -v' }],
    [
      { 'setup.py': '', 'src/cart/__init__.py': '', 'tests/test_cart.py': '' },
      { test: 'PYTHONPATH=src python3 -m unittest -v' },
    ],
    [
      { Gemfile: '', 'Gemfile.lock': '', 'spec/cart_spec.rb': '', '.rubocop.yml': '' },
      { setup: 'bundle install', test: 'bundle exec rspec', lint: 'bundle exec rubocop' },
    ],
    [
      { Rakefile: '', 'cart.gemspec': '', 'test/cart_test.rb': '' },
      { setup: null, test: 'rake test' },
    ],
    [
      { Rakefile: "Rake::TestTask.new do |t|\n  t.pattern = 'test/*.rb'\nend\n", 'test/cart_test.rb': '' },
      { test: 'rake test TESTOPTS=-v' },
    ],
    [
      { Rakefile: 'Minitest::TestTask.create(:spec) { |t| t.warning = true }\n', 'test/cart_test.rb': '' },
      { test: 'rake spec TESTOPTS=-v' },
    ],
    [
      { Rakefile: "Rake::TestTask.new(:test) { |t| t.options = '--seed 1' }\n", 'test/cart_test.rb': '' },
      { test: 'rake test' },
    ],
    [
      { Rakefile: 'task "spec" do\n  sh "ruby test/all.rb"\nend\ntask :default=>:spec\n', 'test/all.rb': '' },
      { test: 'rake spec' },
    ],
    [
      { Rakefile: 'task "spec" do\n  sh "ruby spec/all.rb"\nend\n', 'a.gemspec': '', 'spec/a_spec.rb': '' },
      { test: 'rake spec' },
    ],
    [
      { Rakefile: 'task "spec" do\n  sh "rspec"\nend\n', Gemfile: '', 'spec/a_spec.rb': '' },
      { test: 'rspec' },
    ],
    [{ Rakefile: 'task :default\n', Gemfile: "gem 'rspec'\n", 'spec/a_spec.rb': '' }, { test: 'rspec' }],
    [{ Rakefile: 'task :spec\n', '.rspec': '', 'spec/a_spec.rb': '' }, { test: 'rspec' }],
    [{ Rakefile: "require 'bundler/gem_tasks'\n", 'spec/a_spec.rb': '' }, { test: 'rspec' }],
    [{ Rakefile: 'task(:default) { sh "ruby test/all.rb" }\n', 'test/all.rb': '' }, { test: 'rake' }],
    [{ 'meson.build': '', 'tests/a.c': '' }, { test: 'meson setup build && meson test -C build' }],
    [{ 'composer.json': '{}', 'phpunit.xml.dist': '' }, { test: 'vendor/bin/phpunit' }],
    [{ 'Makefile.PL': '', 't/cart.t': '' }, { test: 'prove -lr t' }],
    [
      { 'spec/cart_spec.lua': '', Makefile: 'all:\n\ttrue\n' },
      { test: 'busted', build: 'make all' },
    ],
    [{ 'test_cart.py': '' }, { test: 'python3 -m unittest -v' }],
  ])('%o', (files, expected) => {
    expect(commands(files)).toMatchObject(expected)
  })
})

test('commands that were not found are reported', () => {
  const { commands: none, warnings } = detect({ 'README.md': '' })
  expect(none).toEqual(NO_COMMANDS)
  expect(warnings).toContain('no test command found; set environment.test (null for none)')
})
