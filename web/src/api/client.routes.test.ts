import { expect, test } from 'vitest'
import { pathOf, type AnswerOf, type BodyOf, type SentQuery } from './client.ts'

test('the path of a route has its values, escaped', () => {
  expect(pathOf('GET /api/plans/{id}/graph', { id: 'shop' })).toBe('/api/plans/shop/graph')
  expect(pathOf('GET /api/tasks/{id}', { id: 'a/b c' })).toBe('/api/tasks/a%2Fb%20c')
  expect(pathOf('GET /api/snapshot', {})).toBe('/api/snapshot')
})

test('the compiler refuses what is not in the table of routes', () => {
  // @ts-expect-error no such route
  pathOf('GET /api/nothing', {})
  // @ts-expect-error the path needs an id
  pathOf('GET /api/plans/{id}/graph', {})
  const query: SentQuery<'GET /api/plans/{id}/tasks'> = { limit: 50, status: 'ready' }
  // @ts-expect-error no such status
  const wrong: SentQuery<'GET /api/plans/{id}/tasks'> = { status: 'sleeping' }
  const body: BodyOf<'POST /api/workers/{id}/extend'> = { minutes: 15 }
  const title = (answer: AnswerOf<'GET /api/plans/{id}/graph'>): string => answer.title
  expect([query.limit, wrong.status, body.minutes, title.length]).toEqual([50, 'sleeping', 15, 1])
})
