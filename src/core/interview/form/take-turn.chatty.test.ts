/** People who write as they talk: greetings, remarks, wishes in every form. No wish is lost, and no remark becomes one. */
import { describe, expect, test } from 'vitest'
import { lastPost, newInterview, say, specOf } from '../../../../test/helpers/drive-form.ts'
import { takeTurn } from './take-turn.ts'
import type { Spec } from '../../spec/spec.ts'

const titles = (spec: Spec): readonly string[] => spec.requirements.map(({ title }) => title)

describe('a chatty person', () => {
  const built = (text: string) => {
    const interview = newInterview()
    say(interview, text)
    say(interview, 'you decide')
    if (interview.state !== 'PREVIEW') say(interview, 'that is all')
    return specOf(interview)
  }

  test('keeps the wish among remarks, and no remark becomes a requirement', () => {
    const spec = built(
      'Hi! I help out at a rowing club and the trainers would like to see who has not been on the water for weeks. Just a list. The members are in data/members.json. Nothing fancy, thanks!',
    )
    expect(spec.requirements.map(({ criteria }) => criteria[0])).toEqual([
      'The trainers can see who has not been on the water for weeks',
    ])
    expect(spec.title).toMatch(/^The trainers/)
  })

  test('is not held to how things are today, and both halves of a wish are kept', () => {
    const spec = built(
      'We run a bakery. Every day people phone us. It would be great if customers could order rolls online, and I get a sheet in the morning.',
    )
    expect(spec.requirements).toHaveLength(1)
    expect(spec.requirements[0]?.criteria.slice(0, 2)).toEqual([
      'Customers can order rolls online',
      'I get a sheet in the morning',
    ])
  })

  test('loses no wish between the greeting and the signature, and neither of the two is one', () => {
    const spec = built(
      "Hi team! Hope you're well. Customers complain that they can't find their invoices, and it would be great if they could download them as PDF. Maybe also send them a copy by mail? My colleague Anna wants a filter by year. And please don't forget that admins must be able to send any invoice again. Thanks a lot, Tom",
    )
    expect(titles(spec)).toEqual([
      expect.stringMatching(/^Customers complain that they can't find their invoices/),
      'Maybe also send them a copy by mail',
      'My colleague Anna wants a filter by year',
      expect.stringMatching(/admins must be able to send any invoice again$/),
    ])
    expect(spec.requirements.map(({ priority }) => priority)).toEqual(['must', 'could', 'must', 'must'])
    expect(JSON.stringify(spec)).not.toMatch(/Hi team|Hope you|Thanks/)
  })

  test('is shown what was taken as background, so that no wish is lost unnoticed', () => {
    const interview = newInterview()
    say(
      interview,
      'Add a page of trips. We collect money for every trip and by now it is chaos in my drawer.',
    )
    say(interview, "that's all")
    expect(lastPost(interview).text).toMatch(
      /Taken as background, and not built [^\n]*\n- We collect money for every trip and by now it is chaos/,
    )
  })

  test('whose one wish is optional means the others all the same', () => {
    const spec = built('Add a login. Nice to have: two factor authentication. Not needed: a mobile app.')
    expect(spec.requirements.map(({ title, priority }) => [title, priority])).toEqual([
      ['Add a login', 'must'],
      ['Two factor authentication (Nice to have)', 'could'],
    ])
    expect(spec.outOfScope).toContain('Mobile app')
  })

  test('whose wish is followed by how to see it is held to both', () => {
    const spec = built(
      'The search must tolerate typos. Results are shown within 200 ms. Admins can boost products.',
    )
    expect(spec.requirements.map(({ criteria }) => criteria.slice(0, 2))).toEqual([
      ['The search must tolerate typos', 'Results are shown within 200 ms'],
      ['Admins can boost products'],
    ])
  })
})

describe('someone who writes again before the first message is answered', () => {
  /** The second message comes while the turn about the first is under way, so that the post stands behind both. */
  const overlapping = () => {
    const interview = say(newInterview(), 'Add a list of pictures')
    const seen = interview.conversation.length + 1
    for (const text of ['also crop them', '1a 2c'])
      interview.conversation.push({ from: 'user', text, questions: [], at: 0 })
    const { expertise, bootstrap, draft, bootstrapDraft, feedback } = interview
    const turn = { expertise, bootstrap, draft, bootstrapDraft, feedback, callsLeft: 9 }
    const heard = { ...turn, conversation: interview.conversation.slice(0, seen), readUpTo: seen, calls: [] }
    const call = takeTurn(heard)
    if (call.tool !== 'chat_post') throw new Error(`${call.tool} instead of questions`)
    const { text, questions } = call
    interview.conversation.push({ from: 'pm', text, questions: questions ?? [], at: 0 })
    const calls = [{ call, ok: true, result: 'posted' }]
    return { interview, turn: { ...turn, conversation: [...interview.conversation], readUpTo: seen, calls } }
  }

  test('is answered again', () => {
    const { turn } = overlapping()
    const next = takeTurn(turn)
    expect(next).toMatchObject({ tool: 'chat_post', text: expect.stringContaining('Noted:') })
    expect(takeTurn({ ...turn, readUpTo: turn.conversation.length })).toEqual({ tool: 'await_user' })
  })

  test('keeps an answer that was asked for again', () => {
    const { interview } = overlapping()
    say(interview, "that's all")
    expect(specOf(interview).vision).toContain('administrators or staff')
  })
})

test.each([
  ['Add CSV export to the orders page', false],
  ['A page that lists the orders of a customer', false],
  ['Show the bookings of today', false],
  ['Add dark mode toggle to settings page', true],
  ['Save searches', true],
  ['Add a todo list', true],
  ['Create a list of notes', true],
  ['Show the orders page as a table and remember the width of its columns', true],
])('by default, what only reads keeps nothing: %s', (wish, isKept) => {
  const interview = newInterview()
  say(interview, wish)
  say(interview, "that's all")
  const criteria = specOf(interview).requirements.flatMap((one) => one.criteria)
  expect(criteria.includes('After a restart on the same device it is the same as before')).toBe(isKept)
})

test('a doubt is put back to the person who has it, whatever words it has', () => {
  const interview = newInterview()
  say(interview, 'Add coupons. We are not sure how long they are valid')
  expect(lastPost(interview).text).toContain(
    'You have not decided this yet: "We are not sure how long they are valid". Tell me what you prefer, or say "you decide".',
  )
  say(interview, "that's all")
  expect(titles(specOf(interview))).toEqual(['Add coupons'])
})

describe('a person who has had enough', () => {
  test.each(['cancel', 'Never mind, forget it.', 'ok, cancel it please', 'start over', 'Abbrechen!'])(
    'learns how to leave, and "%s" becomes no requirement',
    (words) => {
      const interview = newInterview()
      say(interview, 'Add a wish list')
      say(interview, words)
      expect(interview.state).toBe('AWAIT_USER')
      expect(lastPost(interview).text).toContain('Nothing is built before you submit a spec.')
      say(interview, "that's all")
      expect(titles(specOf(interview))).toEqual(['Add a wish list'])
    },
  )

  test.each(['Cancel orders that are not paid', 'Let people start over', 'Users can cancel'])(
    'is no person who wants to build it: %s',
    (wish) => {
      const interview = newInterview()
      say(interview, 'Add a wish list')
      say(interview, wish)
      say(interview, "that's all")
      expect(titles(specOf(interview))).toContain(wish)
    },
  )
})
