import { expect, test } from 'vitest'
import { conclude } from './conclude.ts'
import { NO_HISTORY } from './estimate.ts'
import type { Decided } from './work.ts'
import { formOf } from './request-form.ts'
import { readRequest } from './request-text.ts'
import type { SeenWork, Understanding } from './intake.ts'
import { DEFAULT_WORKFLOWS } from './workflows.ts'

const JUDGED: Understanding = {
  type: 'bug_fix',
  scope: 'small',
  title: 'Compare discount codes without regard to case',
  answer: null,
  expected: '“save10” and “SAVE10” give the same discount',
  criteria: ['An unknown code is refused as before'],
  files: { create: [], modify: ['src/discount.js'] },
  tests_to_add: ['test/discount.test.js'],
  constraints: [],
  out_of_scope: ['Codes with blanks'],
  touches: [],
  questions: [],
  reasons: ['codes are compared with ==='],
}

interface Given {
  readonly decided?: Decided
  readonly judged?: Understanding | null
  readonly sources?: number
  readonly fileName?: string | null
  readonly mayAsk?: boolean
  readonly seen?: SeenWork | null
}

function understand(
  text: string,
  { decided = {}, judged = null, sources = 20, fileName = null, mayAsk = true, seen = null }: Given = {},
) {
  const request = readRequest(text)
  return conclude(
    {
      request,
      form: formOf(text, request),
      fileName,
      repository: { sources },
      judgement: judged === null ? null : { by: 'acme/large', understanding: judged },
      seen,
      mayAsk,
      history: NO_HISTORY,
      table: DEFAULT_WORKFLOWS,
      hasFixer: false,
      hasBrain: true,
    },
    decided,
  )
}

const idsOf = ({ questions }: { readonly questions: readonly { readonly id: string }[] }) =>
  questions.map(({ id }) => id)

test('without a judgement nothing is known of a request, and type and scope are asked', () => {
  const intake = understand('Discount codes are case sensitive')
  expect(intake).toMatchObject({ type: null, scope: null, workflow: null, estimate: null, next: 'ask' })
  expect(idsOf(intake)).toEqual(['type', 'scope'])
  expect(intake.questions[0]?.options).toHaveLength(3)
  expect(intake.questions[1]?.options).toHaveLength(4)
  expect(intake.questions.map((question) => question.default)).toEqual([null, null])
})

test('what the user decided is not asked, and what is left is asked with what follows from it', () => {
  const { questions } = understand('Discount codes are case sensitive', { decided: { type: 'bug_fix' } })
  expect(questions).toMatchObject([
    { id: 'scope', options: [{ consequence: expect.stringContaining('fixer') }, {}, {}, {}] },
  ])
})

test('once type and scope are decided, the criteria of one task are asked, and it can begin without', () => {
  const decided = { type: 'feature_request', scope: 'small' } as const
  const asked = understand('Show a hint in the empty list', { decided })
  expect(asked).toMatchObject({
    workflow: 'direct',
    next: 'one_task',
    questions: [{ id: 'criteria', by: 'lines' }],
  })
  expect(asked.work.criteria).toEqual(['Show a hint in the empty list'])
  const told = understand('Show a hint in the empty list', {
    decided: { ...decided, criteria: ['It says “Nothing yet”'] },
  })
  expect(told).toMatchObject({ questions: [], work: { criteria: ['It says “Nothing yet”'] } })
})

test('the criterion of a bug that nobody judged is that the reported problem is gone', () => {
  const small = understand('Discount codes are case sensitive', {
    decided: { type: 'bug_fix', scope: 'small' },
  })
  expect(small.work.criteria).toEqual([
    'The reported problem no longer occurs; a test that fails on the base shows it: “Discount codes are case sensitive”',
  ])
  const typo = understand('Fix the typo in README', { decided: { type: 'bug_fix', scope: 'trivial' } })
  expect(typo.work.criteria).toEqual(['The reported problem no longer occurs: “Fix the typo in README”'])
})

test('criteria under a heading are taken word for word, and what is out of scope is none', () => {
  const text = [
    '# Gift cards',
    'Customers ask for them.',
    '## Acceptance criteria',
    '- [ ] A card has a code of 12 letters',
    '- A used card is refused',
    '## Out of scope',
    '- refunds of shipping costs',
  ].join('\n')
  const { work, questions } = understand(text, { decided: { type: 'feature_request', scope: 'small' } })
  expect(work).toMatchObject({
    criteria: ['A card has a code of 12 letters', 'A used card is refused'],
    out_of_scope: ['refunds of shipping costs'],
  })
  expect(questions).toEqual([])
})

test('a request that states no criteria is its own criterion, without what is out of scope', () => {
  const text = [
    'Show the discount in the cart',
    '',
    'It stands beside the total.',
    'Non-goals: vouchers',
    '',
    '## Out of scope',
    'Nothing of the checkout:',
    '- other currencies',
    '  and their signs',
  ].join('\n')
  const { work } = understand(text, { decided: { type: 'feature_request', scope: 'small' } })
  expect(work).toMatchObject({
    criteria: ['Show the discount in the cart It stands beside the total.'],
    out_of_scope: ['vouchers', 'other currencies and their signs'],
  })
})

test('an empty repository and a project brief are a new project, of which nobody has to know the scope', () => {
  for (const given of [{ sources: 0 }, { fileName: 'PROJECT-BRIEF.md' }]) {
    expect(understand('A shop for tea', given)).toMatchObject({
      type: 'new_project',
      scope: null,
      workflow: 'project',
      questions: [],
      next: 'interview',
    })
  }
  expect(understand('# PROJECT BRIEF\n\nA shop for tea')).toMatchObject({ type: 'new_project' })
})

test('with a judgement its title, criteria and files are taken, and a test that reproduces a bug is a criterion', () => {
  const intake = understand('Discount codes are case sensitive', { judged: JUDGED })
  expect(intake).toMatchObject({
    title: 'Compare discount codes without regard to case',
    type: 'bug_fix',
    scope: 'small',
    workflow: 'fix',
    judged_by: 'acme/large',
    questions: [],
    next: 'one_task',
    work: {
      criteria: [
        '“save10” and “SAVE10” give the same discount',
        'An unknown code is refused as before',
        'A test that fails on the base reproduces it',
      ],
      files: { modify: ['src/discount.js'] },
      out_of_scope: ['Codes with blanks'],
    },
  })
})

test('what the user decided wins over a judgement, and the reasons say whose it is', () => {
  const intake = understand('x', { judged: JUDGED, decided: { scope: 'large', title: 'Fold codes' } })
  expect(intake).toMatchObject({ scope: 'large', title: 'Fold codes' })
  expect(intake.reasons).toContain('scope, title: set by you')
})

test('a question without a default waits for its answer, one with a default does not', () => {
  const question = { text: 'Where?', options: ['In Redis', 'In memory'], default: null }
  const open = understand('x', { judged: { ...JUDGED, questions: [question] } })
  expect(open).toMatchObject({ next: 'ask', questions: [{ id: 'q1', by: 'option_or_words', default: null }] })
  const usual = understand('x', { judged: { ...JUDGED, questions: [{ ...question, default: 'In memory' }] } })
  expect(usual).toMatchObject({ next: 'one_task', questions: [{ default: '2' }] })
})

test('after the last round the work goes on with what is known', () => {
  const questions = [{ text: 'Where?', options: ['a', 'b'], default: null }]
  const intake = understand('x', { judged: { ...JUDGED, questions }, mayAsk: false })
  expect(intake).toMatchObject({ questions: [], next: 'one_task' })
})

test('a question is answered, and nothing is built', () => {
  const judged: Understanding = {
    ...JUDGED,
    type: 'question',
    answer: 'By pressing Pay.',
    expected: null,
    criteria: [],
  }
  expect(understand('How do I pay?', { judged })).toMatchObject({
    type: 'question',
    answer: 'By pressing Pay.',
    workflow: null,
    next: 'answered',
    work: { criteria: [], files: { modify: [] } },
  })
})

test('a small feature that touches passwords gets the deeper workflow, and says why', () => {
  const intake = understand('Add a password field to the form', {
    decided: { type: 'feature_request', scope: 'small' },
  })
  expect(intake).toMatchObject({ scope: 'small', workflow: 'light', next: 'interview' })
  expect(intake.reasons.join('\n')).toContain('workflow light instead of direct')
})

test('a request without words is asked for, whatever was decided', () => {
  expect(understand('%% 99 ??', { decided: { type: 'bug_fix', scope: 'small' } })).toMatchObject({
    next: 'ask',
    questions: [{ id: 'request', default: null }],
  })
})

test('a plan is run and a spec is previewed; their parts say how large they are', () => {
  expect(understand('plan: x\ntasks:\n  - id: "1"\n    title: A')).toMatchObject({
    next: 'run_plan',
    type: null,
    scope: 'small',
    questions: [],
  })
  const spec = (count: number) =>
    `# Feature: X\n\n${Array.from({ length: count }, (_, at) => `### R-00${at + 1}: Y\n`).join('\n')}`
  expect([1, 2, 5, 6].map((count) => understand(spec(count)).scope)).toEqual([
    'small',
    'medium',
    'medium',
    'large',
  ])
  expect(understand(spec(1))).toMatchObject({ next: 'upload_spec', questions: [] })
})

test('what a model sees at risk, or which files it names, deepens the workflow as the words of the request do', () => {
  const wish: Understanding = { ...JUDGED, type: 'feature_request', expected: null }
  const workflowOf = (text: string, told: Partial<Understanding>) =>
    understand(text, { judged: { ...wish, ...told } }).workflow
  expect(workflowOf('Anybody may call the export', {})).toBe('direct')
  expect(workflowOf('Anybody may call the export', { touches: ['auth'] })).toBe('light')
  expect(workflowOf('Show the sum', { files: { create: [], modify: ['src/payment.js'] } })).toBe('light')
  expect(workflowOf('Reset a password by mail', { title: 'Send a mail', touches: [] })).toBe('light')
})

test('why a small repair is not reviewed quickly is said', () => {
  const text = 'Anybody may call the export'
  expect(understand(text, { judged: { ...JUDGED, touches: ['auth'] } }).reasons).toContain(
    'risk: touches auth',
  )
  expect(understand(text, { judged: JUDGED }).reasons.join()).not.toContain('risk')
})

test('work that names neither a file nor a test waits until the person says that the words are enough', () => {
  const judged: Understanding = {
    ...JUDGED,
    expected: 'It works',
    criteria: ['yes'],
    files: { create: [], modify: [] },
    tests_to_add: [],
  }
  const asked = understand('The export hangs', { judged })
  expect(asked).toMatchObject({ next: 'ask', questions: [{ id: 'criteria', by: 'lines', default: null }] })
  const agreed = understand('The export hangs', { judged, decided: { criteria: [] } })
  expect(agreed).toMatchObject({ next: 'one_task', work: { criteria: ['It works', 'yes'] } })
  const told = understand('The export hangs', { judged, decided: { criteria: ['It ends in 2 s'] } })
  expect(told).toMatchObject({ next: 'one_task', work: { criteria: ['It ends in 2 s'] } })
})

test('a criterion that the user saw and a model left out in the next round is named', () => {
  const seen = { ...JUDGED, criteria: ['An unknown code is refused as before', 'Codes stay as typed'] }
  expect(understand('x', { judged: JUDGED, seen }).reasons).toContain(
    'no longer a criterion: Codes stay as typed',
  )
  expect(understand('x', { judged: JUDGED, seen: JUDGED }).reasons.join()).not.toContain('no longer')
})
