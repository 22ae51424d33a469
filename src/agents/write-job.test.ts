import { expect, test } from 'vitest'
import { signInFix } from './write-job.ts'

test.each([
  ['mine', ['/usr/bin/claude', '-p'], 'claude auth login'],
  ['mine', ['/usr/bin/node', '/opt/codex/bin/codex.js', 'exec'], 'codex login'],
  ['gemini', ['sh', 'tools/agent.sh'], 'GEMINI_API_KEY'],
  ['mine', ['sh', 'tools/agent.sh'], 'env_from'],
])('agent %s with the command %j needs the fix %s', (name, command, fix) => {
  expect(signInFix({ name, command })).toContain(fix)
})
