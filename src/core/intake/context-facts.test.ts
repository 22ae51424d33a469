import { expect, test } from 'vitest'
import { NOTHING_NEARBY } from '../planning/brief/nearby-files.ts'
import { contextFacts } from './context-facts.ts'
import { NO_CONTEXT, type ProjectContext } from './project-context.ts'

const task = (...create: readonly string[]) => ({ files: { create, modify: [], delete: [] }, testsToAdd: [] })
const context: ProjectContext = {
  ...NO_CONTEXT,
  architecture: 'TypeScript; layers: api, core',
  instructions: [
    { path: 'AGENTS.md', text: 'root' },
    { path: 'src/api/CLAUDE.md', text: 'api' },
  ],
  keyPaths: [
    { name: 'tests', path: 'test/' },
    { name: 'routes', path: 'src/api/routes/' },
  ],
  patterns: [
    { name: 'convention', text: 'be kind', example: 'AGENTS.md' },
    { name: 'service', text: '4 files named *.service.ts', example: 'src/core/user.service.ts' },
    { name: 'jobs', text: '3 files named *_job.py', example: 'jobs/mail_job.py' },
    { name: 'web framework', text: 'Hono', example: 'package.json' },
  ],
}

test('the nearest instructions come first, those above after them', () => {
  expect(contextFacts(task('src/api/routes/cart.ts'), NOTHING_NEARBY, context).instructions).toEqual([
    'src/api/CLAUDE.md',
    'AGENTS.md',
  ])
  expect(contextFacts(task('src/core/cart.ts'), NOTHING_NEARBY, context).instructions).toEqual(['AGENTS.md'])
  expect(contextFacts(task(), NOTHING_NEARBY, context).instructions).toEqual(['AGENTS.md'])
})

test('key paths near the task come first, and files beside it before them', () => {
  const nearby = { ...NOTHING_NEARBY, keyPaths: [{ name: null, path: 'src/api/routes/user.ts' }] }
  const { keyPaths } = contextFacts(task('src/api/routes/cart.ts'), nearby, context)
  expect(keyPaths.map(({ path }) => path)).toEqual(['src/api/routes/user.ts', 'src/api/routes/', 'test/'])
})

test('patterns are those of the task’s language and of the project, and quoted', () => {
  const { patterns, patternToFollow } = contextFacts(task('src/core/cart.ts'), NOTHING_NEARBY, context)
  expect(patterns).toEqual([
    'service: `4 files named *.service.ts` (see `src/core/user.service.ts`)',
    'web framework: `Hono` (see `package.json`)',
  ])
  expect(patternToFollow).toBe('src/core/user.service.ts')
})

test('a pattern of the files beside the task wins', () => {
  const nearby = { ...NOTHING_NEARBY, patternToFollow: 'src/core/tax.test.ts' }
  expect(contextFacts(task('src/core/cart.ts'), nearby, context).patternToFollow).toBe('src/core/tax.test.ts')
})
