import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { forgetPlanEnvironments, keepPlanEnvironment, readPlanEnvironment } from './plan-environment.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'bosun-environment-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

test('the environments of plans that have ended are deleted, and no others', () => {
  const kept = { path: '/bin', agents: { claude: { ANTHROPIC_API_KEY: 'k' } }, brain: {} }
  const streams = ['shop-1/open', 'interviews/shop-1', 'shop-1/ended', 'other-2/ended']
  for (const stream of streams) keepPlanEnvironment(root, stream, kept)
  forgetPlanEnvironments(root, (stream) => stream === 'shop-1/open')
  expect(streams.map((stream) => readPlanEnvironment(root, stream))).toEqual([kept, kept, null, null])
})

test('a state root without any has nothing to delete', () => {
  expect(() => forgetPlanEnvironments(root, () => false)).not.toThrow()
})
