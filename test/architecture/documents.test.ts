/** What `--json` prints is only worth its table where tests hold every row of it against what a command printed. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { DOCUMENTS } from '../helpers/documents/documents.ts'

const ROOT = join(import.meta.dirname, '../..')

test('every row of the table of documents is held by a test that names it', () => {
  const held = globSync('{src,test}/**/*.test.ts', { cwd: ROOT })
    .map((file) => readFileSync(join(ROOT, file), 'utf8'))
    .filter((text) => text.includes('documentProblems('))
    .join('\n')
  const isHeld = (name: string): boolean => held.includes(`['${name}']`) || held.includes(`['${name}', `)
  expect(Object.keys(DOCUMENTS).filter((name) => !isHeld(name))).toEqual([])
})
