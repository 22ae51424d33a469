import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { TestHost } from '../../../test/helpers/test-host.ts'
import { MOST_FOR_INTERVIEW } from '../../app/intake/understand-request.ts'
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

const typeOf = async (text: string) =>
  (await intakeFrom(testing.host, { cwd: folder, text, file_name: null })).type

test('outside of a repository a request is a new project where the folder is empty, else what it says', async () => {
  expect(await typeOf('add a todo list with reminders')).toBe('new_project')
  writeFileSync(join(folder, '.env'), '')
  expect(await typeOf('add a todo list with reminders')).toBe('new_project')
  writeFileSync(join(folder, 'main.py'), '')
  expect(await typeOf('add a todo list with reminders')).toBe('feature_request')
})

test('what a request leaves open is listed before anything starts', async () => {
  const understood = (text: string) => intakeFrom(testing.host, { cwd: folder, text, file_name: 'issue.md' })
  const open = await understood('Fix the cart: the limit is ???')
  expect(open).toMatchObject({ next: 'one_task', open_points: 1 })
  expect(open.reasons.join()).toContain('leaves 1 point open')
  expect(await understood('fix typo in README')).not.toHaveProperty('open_points')
})

test('a request that is too long for the interview it needs is refused before one begins', async () => {
  const understood = (length: number) =>
    intakeFrom(testing.host, {
      cwd: folder,
      text: `# PROJECT BRIEF\n\n## Goals\n${'- Add a page with a list and a form\n'.repeat(5000)}`.slice(
        0,
        length,
      ),
      file_name: null,
    })
  await expect(understood(MOST_FOR_INTERVIEW + 1)).rejects.toMatchObject({
    code: 'usage',
    remedy: expect.stringContaining('see docs/brief.md'),
  })
  expect(await understood(MOST_FOR_INTERVIEW)).toMatchObject({ next: 'interview' })
  const start = { repo: '/r', text: 'x'.repeat(MOST_FOR_INTERVIEW) }
  expect(pmStartRequest.safeParse(start).success).toBe(true)
  expect(pmStartRequest.safeParse({ ...start, text: `${start.text}x` }).success).toBe(false)
})
