import { expect, test } from 'vitest'
import { aBaseline, aCommit } from '../../test/helpers/requests.ts'
import { virtualWorld } from '../../test/helpers/virtual-world.ts'
import { describeWorkspace } from '../../test/conformance/workspace.conformance.ts'
import { ScriptedWorkspace, type WorkspaceScript } from './scripted-workspace.ts'

const CALM: WorkspaceScript = {
  delayMs: () => 10,
  writtenBy: () => null,
  existing: () => false,
  conflict: () => null,
}

describeWorkspace('the scripted workspace', () => {
  const { clock, during } = virtualWorld()
  const written = new Map<string, string[]>()
  const workspace = new ScriptedWorkspace(clock, {
    ...CALM,
    writtenBy: (worker) => ({ changed: written.get(worker) ?? [] }),
  })
  return {
    workspace,
    write: (worker, ...files) => written.set(worker, files),
    isKept: (worker) => workspace.saved.has(worker),
    landed: () => workspace.landed.map(({ task }) => task),
    during,
  }
})

test('a commit that conflicts once conflicts whenever it is asked for again', async () => {
  const { clock, during } = virtualWorld()
  let isConflicting = true
  const conflict = (): string | null => (isConflicting ? 'both changed a file' : null)
  const workspace = new ScriptedWorkspace(clock, { ...CALM, conflict })
  const first = await during(workspace.commit(aCommit('1', 't')))
  isConflicting = false
  expect(first).toEqual({ ok: false, reason: 'both changed a file' })
  expect(await during(workspace.commit(aCommit('1', 't')))).toEqual(first)
  expect(await during(workspace.commit(aCommit('1', 't', 2)))).toMatchObject({ ok: true })
})

test('what the script says is there is found by the baseline', async () => {
  const { clock, during } = virtualWorld()
  const workspace = new ScriptedWorkspace(clock, { ...CALM, existing: (task) => task === '2' })
  const { audits } = await during(workspace.takeBaseline(aBaseline))
  expect(audits.map(({ task, status }) => `${task} ${status}`)).toEqual(['2 EXISTS'])
})
