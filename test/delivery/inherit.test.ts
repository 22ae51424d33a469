/** Workers without the user's own set-up, by role and by agent. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import type { Lab } from './lab.ts'
import { smallProject } from './small-project.ts'

let lab: Lab | null = null
afterEach(async () => {
  await lab?.dispose()
  lab = null
})

const OPTIONS = '--setting-sources project,local --strict-mcp-config'

test.each([
  ['its role says so', 'inherit: true', 'roles: { developer: { agent: crew, inherit: false } }', true],
  ['its agent says so', 'inherit: false', '', true],
  [
    'its role says otherwise',
    'inherit: false',
    'roles: { developer: { agent: crew, inherit: true } }',
    false,
  ],
])('a known program gets its options where %s', async (_rule, ofAgent, roles, isBare) => {
  const made = smallProject({
    agent: 'work; report',
    files: { 'tools/claude': '#!/bin/sh\necho "$@" > "$1/arguments"; exec sh "$2/tools/agent.sh" "$2"\n' },
  })
  lab = made
  const command = JSON.stringify(['tools/claude', made.folder, made.repo])
  made.write({
    'bosun.yaml': `agents: { crew: { protocol: command, command: ${command}, ${ofAgent} } }\nreview: { low: checks }\n${roles}\n`,
  })
  const { last, stderr } = await made.deliver()
  expect(last.outcome, stderr).toBe('released')
  expect(readFileSync(join(made.folder, 'arguments'), 'utf8').includes(OPTIONS)).toBe(isBare)
  expect(stderr).not.toContain('inherit')
})

test('what an agent cannot leave out is reported before the run, and by doctor', async () => {
  lab = smallProject({ agent: 'work; report', settings: 'roles: { reviewer: { inherit: false } }\n' })
  const warning = 'inherit: false: Bosun knows no way to run crew without your own set-up'
  expect((await lab.deliver()).stderr).toContain(warning)
  expect((await lab.bosun('doctor')).stdout).toContain(warning)
})
