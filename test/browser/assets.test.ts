/** What the page weighs. The first screen is weighed in needs-you.test.ts, as a browser loads it. */
import { globSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const PAGE = join(import.meta.dirname, '../../dist/web')
const files = globSync('**/*', { cwd: PAGE, withFileTypes: true }).filter((entry) => entry.isFile())

test('the page is at most 300 files and 12 MB', () => {
  expect(files.length).toBeGreaterThan(10)
  expect(files.length).toBeLessThanOrEqual(300)
  const bytes = files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0)
  expect(bytes).toBeLessThanOrEqual(12 * 1024 * 1024)
})

test('the shell has no script of its own and nothing from elsewhere', () => {
  const shell = readFileSync(join(PAGE, 'index.html'), 'utf8')
  expect(shell).not.toMatch(/<script(?![^>]* src=)|<style| on\w+=|https?:\/\//)
})
