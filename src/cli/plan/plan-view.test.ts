import { describe, expect, it } from 'vitest'
import { completePlan } from '../../core/planning/complete-plan.ts'
import { aDraft, aTask, needing, someFiles } from '../../../test/helpers/plan-draft.ts'
import type { DraftTask, PlanDraft } from '../../core/planning/draft.ts'
import { planFigures } from '../../core/planning/plan-figures.ts'
import { NO_FACTS } from '../../core/planning/task-files.ts'
import { defaultSettings } from '../../core/settings/settings.ts'
import { textWidth } from '../../lib/text/terminal-text.ts'
import { durationText, planDocument, planTable } from './plan-view.ts'
import { styleOf } from '../terminal/terminal.ts'

const planOf = (tasks: readonly DraftTask[], changes: Partial<PlanDraft> = {}) =>
  completePlan(aDraft(tasks, changes), NO_FACTS, defaultSettings())

function table(
  tasks: readonly DraftTask[],
  changes: Partial<PlanDraft> = {},
  width = 80,
  colour = false,
): string {
  const plan = planOf(tasks, changes)
  return planTable(plan, planFigures(plan, ['low']), { style: styleOf(colour ? 'coloured' : 'plain'), width })
}

const SHOP = [
  aTask('1', { title: 'Add a cart', files: someFiles({ create: ['src/cart.ts'] }) }),
  aTask('2', { title: 'Log in', files: someFiles({ create: ['src/auth/login.ts'] }) }),
  aTask('3', {
    title: 'Write it down',
    files: someFiles({ modify: ['README.md'] }),
    dependsOn: { ids: ['1', '2'], line: 9 },
  }),
]

describe('the table of a plan', () => {
  it('shows tasks in the order of work, with tier, area, needs and gates', () => {
    expect(table(SHOP, { goal: 'Sell things.' })).toBe(
      [
        'Shop',
        'shop  docs/plans/2026-02-19-shop-plan.md',
        'Sell things.',
        '',
        'ID  TIER      AREA        NEEDS  GATES  TASK',
        '1   normal    ~src/cart   -             Add a cart',
        '2   critical  ~src/auth   -             Log in',
        '    [auth] touches auth: src/auth/login.ts; title mentions log in',
        '3   low       ~README.md  1 2    lint   Write it down',
        '',
        'gates: unit lint where none are listed, in addition to the default gates',
        '~ inferred; set it in the plan to change it',
        '',
        '3 tasks: 1 critical, 1 normal, 1 low · one at a time · longest chain 2',
        '',
      ].join('\n'),
    )
  })

  it('fits its width, whatever is in the plan', () => {
    const long = 'Implement the very long and winding road of the order management subsystem 計画書'
    const tasks = Array.from({ length: 12 }, (_, n) =>
      aTask(`task-with-a-long-id-${n}`, {
        title: long,
        files: someFiles({ create: [`packages/a-package-with-a-long-name-${n}/auth/x.ts`] }),
        dependsOn: { ids: Array.from({ length: n }, (_unused, m) => `task-with-a-long-id-${m}`), line: 1 },
      }),
    )
    const removedSteps = [{ task: '1', line: 1, text: long, reason: 'commits' }]
    for (const width of [80, 100, 120]) {
      const lines = table(tasks, { goal: long.repeat(5), removedSteps }, width).split('\n')
      expect(Math.max(...lines.map(textWidth))).toBeLessThanOrEqual(width)
    }
  })

  it('lets no escape sequence of the plan reach the terminal', () => {
    const evil = '\u001b]0;owned\u0007\u001b[31mred\r\nrest'
    const text = table([aTask('1', { title: evil, ownership: evil })], {
      title: evil,
      goal: evil,
      removedSteps: [{ task: '1', line: 1, text: evil, reason: evil }],
      problems: [{ severity: 'warning', file: evil, line: 1, message: evil, remedy: evil }],
    })
    // oxlint-disable-next-line no-control-regex
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/)
  })

  it('is coloured only where that is wanted', () => {
    expect(table(SHOP, {}, 80, true)).toContain('\u001b[31m2   critical')
    expect(table(SHOP)).not.toContain('\u001b')
  })

  it('lists problems as editors read them, with what to do', () => {
    const lines = table([needing('a', 'b'), needing('b', 'a')]).split('\n')
    expect(lines).toContain('docs/plans/2026-02-19-shop-plan.md:11: error: cycle a → b → a')
    expect(lines).toContain('  Remove one of these dependencies.')
    expect(lines.at(-2)).toBe('2 tasks: 2 normal · 1 error')
  })

  it('says which steps no worker gets', () => {
    const removedSteps = Array.from({ length: 14 }, (_, n) => ({
      task: '1',
      line: n,
      text: 'git\npush',
      reason: 'publishes',
    }))
    const text = table([aTask('1')], { removedSteps })
    expect(text).toContain('Not handed to workers: 14 steps')
    expect(text).toContain('  task 1, line 0: git push (publishes)')
    expect(text).toContain('  and 2 more; --json lists them all')
  })

  it('is still something for a plan without tasks', () => {
    expect(table([])).toContain('error: no tasks found')
  })
})

describe('the document of a plan', () => {
  it('has the keys scripts rely on, in their order', () => {
    const document = planDocument(planOf(SHOP))
    expect(Object.keys(document)).toEqual([
      'plan',
      'tasks',
      'order',
      'removed_steps',
      'problems',
      'questions',
    ])
    expect(document).toMatchObject({
      plan: { id: 'shop', design: null, format: 'markdown' },
      order: ['1', '2', '3'],
    })
    const [task] = document.tasks
    expect(Object.keys(task ?? {}).join(' ')).toBe(
      'id title tier tier_reasons security_flags ownership layer depends_on acceptance_criteria files tests_to_add ' +
        'tests_to_run gates time_budget inferred line requirements story role scope red_on_base',
    )
    expect(task).toMatchObject({
      time_budget: '60m',
      files: { create: ['src/cart.ts'], modify: [], delete: [] },
    })
  })

  it('lists what the plan leaves open, with the choices that it names', () => {
    const plan = planOf([aTask('1', { title: 'Add the store', description: 'Redis or Postgres?' })])
    const words = 'Redis or Postgres?'
    expect(planDocument(plan).questions).toEqual([
      { task: '1', line: 10, kind: 'alternatives', words, choices: ['Redis', 'Postgres'] },
    ])
    const text = planTable(plan, planFigures(plan, ['low']), { style: styleOf('plain'), width: 100 })
    expect(text).toContain(
      [
        'Asked before work starts: 1 open point; the tasks concerned wait for your answer',
        `  task 1, line 10: open choice: "${words}" (Redis | Postgres)`,
      ].join('\n'),
    )
  })

  it('shows no held-out check', () => {
    const document = planDocument(planOf([aTask('1', { heldOut: ['node secret-check.js'] })]))
    expect(JSON.stringify(document)).not.toContain('secret-check')
  })

  it.each([
    [1_800_000, '30m'],
    [90_000, '90s'],
    [1500, '1500ms'],
    [7_200_000, '120m'],
  ])('writes %d ms as %s', (ms, text) => {
    expect(durationText(ms)).toBe(text)
  })
})
