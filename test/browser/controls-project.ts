/** Two plans: one with a diff of several files, tasks of two tiers and one that waits; the other is soon done. */
import type { Lab } from '../delivery/lab.ts'
import { smallProject } from '../delivery/small-project.ts'

const plan = (id: string, tasks: readonly string[]): string => `plan: ${id}
title: Plan ${id}
environment: { setup: null, test: { command: "sh suite.sh", report: tap }, lint: null, typecheck: null, build: null }
tasks:
${tasks.join('\n')}
`
const task = (
  id: string,
  title: string,
  { tier = 'low', after = '', modify = '' }: { tier?: string; after?: string; modify?: string } = {},
): string =>
  `  - { id: "${id}", title: ${title}, tier: ${tier}, ownership: src/m${id}, depends_on: [${after}], acceptance_criteria: ["value ${id} is there"], ` +
  `files: { create: [src/m${id}/value], modify: [${modify}] }, tests_to_add: [test/m${id}.t], tests_to_run: ["sh suite.sh"], gates: [unit] }`

const LINES = Array.from({ length: 120 }, (_, at) => `line ${at + 1}`)
/** The first line is changed alone, and then all that are far enough below it. */
const AGENT = `if [ "$id" = 1 ]; then sed -i -e '1s/.*/the new first line/' -e '12,$s/line/row/' src/m1/list; fi; work; report`

export const controlsProject = (): Lab =>
  smallProject({
    agent: AGENT,
    files: {
      'src/m1/list': `the old first line\n${LINES.join('\n')}\n`,
      'plan.yaml': plan('values', [
        task('1', 'Change the list', { tier: 'critical', modify: 'src/m1/list' }),
        task('2', 'Add the second value'),
        task('3', 'Add the third value', { after: '"1"' }),
      ]),
      'extra.yaml': plan('extra', [task('9', 'Add the extra value')]),
    },
    settings: 'approval: each_task\nscheduling: { parallel_tiers: [low] }\n',
  })
