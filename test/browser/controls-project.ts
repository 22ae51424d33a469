/** Two plans: one with a diff of several files, tasks of two tiers and one that waits; the other is soon done. */
import type { Lab } from '../delivery/lab.ts'
import { smallProject, valuesPlan } from '../delivery/small-project.ts'

const LINES = Array.from({ length: 120 }, (_, at) => `line ${at + 1}`)
/** The first line is changed alone, and then all that are far enough below it. */
const AGENT = `if [ "$id" = 1 ]; then sed -i -e '1s/.*/the new first line/' -e '12,$s/line/row/' src/m1/list; fi; work; report`

export const controlsProject = (): Lab =>
  smallProject({
    agent: AGENT,
    files: {
      'src/m1/list': `the old first line\n${LINES.join('\n')}\n`,
      'plan.yaml': valuesPlan([
        { id: '1', title: 'Change the list', tier: 'critical', modify: 'src/m1/list' },
        { id: '2', title: 'Add the second value' },
        { id: '3', title: 'Add the third value', after: ['1'] },
      ]),
      'extra.yaml': valuesPlan([{ id: '9', title: 'Add the extra value' }], 'extra', 'Plan extra'),
    },
    settings: 'approval: each_task\nscheduling: { parallel_tiers: [low] }\n',
  })
