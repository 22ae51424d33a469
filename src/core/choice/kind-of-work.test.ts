import { expect, test } from 'vitest'
import { kindOfWork, type WorkKind } from './kind-of-work.ts'

const task = (
  create: readonly string[],
  layer: string | null = null,
  testsToAdd: readonly string[] = [],
) => ({
  layer,
  files: { create, modify: [], delete: [] },
  testsToAdd,
})

test.each<readonly [WorkKind, readonly string[]]>([
  ['infrastructure', ['infra/main.tf', 'README.md']],
  ['infrastructure', ['.github/workflows/ci.yml']],
  ['infrastructure', ['Dockerfile']],
  ['interface', ['src/Cart.tsx', 'src/cart.css']],
  ['interface', ['src/api/orders.py']],
  ['workflow', ['src/pipeline/step.py', 'src/jobs/run.py']],
  ['algorithm', ['src/solver/simplex.ts']],
  ['algorithm', ['src/matrix-solver.ts']],
  ['compiled_core', ['src/lexer.c', 'src/lexer.h']],
  ['compiled_core', ['internal/lexer.go']],
  ['docs', ['docs/guide.md', 'README.md']],
  ['general', ['src/cart.ts', 'package-lock.json']],
  ['general', []],
])('the work is %s with the files %j', (kind, files) => {
  expect(kindOfWork(task(files))).toBe(kind)
})

test('a layer that the plan names comes before the files, except where all files are documents', () => {
  expect(kindOfWork(task(['src/cart.ts'], 'Workflow'))).toBe('workflow')
  expect(kindOfWork(task(['src/cart.c'], 'algorithms'))).toBe('algorithm')
  expect(kindOfWork(task(['docs/a.md'], 'workflow'))).toBe('docs')
})

test('a layer with another name leaves the decision to the files', () => {
  expect(kindOfWork(task(['src/lexer.rs'], 'core'))).toBe('compiled_core')
  expect(kindOfWork(task(['src/cart.ts'], 'core'))).toBe('general')
  expect(kindOfWork(task(['src/lexer.rs'], 'constructor'))).toBe('compiled_core')
})

test('most of the files decide; tests and documents beside them do not count', () => {
  expect(kindOfWork(task(['src/a.rs', 'src/b.rs', 'web/page.html']))).toBe('compiled_core')
  expect(kindOfWork(task(['src/a.rs', 'web/page.html']))).toBe('interface')
  expect(kindOfWork(task(['test/ui.test.ts', 'docs/ui.md', 'src/a.rs']))).toBe('compiled_core')
})
