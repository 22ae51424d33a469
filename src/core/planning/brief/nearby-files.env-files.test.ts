import { expect, test } from 'vitest'
import { envFilePaths } from './nearby-files.ts'

test('env files must be in the repository and not in its git folder', () => {
  expect(envFilePaths(['.env', './.env', 'config//local/.env', '../x', '/etc/passwd', '~/.netrc'])).toEqual([
    '.env',
    'config/local/.env',
  ])
  expect(envFilePaths(['.git/config', 'sub/.GIT/hooks/x', '.', ''])).toEqual([])
  expect(envFilePaths(undefined)).toEqual([])
})
