import { describe, expect, test } from 'vitest'
import { aTask, low } from '../../../test/helpers/plan-builder.ts'
import { PlayedPlan } from '../../../test/helpers/played-plan.ts'
import { NO_EVIDENCE } from '../event-schemas/evidence.ts'
import { commitMessage, commitSubject } from './review-artifact.ts'
import { remediationTasks } from './extra-tasks.ts'

describe('the subject of a commit', () => {
  test.each([
    [
      'is what the author intended',
      { commitSubject: 'feat(store): keep todos' },
      ['src/a.ts'],
      'feat(store): keep todos',
    ],
    [
      'is made of the task where the author intended no conventional one',
      { commitSubject: 'more stuff', title: 'Add slugs', ownership: 'src/slug' },
      ['src/slug.ts'],
      'feat(slug): add slugs',
    ],
    [
      'takes nothing that a shell would have filled in',
      { commitSubject: 'feat: pin $SHA', title: 'Pin it', ownership: '.' },
      ['src/a.ts'],
      'feat: pin it',
    ],
    [
      'has type docs where only documents changed',
      { title: 'Explain it', ownership: 'docs/running' },
      ['docs/running.md'],
      'docs(running): explain it',
    ],
    [
      'has type test where only tests changed',
      { title: 'Cover it', ownership: 'test' },
      ['test/a.test.ts'],
      'test(test): cover it',
    ],
    [
      'has type fix where the task fixes something',
      { title: 'Fix the clock', ownership: 'src/clock.ts' },
      ['src/clock.ts'],
      'fix(clock): fix the clock',
    ],
    [
      'has type fix where the task is a bug fix, whatever it changed',
      { title: 'Correct the port in the README', type: 'bug_fix' as const, ownership: '.' },
      ['README.md'],
      'fix: correct the port in the README',
    ],
    [
      'marks what breaks',
      { title: 'Drop v1', ownership: 'api', breakingChange: true },
      ['src/a.ts'],
      'feat(api)!: drop v1',
    ],
    [
      'claims nothing where nothing was changed, whatever the author intended',
      { commitSubject: 'feat(api)!: drop v1', title: 'Drop v1', ownership: 'api', breakingChange: true },
      [],
      'docs(api): reviewed, nothing to change: drop v1',
    ],
    [
      'leaves abbreviations as they are',
      { title: 'HTTP errors', ownership: '.' },
      ['src/a.ts'],
      'feat: HTTP errors',
    ],
  ])('%s', (_, fields, changed, subject) => {
    expect(commitSubject(aTask('7', fields), changed)).toBe(subject)
  })

  test('is one line of at most 72 characters', () => {
    const subject = commitSubject(aTask('7', { title: `Do\n${'much '.repeat(30)}`, ownership: '.' }), [
      'a.ts',
    ])
    expect(subject.length).toBeLessThanOrEqual(72)
    expect(subject).not.toContain('\n')
  })
})

test('a commit refers to its task and to its review', () => {
  const spec = aTask('7', { title: 'Log in', ownership: 'src/auth' })
  expect(
    commitMessage({ spec, changed: ['src/auth/a.ts'], reviewPath: 'docs/reviews/task-7-review.md' }),
  ).toBe('feat(auth): log in\n\nRefs: task-7\nReview: docs/reviews/task-7-review.md\n')
})

test('a task that Bosun adds to repair a check is committed as a fix', () => {
  const { state } = new PlayedPlan([low('1')])
  const failed = { gate: 'build', outcome: 'failed', summary: 'exit 1', evidence: NO_EVIDENCE } as const
  const [repair] = remediationTasks(state, [failed])
  if (repair === undefined) throw new Error('no task')
  expect(commitSubject(repair, ['src/a.ts'])).toBe('fix: make build pass on the whole tree')
})
