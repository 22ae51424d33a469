import { expect, test } from 'vitest'
import { ScriptedProject } from '../../test/helpers/scripted-project.ts'
import { low } from '../../test/helpers/plan-builder.ts'
import { IgnoredEvents } from './external-events.ts'

test('what changed in the repository is logged also where the end of the worker no longer counts', async () => {
  const project = await ScriptedProject.registered([low('1')])
  const engine = await project.run()
  const changes = [{ name: '.git/hooks/pre-commit', from: null, to: '755 ab' }]
  const end = {
    kind: 'ended',
    worker: 'w-shop-1-1',
    end: { kind: 'done' },
    report: null,
    review: null,
  } as const
  const events = new IgnoredEvents().end(engine.state, { ...end, changed: changes }, 'too late')
  expect(events).toMatchObject([
    { type: 'word.ignored', about: 'a late exit' },
    { type: 'repository.changed', worker: 'w-shop-1-1', task: null, changes, more: 0 },
  ])
})
