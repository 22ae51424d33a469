import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { interviewDocument } from './interview.ts'

const page = join(import.meta.dirname, '../../docs/interview.md')

test('docs/interview.md matches the tables of the interview', () => {
  if (process.env['UPDATE_DOCS'] === '1') writeFileSync(page, interviewDocument())
  expect(readFileSync(page, 'utf8')).toBe(interviewDocument())
})
