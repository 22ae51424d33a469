/** Every kind of decision, taken by a person through the real command line, and what it leaves behind. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { parse } from 'yaml'
import type { InboxEntry } from '../../src/protocol/answers.ts'
import type { ReviewAnswer } from '../../src/protocol/task-answer.ts'
import type { Lab } from './lab.ts'
import { smallProject } from './small-project.ts'

let lab: Lab | null = null
afterEach(async () => {
  await lab?.dispose()
  lab = null
})

const task = (id: string, title: string, more = ''): string =>
  `  - { id: "${id}", title: ${title}, tier: low, ownership: src/m${id}, acceptance_criteria: ["value ${id} is there"], ` +
  `files: { create: [src/m${id}/value] }, tests_to_add: [test/m${id}.t], tests_to_run: ["sh suite.sh"], gates: [unit]${more} }`

const PLAN = `plan: people
title: What people decide
environment: { setup: null, test: { command: "sh suite.sh", report: tap }, lint: null, typecheck: null, build: null }
tasks:
${[
  task('1', 'Plain'),
  task('2', 'Revised'),
  task('3', 'Rescoped'),
  task('4', 'Dropped'),
  task('5', 'Behind the dropped', ', depends_on: ["4"]'),
  task('6', 'Overridden'),
  task('7', 'Asking'),
  task('9', 'Split')
    .replace('[src/m9/value]', '[src/m9/value, src/m9/other]')
    .replace('tests_to_add: [test/m9.t], ', ''),
  task('10', 'Behind the split', ', depends_on: ["9"]'),
  task('8', 'Risky').replace('tier: low', 'tier: critical'),
  task('11', 'Painted', ', description: "Red or blue?"'),
].join('\n')}
`

/** Task 6 names a line that is not there, whatever the feedback, task 7 asks first, task 8 reports a risk. */
const AGENT = `
note=$(cat)
case $id in
  6) work; report; sed -i 's/"line":1/"line":9/' "$BOSUN_REPORT" ;;
  7) case $note in
       *'use the blue one'*) work; report ;;
       *) echo '{"explanation":"unsure","self_assessment":"blocked","blockers":["which one, red or blue?"]}' > "$BOSUN_REPORT" ;;
     esac ;;
  8) work; report; sed -i 's/"review_note"/"risks":[{"description":"tokens never expire","severity":"critical"}],"review_note"/' "$BOSUN_REPORT" ;;
  11) work; echo "$note" | grep -o 'Bea decided: [a-z]*' >> "src/m$id/value"; report ;;
  9) work; echo 9 > "src/m$id/other"; rm "test/m$id.t"; report ;;
  9-s1) mkdir -p src/m9; echo 9 > src/m9/value; report; sed -i 's|src/m9-s1/value|src/m9/value|' "$BOSUN_REPORT" ;;
  9-s2) echo 9 > src/m9/other; report; sed -i 's|src/m9-s2/value|src/m9/other|' "$BOSUN_REPORT" ;;
  *) work; echo "$note" | grep -o 'make it [a-z]*' | head -1 >> "src/m$id/value"; report ;;
esac
`

const json = (text: string): unknown => JSON.parse(text)

/** Answers like a person would, and says what was answered. */
class Person {
  readonly #lab: Lab
  readonly choices: string[] = []

  constructor(of: Lab) {
    this.#lab = of
  }

  async inbox(): Promise<readonly InboxEntry[]> {
    const { stdout } = await this.#lab.bosun('inbox', '--json')
    return (json(stdout) as { readonly inbox: readonly InboxEntry[] }).inbox
  }

  async show(id: string): Promise<ReviewAnswer> {
    return json((await this.#lab.bosun('inbox', id, '--json')).stdout) as ReviewAnswer
  }

  async answer(id: string, choice: string, ...more: readonly string[]): Promise<void> {
    const done = await this.#lab.bosun('answer', id, choice, ...more)
    expect(done.exit, `answer ${id} ${choice}: ${done.stderr}`).toBe(0)
    this.choices.push(choice)
  }
}

test('every kind of decision works on the command line, and the manifest names who made it', async () => {
  lab = smallProject({
    agent: AGENT,
    files: { 'plan.yaml': PLAN },
    settings: 'approval: each_task\npm: { retry_budget: 0 }\nscheduling: { parallel_tiers: [] }\n',
  })
  const person = new Person(lab)
  const decided = new Map<string, number>()
  let last = await lab.deliver()
  for (let round = 0; round < 40 && last.last.outcome !== 'released'; round++) {
    expect([10, 11], last.stderr).toContain(last.exit)
    for (const item of last.last.inbox) {
      const times = decided.get(`${item.kind} ${item.task ?? ''}`) ?? 0
      decided.set(`${item.kind} ${item.task ?? ''}`, times + 1)
      await decide(lab, person, item, times)
    }
    last = await lab.deliver()
  }
  expect([last.exit, last.last.outcome], last.stderr).toEqual([0, 'released'])
  const [sign] = await person.inbox()
  expect(sign).toMatchObject({ kind: 'release', recommended: 'sign' })
  await person.answer(sign?.id ?? '', 'sign', '--by', 'Ann Lee')

  expect(new Set(person.choices)).toEqual(
    new Set(['approve', 'revise', 'reject', 'rescope', 'split', 'drop', 'pause', 'accept', 'sign', 'b']),
  )
  lab.git('checkout', '-q', 'feat/people/working')
  const manifest = parse(readFileSync(join(lab.repo, 'docs/releases/people-release.yaml'), 'utf8')) as {
    readonly overrides: readonly Readonly<Record<string, unknown>>[]
    readonly risks: readonly Readonly<Record<string, unknown>>[]
    readonly tasks: readonly { readonly task_id: string }[]
  }
  expect(manifest.tasks.map(({ task_id }) => task_id)).toEqual([
    '1',
    '2',
    '3',
    '6',
    '7',
    '10',
    '8',
    '11',
    '9-s1',
    '9-s2',
  ])
  // Once for each tree it was proven on: what lands meanwhile makes it other work.
  const override = { gate: 'plan_alignment', task: '6', by: 'Ann', reason: 'it is followed up elsewhere' }
  expect(manifest.overrides.length).toBeGreaterThan(0)
  for (const recorded of manifest.overrides) expect(recorded).toMatchObject(override)
  expect(manifest.risks).toMatchObject([
    {
      status: 'accepted',
      description: 'tokens never expire',
      accepted_by: 'Bea Ray',
      reason: 'we rotate them',
    },
  ])
  const review = readFileSync(join(lab.repo, 'docs/reviews/people/task-6-review.md'), 'utf8')
  expect(review).toContain('plan_alignment: let through by Ann, because it is followed up elsewhere')
  expect(readFileSync(join(lab.repo, 'docs/reviews/people/task-11-review.md'), 'utf8')).toContain(
    'Bea decided on "Red or blue?": blue',
  )
  expect(readFileSync(join(lab.repo, 'src/m11/value'), 'utf8')).toBe('11\nBea decided: blue\n')
  expect(readFileSync(join(lab.repo, 'src/m2/value'), 'utf8')).toContain('make it shorter')
  expect(readFileSync(join(lab.repo, 'src/m3/value'), 'utf8')).toContain('make it smaller')

  const verified = await lab.bosun('release', 'verify', 'people', '--json')
  expect(verified.exit, verified.stdout).toBe(0)
  const shown = await lab.bosun('release', 'show', 'people', '--json')
  const { summary } = json(shown.stdout) as { readonly summary: string }
  expect(summary).toContain('plan_alignment of 6 by Ann (it is followed up elsewhere)')
  expect(summary).toMatch(/^Accepted risks: .* by Bea Ray \(we rotate them\)$/m)
}, 240_000)

async function decide(of: Lab, person: Person, item: InboxEntry, times: number): Promise<void> {
  const { id, kind, task: about } = item
  expect(item.options.length).toBeGreaterThanOrEqual(1)
  expect(item.options.map(({ key }) => key)).toContain(item.recommended)
  switch (`${kind} ${about ?? ''}`) {
    case 'approval 1': {
      if (times > 0) return person.answer(id, 'approve')
      const { task: sheet, gates, diff } = await person.show(id)
      expect(sheet).toMatchObject({
        files: expect.arrayContaining(['src/m1/value']),
        claim: { explanation: 'wrote 1' },
        // It is for this person to confirm.
        criteria: [
          {
            criterion: 'value 1 is there',
            word: 'UNTESTED',
            why: 'mapped by the worker, unverified',
            place: 'src/m1/value:1',
          },
        ],
      })
      expect(gates.map(({ outcome }) => outcome)).not.toContain('failed')
      const unit = gates.find(({ gate }) => gate === 'unit')?.runs.find(({ on }) => on === 'tree')
      expect(readFileSync(unit?.output ?? '', 'utf8')).toContain('ok 1')
      expect(diff?.text).toContain('+++ b/src/m1/value\n@@ -0,0 +1 @@\n+1\n')
      // A pause leaves the question open; the plan goes on where it was.
      await person.answer(id, 'pause', '--feedback', 'back on Monday')
      const paused = await of.bosun('status', '--json')
      expect(json(paused.stdout)).toMatchObject({ plans: [{ state: 'paused', why: 'back on Monday' }] })
      expect((await of.bosun('resume', 'people')).exit).toBe(0)
      return
    }
    case 'approval 2':
      return times === 0
        ? person.answer(id, 'revise', '--feedback', 'make it shorter')
        : person.answer(id, 'approve')
    case 'approval 3':
      return times === 0
        ? person.answer(id, 'reject', '--feedback', 'make it smaller')
        : person.answer(id, 'approve')
    case 'question 3':
      expect(item.recommended).toBe('rescope')
      return person.answer(id, 'rescope', '--feedback', 'make it smaller')
    case 'approval 4': {
      expect(item.impact).toContain('5')
      expect((await person.show(id)).blocks).toEqual(['5'])
      return person.answer(id, 'reject')
    }
    case 'question 4':
      expect(item.recommended).toBe('drop')
      return person.answer(id, 'drop')
    case 'question 11': {
      expect(item.problem).toContain('leaves a choice open: "Red or blue?"')
      expect([item.recommended, item.options.map(({ key }) => key)]).toEqual([
        'a',
        ['a', 'b', 'answer', 'worker'],
      ])
      // Nothing works on it before; other tasks do.
      const shown = json((await of.bosun('task', 'show', '11', '--json')).stdout)
      expect(shown).toMatchObject({ status: 'pending' })
      const bare = await of.bosun('answer', id, 'answer')
      expect([bare.exit, bare.stderr]).toEqual([2, expect.stringContaining('needs your feedback')])
      return person.answer(id, 'b', '--by', 'Bea')
    }
    case 'approval 9':
      return person.answer(id, 'reject', '--feedback', 'too large')
    case 'question 9':
      expect([item.recommended, item.options.map(({ key }) => key)]).toEqual([
        'rescope',
        ['rescope', 'split', 'drop'],
      ])
      return person.answer(id, 'split')
    case 'escalation 6': {
      const bare = await of.bosun('answer', id, 'approve')
      expect([bare.exit, bare.stderr]).toEqual([2, expect.stringContaining('needs a reason')])
      const wrong = await of.bosun('answer', id, 'aprove')
      expect([wrong.exit, wrong.stderr]).toEqual([2, expect.stringContaining('approve (override')])
      const { gates, task: sheet } = await person.show(id)
      expect(sheet?.criteria).toMatchObject([{ criterion: 'value 6 is there', word: 'FAIL' }])
      expect(gates.find(({ outcome }) => outcome === 'failed')).toMatchObject({
        gate: 'plan_alignment',
        findings: [{ blocks: true, file: 'src/m6/value', line: 9 }],
      })
      // Recorded under git's user.name without --by.
      await person.answer(id, 'approve', '--reason', 'it is followed up elsewhere')
      const again = await of.bosun('answer', id, 'reject')
      expect([again.exit, again.stderr]).toEqual([4, expect.stringContaining('Ann chose approve')])
      return
    }
    case 'escalation 7':
      expect(item.problem).toContain('which one, red or blue?')
      return person.answer(id, 'revise', '--feedback', 'use the blue one')
    case 'escalation ':
      expect(item.problem).toContain('tokens never expire')
      expect((await of.bosun('answer', id, 'accept', '--reason', ' ')).exit).toBe(2)
      return person.answer(id, 'accept', '--reason', 'we rotate them', '--by', 'Bea Ray')
    default:
      return person.answer(id, 'approve')
  }
}
