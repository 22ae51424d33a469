/** Seed D, section 8, test_specialist.py: the scripted specialist. */
import { describe, expect, test } from 'vitest'
import { inSequence } from '../../src/simulation/scripted-person.ts'
import { low } from '../helpers/plan-builder.ts'
import { ScriptedProject, taskOf } from '../helpers/scripted-project.ts'

describe('the scripted specialist', () => {
  test('test_mock_returns_draft: it returns a draft with its files and explanation', async () => {
    const project = await ScriptedProject.registered([low('1')])
    const engine = await project.run()
    expect(taskOf(engine, '1').draft).toMatchObject({
      worker: 'w-shop-1-1',
      changed: ['src/1.ts'],
      report: { explanation: 'did Do 1', selfAssessment: 'confident' },
    })
  })

  test('test_mock_handles_revision: it marks revised work and uses the feedback', async () => {
    const project = await ScriptedProject.registered([low('1')], {
      settings: { approval: 'each_task' },
      person: inSequence([{ choice: 'revise', feedback: 'use a map' }, { choice: 'approve' }]),
    })
    const engine = await project.run()
    expect(taskOf(engine, '1').draft?.report?.explanation).toBe('did Do 1 [revised] use a map')
  })
})
