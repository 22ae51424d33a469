import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { idSlug, planId, planIdFor, planName, reviewerId, taskName, workerId } from './ids.ts'

describe('plan id', () => {
  it.each([
    ['docs/plans/2026-02-19-cbt-engine-plan.md', 'cbt-engine'],
    ['20260709-mistral-vibe-agent-impl-plan.md', 'mistral-vibe-agent-impl'],
    ['plans/todo.yaml', 'todo'],
    ['Crème brûlée.md', 'creme-brulee'],
    ['plan.md', 'plan'],
    ['.plans/shop_plan.md', 'shop'],
  ])('of %s is %s', (source, id) => {
    expect(planId({ id: undefined, source, title: 'Title' })).toBe(id)
  })

  it('is the slug of the id the author gave', () => {
    expect(planId({ id: 'Todo API', source: 'x.md', title: undefined })).toBe('todo-api')
  })

  it('comes from the title for standard input and for names without letters', () => {
    expect(planId({ id: undefined, source: '-', title: 'The Shop' })).toBe('the-shop')
    expect(planId({ id: undefined, source: '計画.md', title: 'The Shop' })).toBe('the-shop')
  })

  const LONG = 'a-plan-whose-name-is-longer-than-forty-characters'

  it('differs for two long names with the same beginning, and records that it was cut', () => {
    const ids = ['first', 'second'].map((end) => {
      return planId({ id: undefined, source: `${LONG}-${end}.md`, title: undefined })
    })
    expect(new Set(ids).size).toBe(2)
    for (const id of ids) expect(id).toMatch(/^a-plan-whose-name-is-longer-tha-[0-9a-f]{8}$/)
    const cut = planName({ id: LONG, source: 'x.md', title: undefined })
    expect(cut).toMatchObject({ whole: LONG, isGiven: true })
    expect(cut.id).not.toBe(LONG)
    const kept = planName({ id: 'a'.repeat(40), source: 'x.md', title: undefined })
    expect(kept.id).toBe(kept.whole)
  })

  it('is always a slug of 1 to 40 characters', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (source, title) => {
        expect(planId({ id: undefined, source, title })).toMatch(/^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/)
      }),
    )
  })
})

describe('the id of a plan that a sentence names', () => {
  it('has its first three words, and a number where that is taken', () => {
    expect([1, 2, 12].map((n) => planIdFor('Fix the footer overlap!', n))).toEqual([
      'fix-the-footer',
      'fix-the-footer-2',
      'fix-the-footer-12',
    ])
    expect(planIdFor('修复', 1)).toBe('request')
    expect(planIdFor('x'.repeat(90), 100).length).toBeLessThanOrEqual(40)
  })

  it('does not take an apostrophe for the end of a word', () => {
    expect(planIdFor("it doesn't work", 1)).toBe('it-doesnt-work')
    expect(planIdFor('The user’s picture is lost', 1)).toBe('the-users-picture')
  })
})

describe('names of tasks and workers', () => {
  it('put task- before the slug unless it has it', () => {
    expect(taskName('7')).toBe('task-7')
    expect(taskName('Task-7')).toBe('task-7')
    expect(taskName('T-01')).toBe('task-t-01')
    expect(taskName('1.2')).toBe('task-1-2')
  })

  it('name the attempt, and the round of a review', () => {
    expect(workerId('shop', '7', 1)).toBe('w-shop-7-1')
    expect(reviewerId('shop', '1.2', 3, 2)).toBe('w-shop-1-2-3-review-2')
  })

  it('are never empty, whatever the id', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), (id) => {
        expect(idSlug(id)).toMatch(/^[a-z0-9-]+$/)
      }),
    )
  })
})
