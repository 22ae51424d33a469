/** The cache of real agents that test files share. */
import { chmodSync, existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { install, installedFile } from '../real-agents/install.ts'
import { tempFolder } from '../helpers/temp-folder.ts'

const folder = tempFolder('install')
afterEach(() => {
  vi.unstubAllEnvs()
})

/** Waits until both installations have started, so that the second to end finds the folder of the first. */
const NPM = `#!/bin/sh
: > "${folder}/started-$$"
until [ "$(ls "${folder}" | grep -c started)" -ge 2 ]; do sleep 0.01; done
mkdir -p node_modules/agent && : > node_modules/agent/main.js
`

test('two installations of the same agent at once leave one, whole', async () => {
  writeFileSync(join(folder, 'npm'), NPM)
  chmodSync(join(folder, 'npm'), 0o755)
  const cache = join(folder, 'cache')
  vi.stubEnv('PATH', `${folder}:${process.env['PATH']}`)
  vi.stubEnv('BOSUN_AGENTS_CACHE', cache)
  await Promise.all([install({ spec: 'agent@1.0.0' }), install({ spec: 'agent@1.0.0' })])
  expect(existsSync(installedFile('agent@1.0.0', 'main.js'))).toBe(true)
  expect(readdirSync(cache)).toEqual(['agent@1.0.0'])
})
