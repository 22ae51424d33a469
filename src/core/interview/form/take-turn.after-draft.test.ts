/** Changes of a draft: what the user asks for in a continued interview, and what the architect objects to. */
import { describe, expect, test } from 'vitest'
import {
  lastPost,
  newInterview,
  say,
  sendBack,
  specOf,
  transcript,
  type Driven,
} from '../../../../test/helpers/drive-form.ts'
import { specText } from '../../spec/write-spec.ts'

/** A draft with three requirements. */
function drafted(): Driven {
  const interview = say(
    newInterview(),
    'Add a guest book.\n- Let guests leave a message\n- Send a mail for each message',
  )
  say(interview, "that's all")
  expect(interview.state).toBe('PREVIEW')
  return interview
}

const ids = (interview: Driven) => specOf(interview).requirements.map(({ id }) => id)
const requirement = (interview: Driven, id: string) => {
  const found = specOf(interview).requirements.find((one) => one.id === id)
  if (found === undefined) throw new Error(`no ${id} in ${transcript(interview)}`)
  return found
}

describe('after "Continue Interview"', () => {
  test('a new wish becomes a requirement, and the others keep their ids', () => {
    const interview = say(drafted(), 'Also let me delete messages')
    expect(interview.state).toBe('PREVIEW')
    expect(ids(interview)).toEqual(['R-001', 'R-002', 'R-003', 'R-004'])
    expect(requirement(interview, 'R-004').title).toMatch(/delete messages/)
  })

  test('a requirement can be dropped by its id or by its words', () => {
    expect(ids(say(drafted(), 'drop R-002'))).toEqual(['R-001', 'R-003'])
    const interview = say(drafted(), 'no mail for each message please')
    expect(ids(interview)).toEqual(['R-001', 'R-002'])
    expect(specOf(interview).outOfScope.join()).toMatch(/mail/)
  })

  test('priority, title and text of a requirement can be changed', () => {
    expect(requirement(say(drafted(), 'R-003 could'), 'R-003').priority).toBe('could')
    expect(specOf(say(drafted(), 'call it Visitors')).title).toBe('Visitors')
    const interview = say(drafted(), 'change R-002 to guests can leave a voice message')
    expect(requirement(interview, 'R-002').criteria).toEqual(['Guests can leave a voice message'])
    expect(requirement(say(drafted(), 'add to R-002: at most 500 characters'), 'R-002').criteria).toContain(
      'At most 500 characters',
    )
  })

  test('an answer given before can be corrected', () => {
    const interview = say(drafted(), 'actually, only for administrators')
    expect(specOf(interview).requirements[0]?.criteria.join()).toMatch(/without that role is refused/)
  })

  test('a message that changes nothing is answered, and the next one shows the draft again', () => {
    const interview = drafted()
    const before = interview.draft
    say(interview, 'hmm')
    expect(interview.state).toBe('AWAIT_USER')
    expect(lastPost(interview).text).toContain('Tell me what should change')
    say(interview, 'hmm')
    expect(interview.state).toBe('PREVIEW')
    expect(interview.draft).toBe(before)
  })

  test('the last requirement cannot be dropped', () => {
    const interview = say(newInterview(), 'Add a clock')
    say(interview, "that's all")
    expect(ids(say(interview, 'drop R-001'))).toEqual(['R-001'])
  })
})

test('an uploaded spec keeps its words, and what the user says is added', () => {
  const uploaded = specText({
    version: '2.1',
    priority: 'should',
    created: '2026-01-02',
    title: 'Own words',
    vision: 'A vision of my own.',
    inScope: ['One thing'],
    outOfScope: ['Another thing'],
    requirements: [
      {
        id: 'R-0042',
        title: 'One thing',
        type: 'functional',
        priority: 'must',
        dependsOn: [],
        description: 'Mine.',
        criteria: ['It is so'],
        line: 0,
      },
    ],
  })
  const interview = say(
    newInterview({ draft: uploaded, expertise: 'expert' }),
    'Also add a second thing. No third thing.',
  )
  const spec = specOf(interview)
  expect(spec).toMatchObject({
    version: '2.1',
    title: 'Own words',
    vision: 'A vision of my own.',
    created: '2026-01-02',
  })
  expect(spec.requirements.map(({ id }) => id)).toEqual(['R-0042', 'R-043'])
  expect(spec.outOfScope).toEqual(['Another thing', 'Third thing'])
  say(interview, 'drop R-043')
  expect(specOf(interview).requirements.map(({ id }) => id)).toEqual(['R-0042'])
})

describe('feedback of the architect', () => {
  const vague = (quote: string) =>
    `1. R-001: "${quote}" cannot be measured. Say what can be observed, with a number where there is one.`

  test('a criterion that cannot be measured is asked about and replaced', () => {
    const interview = drafted()
    const quote = requirement(interview, 'R-001').criteria[0] ?? ''
    sendBack(interview, vague(quote))
    expect(interview.state).toBe('AWAIT_USER')
    const { questions, text } = lastPost(interview)
    expect(text).toContain('architect')
    expect(questions).toHaveLength(1)
    say(interview, 'a visitor sees it within 2 s')
    expect(interview.state).toBe('PREVIEW')
    expect(requirement(interview, 'R-001').criteria).toContain('A visitor sees it within 2 s')
    expect(requirement(interview, 'R-001').criteria).not.toContain(quote)
  })

  test('an open choice is settled by the option that the user takes', () => {
    const interview = say(newInterview(), 'Store messages in a file or a database')
    say(interview, "that's all")
    sendBack(
      interview,
      '1. R-001: "in a file or a database" leaves a choice open. Choose one: in a file or in a database.',
    )
    expect(lastPost(interview).questions[0]?.options.map(({ label }) => label)).toEqual([
      'in a file',
      'in a database',
    ])
    say(interview, '2')
    expect(requirement(interview, 'R-001').title).toBe('Store messages in a database')
  })

  test('what is undecided is decided in the words of the user, wherever it stands', () => {
    const undecided = (): Driven => {
      const interview = say(newInterview(), 'Some kind of reporting, TBD')
      say(interview, "that's all")
      return sendBack(interview, '1. R-001: "Some kind of reporting, TBD" is undecided. Decide it.')
    }
    const own = say(undecided(), 'a weekly report by mail')
    expect(own.state).toBe('PREVIEW')
    expect(requirement(own, 'R-001').title).toBe('A weekly report by mail')
    expect(own.draft).not.toMatch(/R-001[^]*TBD/)
    expect(requirement(say(undecided(), 'ok'), 'R-001').title).toBe('Some kind of reporting')
  })

  test('of two equal requirements one goes without a question', () => {
    const interview = drafted()
    sendBack(interview, '1. R-003: it says the same as R-002. Remove one of the two.')
    expect(interview.state).toBe('PREVIEW')
    expect(ids(interview)).toEqual(['R-001', 'R-002'])
  })

  test('prose of a model becomes questions with a way out, at most five', () => {
    const interview = drafted()
    const points = Array.from({ length: 9 }, (_, at) => `- R-002: point ${at} needs more thought about spam.`)
    sendBack(interview, points.join('\n'))
    expect(lastPost(interview).questions.length).toBeLessThanOrEqual(5)
    say(interview, '1: messages need a captcha')
    expect(interview.state).toBe('PREVIEW')
    expect(requirement(interview, 'R-002').criteria.join()).toMatch(/captcha/)
  })

  test('"you decide" submits again by the defaults', () => {
    const interview = drafted()
    sendBack(interview, vague(requirement(interview, 'R-001').criteria[0] ?? ''))
    say(interview, 'you decide')
    expect(interview.state).toBe('PREVIEW')
  })
})
