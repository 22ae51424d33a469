import { expect, test } from 'vitest'
import { withoutOwnSandbox } from './own-sandbox.ts'

const CODEX = {
  command: ['/bin/codex', 'exec', '--sandbox', 'workspace-write', '-'],
  env: { INITIAL_AGENT_MODE: 'workspace-write' },
}
const codex = { name: 'codex', command: CODEX.command }

test('the own sandbox of an agent stays where it can start', () => {
  expect(withoutOwnSandbox(codex, CODEX, true)).toEqual(CODEX)
})

test('the own sandbox of an agent is turned off where it cannot start', () => {
  expect(withoutOwnSandbox(codex, CODEX, false)).toEqual({
    command: ['/bin/codex', 'exec', '--sandbox', 'danger-full-access', '-'],
    env: { INITIAL_AGENT_MODE: 'agent-full-access' },
  })
})

test('a sandbox of containers cannot start in any', () => {
  const run = { command: ['gemini', '--acp'], env: {} }
  expect(withoutOwnSandbox({ name: 'gemini', command: run.command }, run, true).env).toEqual({
    GEMINI_SANDBOX: 'false',
  })
})

test('an agent that is not known keeps its words', () => {
  const run = { command: ['mine', 'workspace-write'], env: {} }
  expect(withoutOwnSandbox({ name: 'mine', command: run.command }, run, false)).toEqual(run)
})
