import { describe, expect, test } from 'vitest'
import {
  EMPTY_REPOSITORY,
  fill,
  goOn,
  lastPost,
  newInterview,
  posts,
  say,
  sendBack,
  specOf,
  transcript,
  work,
  type Driven,
} from '../../../../test/helpers/drive-form.ts'
import { readSpec } from '../../spec/read-spec.ts'

const inForm = (interview: Driven): Readonly<Record<string, string | null>> =>
  Object.fromEntries(lastPost(interview).questions.map(({ id, default: value }) => [id, value]))
const ids = (interview: Driven) => specOf(interview).requirements.map(({ id, title }) => [id, title])

const FILLED = {
  goal: 'Teachers cannot export grades, so they copy them by hand.',
  users: 'teachers',
  done: 'The grades page has a button "Export"\n- the file opens in LibreOffice\n\n2. An empty class exports the header only',
  out: '- PDF\n- grades of other schools',
  constraints: 'no new dependency',
  tests: 'with vitest, and once by hand in LibreOffice',
}

describe('the form', () => {
  test('asks for six fields in one post, and what was said is in it already', () => {
    const interview = say(newInterview(), 'Export of grades')
    expect(interview.state).toBe('AWAIT_USER')
    expect(posts(interview)).toHaveLength(1)
    expect(lastPost(interview).text).toContain('nobody judges')
    expect(inForm(interview)).toEqual({
      goal: 'Export of grades',
      users: '',
      done: null,
      out: '',
      constraints: '',
      tests: '',
    })
  })

  test('is filled with what a model understood before and the user corrected', () => {
    const understood = {
      judged_by: 'a model',
      criteria: ['The file has a row for each pupil'],
      files: { create: [], modify: [] },
      tests_to_add: [],
      constraints: ['no new dependency'],
      out_of_scope: ['PDF'],
      answers: [{ question: 'Which format?', answer: 'CSV' }],
      open: [{ question: 'Who may export?', options: ['teachers', 'everyone'] }],
    }
    const request = { type: null, scope: null, workflow: null, title: 'Export grades', understood }
    const interview = say(newInterview({ request }), 'teachers copy by hand')
    expect(lastPost(interview).text).toContain('Who may export? (teachers; everyone)')
    expect(inForm(interview)).toMatchObject({
      goal: 'Export grades\n\nteachers copy by hand\n\nWhich format? CSV',
      done: 'The file has a row for each pupil',
      out: 'PDF',
      constraints: 'no new dependency',
    })
  })

  test('becomes the spec word for word, each line of what must be true a requirement with itself as criterion', () => {
    const interview = fill(say(newInterview(), 'Export of grades'), FILLED)
    expect(interview.state, transcript(interview)).toBe('PREVIEW')
    const spec = specOf(interview)
    expect(spec.title).toBe(FILLED.goal)
    expect(spec.vision).toBe(FILLED.goal)
    expect(spec.requirements.map(({ id, criteria }) => [id, criteria])).toEqual([
      ['R-001', ['The grades page has a button "Export"']],
      ['R-002', ['the file opens in LibreOffice']],
      ['R-003', ['An empty class exports the header only']],
    ])
    expect(spec.outOfScope).toEqual(['PDF', 'grades of other schools'])
    expect(spec.notes.map(({ heading, text }) => [heading, text])).toEqual([
      ['Users', 'teachers'],
      ['Constraints', 'no new dependency'],
      ['Testing', FILLED.tests],
      ['Notes', expect.stringContaining('Not judged: no model')],
    ])
    expect(interview.bootstrapDraft).toBeNull()
  })

  test('leaves out what was left empty, and invents nothing', () => {
    const interview = fill(say(newInterview(), 'A clock'), { done: 'It shows the time' })
    const spec = specOf(interview)
    expect(spec.outOfScope).toEqual([])
    expect(spec.notes.map(({ heading }) => heading)).toEqual(['Notes'])
    expect(interview.draft).not.toContain('Users')
  })

  test('takes indented lines below a point as its criteria', () => {
    const done = 'Export\n  - a header line\n  - one line per row\nImport'
    const [first, second] = specOf(fill(say(newInterview(), 'A clock'), { done })).requirements
    expect(first).toMatchObject({ title: 'Export', criteria: ['a header line', 'one line per row'] })
    expect(second).toMatchObject({ title: 'Import', criteria: ['Import'] })
  })

  test('asks again only for what is needed and lacking', () => {
    const interview = fill(say(newInterview(), 'A clock'), { users: 'all' })
    expect(interview.state).toBe('AWAIT_USER')
    expect(lastPost(interview).text).toContain('Still needed: What must be true')
    expect(inForm(interview)).toMatchObject({ goal: 'A clock', users: 'all' })
    expect(fill(interview, { done: 'It shows the time' }).state).toBe('PREVIEW')
  })

  test('is answered by numbered lines too, several lines each', () => {
    const interview = say(say(newInterview(), 'A clock'), '2: all\n3: It shows the time\nIt ticks\n4: dates')
    const spec = specOf(interview)
    expect(spec.requirements.map(({ title }) => title)).toEqual(['It shows the time', 'It ticks'])
    expect(spec.outOfScope).toEqual(['dates'])
  })

  test('takes plain words for the field that is still needed, and asks where others belong', () => {
    const drafted = say(say(newInterview(), 'A clock'), 'It shows the time')
    expect(specOf(drafted).requirements).toHaveLength(1)
    const lost = say(goOn(drafted), 'also on phones')
    expect(lost.state).toBe('AWAIT_USER')
    expect(lastPost(lost).text).toContain('Which field is this for? "also on phones"')
    expect(specOf(fill(lost, { constraints: 'also on phones' })).notes[0]).toMatchObject({
      heading: 'Constraints',
    })
  })

  test('a message that is a spec is submitted as it is', () => {
    const first = fill(say(newInterview(), 'A clock'), FILLED)
    const again = say(newInterview(), first.draft ?? '')
    expect(again).toMatchObject({ state: 'PREVIEW', draft: first.draft })
  })

  test('says why a spec was refused, and stays open', () => {
    const interview = fill(say(newInterview(), 'A clock'), { done: 'x '.repeat(60_000) })
    expect(interview.state).toBe('AWAIT_USER')
    expect(lastPost(interview).text).toMatch(/refused: .*100 KB/)
  })
})

describe('a request with headings and lists', () => {
  const ISSUE = `# Refunds

Customers wait for days.

## Acceptance criteria
- [ ] a refund within 30 days is paid back at once
- [ ] after that the order says why not
  - in the language of the customer

## Out of scope
- refunds of shipping costs
- gift cards

**Constraints:**
Stripe only

## Background
- Alice opened this
`

  test('fills the fields by its structure', () => {
    expect(inForm(say(newInterview(), ISSUE))).toEqual({
      goal: 'Refunds\n\nCustomers wait for days.\n\nBackground\n- Alice opened this',
      users: '',
      done: 'a refund within 30 days is paid back at once\nafter that the order says why not\n  in the language of the customer',
      out: 'refunds of shipping costs\ngift cards',
      constraints: 'Stripe only',
      tests: '',
    })
  })

  test('never has a point that is out of scope as a criterion', () => {
    const spec = specOf(fill(say(newInterview(), ISSUE), {}))
    expect(spec.requirements.flatMap(({ criteria }) => criteria).join()).not.toContain('gift cards')
    expect(spec.outOfScope).toContain('gift cards')
  })

  test('without headings: the points of its list are what must be true', () => {
    expect(inForm(say(newInterview(), 'Export of grades:\n- as CSV\n- as ODS'))).toMatchObject({
      goal: 'Export of grades:',
      done: 'as CSV\nas ODS',
    })
  })
})

describe('a draft', () => {
  const drafted = (): Driven =>
    fill(say(newInterview(), 'A clock'), { done: 'It shows the time\nIt ticks\nIt rings', users: 'all' })

  test('is changed in the same form, filled with what it says', () => {
    const interview = goOn(drafted())
    expect(inForm(interview)).toMatchObject({
      goal: 'A clock',
      users: 'all',
      done: 'It shows the time\nIt ticks\nIt rings',
    })
    fill(interview, { done: 'It shows the time\nIt rings softly\nIt ticks\nIt glows', users: '-' })
    expect(interview.state).toBe('PREVIEW')
    expect(ids(interview)).toEqual([
      ['R-001', 'It shows the time'],
      ['R-004', 'It rings softly'],
      ['R-002', 'It ticks'],
      ['R-005', 'It glows'],
    ])
    expect(specOf(interview).notes.map(({ heading }) => heading)).toEqual(['Notes'])
  })

  test('that was sent back is asked about in the form, and submitted again when that is answered', () => {
    const interview = sendBack(drafted(), 'R-002: "It ticks" is too loud')
    expect(interview.state).toBe('AWAIT_USER')
    expect(lastPost(interview).text).toContain('Change what the architect names')
    fill(interview, { done: 'It shows the time\nIt ticks softly\nIt rings' })
    expect(ids(interview)[1]).toEqual(['R-002', 'It ticks softly'])
    expect(interview.state).toBe('PREVIEW')
  })

  test('of a model keeps what the form does not show', () => {
    const { draft } = drafted()
    const base = readSpec(draft ?? '').spec
    const markdown = (draft ?? '')
      .replace(
        '**Dependencies:** None\n\n**Description:**\n\nIt ticks',
        '**Dependencies:** R-001\n\n**Description:**\n\nOnce a second',
      )
      .replace('# Feature: A clock', '# Feature: The clock')
    const interview = goOn(newInterview({ draft: markdown, state: 'PREVIEW' }))
    fill(interview, { done: 'It shows the time\nIt ticks\nIt glows' })
    const spec = specOf(interview)
    expect(spec.title).toBe('The clock')
    expect(spec.requirements[1]).toMatchObject({ dependsOn: ['R-001'], description: 'Once a second' })
    expect(spec.created).toBe(base?.created)
  })
})

describe('an empty repository', () => {
  test('is asked for its language as one more field, and its set-up is a spec of its own', () => {
    const interview = work(newInterview({ bootstrap: EMPTY_REPOSITORY }))
    expect(lastPost(interview).text).toContain('its set-up is planned first')
    const language = lastPost(interview).questions.find(({ id }) => id === 'language')
    expect(language).toMatchObject({ default: 'typescript' })
    fill(interview, { goal: 'A clock', done: 'It shows the time', language: 'Python' })
    expect(interview.bootstrapDraft).toContain('Set up tests with pytest')
    fill(goOn(interview), { done: 'It shows the date' })
    expect(interview.bootstrapDraft).toContain('Set up tests with pytest')
  })

  test('may have any language', () => {
    const interview = work(newInterview({ bootstrap: EMPTY_REPOSITORY }))
    say(interview, '1: A clock\n3: It shows the time\n7: Zig')
    expect(interview.bootstrapDraft).toContain('the usual test of Zig')
  })
})

test('after a model failed, what was said to it stands in the form with its questions', () => {
  const option = (key: string, label: string) => ({ key, label, consequence: '' })
  const question = {
    id: 'f',
    text: 'Which format?',
    options: [option('a', 'CSV'), option('b', 'ODS')],
    default: 'a',
  }
  const failed = {
    id: 'brain_failed',
    text: '?',
    options: [option('a', 'again'), option('b', 'form')],
    default: 'a',
  }
  const said = (from: 'user' | 'pm', text: string, questions = [] as (typeof question)[]) =>
    ({ from, text, questions, answers: {}, at: 0 }) as const
  const conversation = [
    said('user', 'Export'),
    said('pm', 'One question', [question]),
    said('user', '1b'),
    said('pm', 'failed', [failed]),
  ]
  expect(inForm(say(newInterview({ conversation }), 'b'))).toMatchObject({
    goal: 'Export\nWhich format? ODS',
  })
})
