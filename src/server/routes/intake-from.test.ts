import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { TestHost } from '../../../test/helpers/test-host.ts'
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
