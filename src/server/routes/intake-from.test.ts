import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { z } from 'zod'
import { TestHost } from '../../../test/helpers/test-host.ts'
import { MOST_FOR_INTERVIEW } from '../../app/intake/understand-request.ts'
import { intakeRequest } from '../../protocol/intake.ts'
import { pmStartRequest } from '../../protocol/interview.ts'
import { intakeFrom } from './intake-from.ts'

const folder = mkdtempSync(join(tmpdir(), 'bosun-intake-'))
let testing: TestHost

beforeAll(async () => {
  testing = await new TestHost().open()
})
afterAll(async () => {
  await testing.dispose()
  rmSync(folder, { recursive: true })
})

const understood = (text: string, given: Partial<z.input<typeof intakeRequest>> = {}) =>
  intakeFrom(testing.host, intakeRequest.parse({ cwd: folder, text, ...given }))

test('outside of a repository a request is a new project where the folder is empty, else nobody knows it', async () => {
  const typeOf = async (text: string) => (await understood(text)).type
  expect(await typeOf('add a todo list with reminders')).toBe('new_project')
  writeFileSync(join(folder, '.env'), '')
  expect(await typeOf('add a todo list with reminders')).toBe('new_project')
  writeFileSync(join(folder, 'main.py'), '')
  expect(await typeOf('add a todo list with reminders')).toBeNull()
})

test('without a model the answer says that nobody judged it, and asks for what nobody decided', async () => {
  const answer = await understood('Fix the cart', { file_name: 'issue.md', type: 'bug_fix' })
  expect(answer).toMatchObject({
    judged_by: null,
    not_judged: expect.stringContaining('not judged'),
    questions: [{ id: 'scope' }],
    next: 'ask',
    plan: null,
  })
})

test('what the user decided makes the plan, which says that nobody judged it', async () => {
  const answer = await understood('The cart forgets vouchers', {
    type: 'bug_fix',
    scope: 'small',
    criteria: ['The total counts vouchers'],
  })
  expect(answer).toMatchObject({ next: 'one_task', questions: [], plan: { id: 'the-cart-forgets' } })
  expect(answer.plan?.text).toContain('The total counts vouchers')
  expect(answer.plan?.text).toContain('not judged')
  expect(answer.plan?.text).toContain('type: bug_fix')
})

test('what a request leaves open is listed before anything starts', async () => {
  const given = { type: 'bug_fix', scope: 'small' } as const
  const open = await understood('Fix the cart: the limit is ???', given)
  expect(open).toMatchObject({ next: 'one_task', open_points: 1 })
  expect(open.reasons.join()).toContain('leaves 1 point open')
  expect(await understood('fix typo in README', given)).not.toHaveProperty('open_points')
})

test('a request that is too long for the interview it needs is refused before one begins', async () => {
  const brief = (length: number) =>
    understood(
      `# PROJECT BRIEF\n\n## Goals\n${'- Add a page with a list and a form\n'.repeat(5000)}`.slice(0, length),
    )
  await expect(brief(MOST_FOR_INTERVIEW + 1)).rejects.toMatchObject({
    code: 'usage',
    remedy: expect.stringContaining('see docs/brief.md'),
  })
  expect(await brief(MOST_FOR_INTERVIEW)).toMatchObject({ next: 'interview' })
  const start = { repo: '/r', text: 'x'.repeat(MOST_FOR_INTERVIEW) }
  expect(pmStartRequest.safeParse(start).success).toBe(true)
  expect(pmStartRequest.safeParse({ ...start, text: `${start.text}x` }).success).toBe(false)
})
