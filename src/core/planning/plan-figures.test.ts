import { describe, expect, it } from 'vitest'
import { completePlan } from './complete-plan.ts'
import { aDraft, aTask, needing, someFiles } from '../../../test/helpers/plan-draft.ts'
import type { DraftTask } from './draft.ts'
import { planFigures } from './plan-figures.ts'
import { NO_FACTS } from './task-files.ts'
import { defaultSettings } from '../settings/settings.ts'

const figures = (tasks: readonly DraftTask[]) =>
  planFigures(completePlan(aDraft(tasks), NO_FACTS, defaultSettings()), ['low'])
const at = (id: string, path: string) => aTask(id, { files: someFiles({ create: [path] }) })

describe('the figures of a plan', () => {
  it('count tasks by tier', () => {
    expect(figures([at('1', 'src/auth/a.ts'), at('2', 'lib/b.ts'), at('3', 'README.md')])).toMatchObject({
      tasks: 3,
      byTier: { critical: 1, normal: 1, low: 1 },
    })
  })

  it('count low tasks in parallel that share neither chain nor area', () => {
    expect(figures([at('1', 'a/x.md'), at('2', 'b/x.md'), at('3', 'c/x.md')])).toMatchObject({
      sideBySide: 3,
      longestChain: 1,
    })
    expect(figures([at('1', 'a/x.md'), at('2', 'a/x.md')])).toMatchObject({ sideBySide: 1, longestChain: 2 })
  })

  it('count tasks in parallel that become ready at different depths', () => {
    const deep = { ...at('3', 'c/x.md'), dependsOn: { ids: ['2'], line: 1 } }
    expect(figures([at('1', 'a/x.md'), at('2', 'a/b/x.md'), deep])).toMatchObject({ sideBySide: 2 })
  })

  it('show the parallelism with normal tasks, and never count a critical one', () => {
    expect(
      figures([at('1', 'a/x.ts'), at('2', 'b/x.ts'), at('3', 'c/x.md'), at('4', 'src/auth/a.ts')]),
    ).toMatchObject({ sideBySide: 1, sideBySideWidened: 3 })
  })

  it('have no longest chain with a cycle', () => {
    expect(figures([needing('1', '2'), needing('2', '1')])).toMatchObject({ sideBySide: 0, longestChain: 0 })
  })
})
