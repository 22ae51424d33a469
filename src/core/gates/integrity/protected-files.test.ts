import { describe, expect, test } from 'vitest'
import { aChange, type BeforeAfter } from '../../../../test/helpers/a-change.ts'
import { integrity } from './integrity.ts'
import { protectedChanges, type NamingSpec } from './protected-files.ts'

interface Named {
  readonly create?: string[]
  readonly modify?: string[]
  readonly remove?: string[]
  readonly tests?: string[]
  readonly inferred?: NamingSpec['inferred']
}
const spec = ({
  create = [],
  modify = [],
  remove = [],
  tests = [],
  inferred = [],
}: Named = {}): NamingSpec => ({
  files: { create, modify, delete: remove },
  testsToAdd: tests,
  inferred,
})
const permissions = (files: Readonly<Record<string, BeforeAfter>>, named?: Named) =>
  protectedChanges(aChange(files), spec(named)).map(({ path, permission }) => `${path} ${permission}`)
const judged = (files: Readonly<Record<string, BeforeAfter>>, named?: Named) =>
  integrity({ change: aChange(files), trees: NO_TREES, spec: spec(named), gateScripts: [] })

const NO_TREES = { before: () => null, after: () => null }
const CHANGED: BeforeAfter = ['a\n', 'b\n']
const ADDED: BeforeAfter = [null, 'a\n']
const DELETED: BeforeAfter = ['a\n', null]

describe('files that decide success', () => {
  test.each([
    'test/a.test.js',
    'src/a.spec.ts',
    'tests/fixtures/data.json',
    'pkg/testdata/golden.txt',
    'test/golden.txt',
    'tests/expected/output.md',
    'test/cases/rendered.rst',
    'test/cases/README.md',
    'e2e/pages/home.adoc',
    'spec/fixtures/mail.md',
    'spec/mail.txt',
    'src/report.expected.txt',
    'src/__snapshots__/page.md',
    'app/cart.spec.ts-snapshots/total.png',
    'lib/cart.test.js.snapshot',
    'golden/prices.json',
    'fixtures/user.json',
    'pkg/report.golden',
    'src/__snapshots__/a.test.ts.snap',
    'src/__mocks__/fs.js',
    'spec/spec_helper.rb',
    'internal/grid_test.go',
    'src/test/java/AppTest.java',
    'vitest.config.ts',
    'vitest.workspace.ts',
    'jest.config.cjs',
    'jest.setup.js',
    'src/setupTests.ts',
    '.mocharc.yml',
    '.nycrc.json',
    'tests/conftest.py',
    'pytest.ini',
    'tox.ini',
    '.coveragerc',
    'sitecustomize.py',
    'tsconfig.json',
    'packages/a/tsconfig.build.json',
    '.eslintrc.cjs',
    'eslint.config.mjs',
    'biome.json',
    '.oxlintrc.json',
    'ruff.toml',
    'mypy.ini',
    '.golangci.yml',
    'clippy.toml',
    '.clang-tidy',
    '.rubocop.yml',
    '.github/workflows/ci.yml',
    '.github/actions/setup/action.yml',
    '.gitlab-ci.yml',
    '.circleci/config.yml',
    'Jenkinsfile',
    '.claude/settings.json',
    'CLAUDE.md',
    'packages/a/AGENTS.md',
    '.mcp.json',
    '.gemini/settings.json',
    '.codex/config.toml',
    'opencode.json',
    '.cursor/rules/a.mdc',
    '.vscode/tasks.json',
    '.husky/pre-commit',
    '.gitignore',
    '.dockerignore',
    '.eslintignore',
    '.gitattributes',
    '.npmrc',
    'node_modules/vitest/index.js',
    'bosun.yaml',
  ])('%s may not be changed unless the contract names it', (path) => {
    expect(permissions({ [path]: CHANGED })).toEqual([`${path} not_named`])
    expect(permissions({ [path]: CHANGED }, { modify: [path] })).toEqual([`${path} named`])
    expect(judged({ [path]: CHANGED }).outcome).toBe('failed')
    expect(judged({ [path]: CHANGED }, { modify: [path] }).outcome).toBe('passed')
  })

  test.each([
    'src/app.ts',
    'src/contest.ts',
    'shop/fixtures/initial.json',
    'README.md',
    'test/README.md',
    'packages/a/tests/CONTRIBUTING.md',
    'specs/001-cart/notes.md',
    'spec/overview.rst',
    'docs/testing.md',
    'requirements.txt',
    'package-lock.json',
    'src/config/settings.json',
    'src/ignore.ts',
    '.github/PULL_REQUEST_TEMPLATE.md',
    'src/claude.ts',
    'models/best.pth',
  ])('%s is like any other', (path) => {
    expect(permissions({ [path]: CHANGED })).toEqual([])
  })

  test('a new test decides nothing about what was there, and new settings do', () => {
    expect(permissions({ 'test/new.test.js': ADDED, 'test/helper.js': ADDED })).toEqual([])
    expect(permissions({ 'test/conftest.py': ADDED, '.eslintignore': ADDED })).toEqual([
      'test/conftest.py not_named',
      '.eslintignore not_named',
    ])
  })

  test('settings that come with a new project change nothing that was there; agent settings always do', () => {
    const files = {
      'app/package.json': [null, '{"scripts":{"test":"vitest"}}'],
      'app/vitest.config.ts': ADDED,
      'app/.claude/settings.json': ADDED,
      'vitest.config.ts': ADDED,
    } as const
    expect(permissions(files)).toEqual([
      'app/package.json begun',
      'app/vitest.config.ts begun',
      'app/.claude/settings.json not_named',
      'vitest.config.ts not_named',
    ])
  })

  test('a project that begins among tests begins nothing', () => {
    const files = {
      'test/package.json': [null, '{"scripts":{"test":"true"}}'],
      'test/tsconfig.json': ADDED,
    } as const
    expect(permissions(files)).toEqual(['test/package.json not_named', 'test/tsconfig.json not_named'])
  })
})

describe('protected files that the contract names', () => {
  test('a path, a folder or a pattern of tests names tests; a folder of sources does not', () => {
    const path = 'src/deep/a.test.ts'
    const byPattern = (modify: string) => permissions({ [path]: CHANGED }, { modify: [modify] })
    expect(byPattern('src/deep/a.test.ts')).toEqual([`${path} named`])
    expect(byPattern('src/**/*.test.ts')).toEqual([`${path} named`])
    expect(byPattern('src/')).toEqual([`${path} not_named`])
    expect(byPattern('src/**')).toEqual([`${path} not_named`])
    expect(permissions({ 'test/a.js': CHANGED }, { modify: ['test/'] })).toEqual(['test/a.js named'])
    expect(permissions({ '.github/workflows/a.yml': CHANGED }, { modify: ['.github/workflows/'] })).toEqual([
      '.github/workflows/a.yml named',
    ])
    expect(permissions({ '.claude/settings.json': CHANGED }, { modify: ['**'] })).toEqual([
      '.claude/settings.json not_named',
    ])
  })

  test('a test that is to be extended may be changed, with its snapshot, and not deleted', () => {
    const files = { 'src/a.test.ts': CHANGED, 'src/__snapshots__/a.test.ts.snap': CHANGED }
    expect(permissions(files, { tests: ['src/a.test.ts'] })).toEqual([
      'src/a.test.ts named',
      'src/__snapshots__/a.test.ts.snap named',
    ])
    expect(permissions({ 'src/a.test.ts': DELETED }, { tests: ['src/a.test.ts'] })).toEqual([
      'src/a.test.ts not_to_go',
    ])
    expect(permissions({ 'src/a.test.ts': DELETED }, { remove: ['src/a.test.ts'] })).toEqual([
      'src/a.test.ts named',
    ])
    expect(permissions({ 'src/a.test.ts': DELETED })).toEqual(['src/a.test.ts not_named'])
  })

  test('golden files are changed where the contract names them, their folder or a pattern of them', () => {
    const path = 'test/expected/cart.txt'
    for (const modify of [path, 'test/', 'test/expected/', 'test/expected/*.txt']) {
      expect(permissions({ [path]: CHANGED }, { modify: [modify] })).toEqual([`${path} named`])
    }
    expect(permissions({ [path]: CHANGED }, { modify: ['src/'] })).toEqual([`${path} not_named`])
    expect(permissions({ [path]: ADDED })).toEqual([])
    expect(permissions({ [path]: DELETED })).toEqual([`${path} not_named`])
  })

  test('snapshots belong to the test that the contract names, however a runner calls them', () => {
    const files = {
      'lib/cart.test.js.snapshot': CHANGED,
      'lib/cart.test.js-snapshots/total.png': CHANGED,
    }
    expect(permissions(files, { tests: ['lib/cart.test.js'] })).toEqual([
      'lib/cart.test.js.snapshot named',
      'lib/cart.test.js-snapshots/total.png named',
    ])
  })

  test('allowed changes are listed for review', () => {
    const files = {
      'src/a.ts': CHANGED,
      'src/a.test.ts': CHANGED,
      'package.json': ['{}', '{"scripts":{"b":"c"}}'],
    } as const
    const { outcome, evidence, summary } = judged(files, {
      modify: ['package.json', 'src/a.ts', 'src/a.test.ts'],
    })
    expect([outcome, summary]).toEqual(['passed', '2 protected files changed, as the contract allows'])
    expect(evidence.findings.map(({ text, file }) => [file, text])).toEqual([
      ['src/a.test.ts', 'protected, changed as the contract allows: src/a.test.ts (an existing test)'],
      ['package.json', 'protected, changed as the contract allows: package.json (gate commands: scripts.b)'],
    ])
  })

  describe('where the plan leaves it open which tests are written', () => {
    const inferred = ['tests_to_add'] as const
    test('a test that lines are only added to passes, and is noted', () => {
      const files = {
        'src/a.test.ts': ['a\n', 'a\nb\n'],
        'src/__snapshots__/a.test.ts.snap': ['a\n', 'a\nb\n'],
      } as const
      const { outcome, evidence } = judged(files, { inferred: [...inferred] })
      expect([outcome, evidence.findings.map(({ weight }) => weight)]).toEqual(['passed', ['note', 'note']])
    })

    test('an import may change with it', () => {
      const files = { 'a.test.ts': ["import { a } from 'a'\n", "import { a, b } from 'a'\nb()\n"] } as const
      expect(permissions(files, { inferred: ['files'] })).toEqual(['a.test.ts extended'])
    })

    test.each([
      ['if (false) {\na()\n}\n', 'wrapped'],
      ['#if 0\na()\n#endif\n', 'compiled out'],
      ['/*\na()\n*/\n', 'commented out'],
      ['return\na()\n', 'left early'],
      ["import 'b' /*\na()\n*/\n", 'commented out by an import'],
    ])('what was there stays protected where it is %j: %s', (after) => {
      expect(permissions({ 'a.test.ts': ['a()\n', after] }, { inferred: ['files'] })).toEqual([
        'a.test.ts not_named',
      ])
    })

    test('a test may be added within the block that ends the file', () => {
      const files = { 'a.test.ts': ['d(() => {\n  a()\n})\n', 'd(() => {\n  a()\n\n  b()\n})\n'] } as const
      expect(permissions(files, { inferred: ['files'] })).toEqual(['a.test.ts extended'])
    })

    test('files of tests that are none by their own name, and what tests share, stay protected', () => {
      const added: BeforeAfter = ['a\n', 'a\nb\n']
      const files = { 'tests/__init__.py': added, 'spec/spec_helper.rb': added, 'test/test-utils.js': added }
      expect(permissions(files, { inferred: [...inferred] })).toEqual([
        'tests/__init__.py not_named',
        'spec/spec_helper.rb not_named',
        'test/test-utils.js not_named',
      ])
    })

    test('a test that lost a line, settings and files that tests read stay protected', () => {
      const files = {
        'src/a.test.ts': CHANGED,
        'src/b.test.ts': DELETED,
        'jest.config.js': CHANGED,
        'test/golden.txt': CHANGED,
      }
      expect(permissions(files, { inferred: [...inferred] })).toEqual([
        'src/a.test.ts not_named',
        'src/b.test.ts not_named',
        'jest.config.js not_named',
        'test/golden.txt not_named',
      ])
    })
  })

  test('a change that touches none of it passes and lists nothing', () => {
    expect(judged({ 'src/a.ts': CHANGED, 'test/new.test.ts': ADDED })).toMatchObject({
      outcome: 'passed',
      summary: 'no protected file changed',
      evidence: { findings: [] },
    })
  })

  test('a finding names the place and what to do', () => {
    const { summary, evidence } = judged({ 'test/a.js': ['x\ny\n', 'x\nz\n'], 'tox.ini': ADDED })
    expect(summary).toBe(
      'test/a.js is protected (an existing test) and the contract does not allow changing it; restore it, and 1 more',
    )
    expect(evidence.findings).toMatchObject([
      { weight: 'blocks', file: 'test/a.js', line: 2 },
      {
        weight: 'blocks',
        file: 'tox.ini',
        line: 1,
        text: 'would be protected (test settings) and the contract does not allow adding it; remove it',
      },
    ])
  })
})
