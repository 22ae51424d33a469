import { expect, test } from 'vitest'
import { NO_CONTEXT } from '../../intake/project-context.ts'
import { context } from './context.ts'

test('a description of the code base may name only what exists', () => {
  const input = { found: NO_CONTEXT, files: ['src/a.ts'] }
  const answer = { architecture: null, keyPaths: [{ name: 'sources', path: 'src/' }], patterns: [] }
  expect(context.problem?.(answer, input)).toBeNull()
  const invented = { ...answer, patterns: [{ name: 'x', text: 'y', example: 'src/b.ts' }] }
  expect(context.problem?.(invented, input)).toContain('src/b.ts')
  expect(context.answer.parse(context.unjudged(input))).toEqual({
    architecture: null,
    keyPaths: [],
    patterns: [],
  })
})
