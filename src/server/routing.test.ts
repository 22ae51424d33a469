import { describe, expect, test } from 'vitest'
import { findHandler, jsonAnswer, jsonHandlers, type Handlers, type HttpRequest } from './routing.ts'

const request = (method: string, target: string, body = '{}'): HttpRequest => ({
  method,
  target,
  headers: new Map(),
  text: () => Promise.resolve(body),
  gone: () => new AbortController().signal,
})

const plan = (title: string) =>
  ({
    id: 'shop',
    title,
    repo: '/',
    state: 'running',
    why: '',
    branch: null,
    counts: {},
    notes: [],
    trouble: null,
    usage: null,
    thinking: null,
  }) as const

const handlers: Handlers = {
  ...jsonHandlers({
    'GET /api/plans': ({ query }) => ({ plans: [plan(JSON.stringify(query))] }),
    'GET /api/progress': () => ({ progress: [] }),
    'POST /api/clean': ({ body }) => ({ repositories: [], ...body }),
  }),
  'GET /api/plans/{id}': async (_, id) => jsonAnswer({ id }),
  'GET /api/plans/{id}/tasks': async (_, id) => jsonAnswer({ tasksOf: id }, 202),
}

async function called(method: string, target: string, body?: string): Promise<unknown> {
  const answer = await findHandler(handlers, request(method, target, body))?.()
  return typeof answer?.body === 'string' ? [answer.status, JSON.parse(answer.body) as unknown] : null
}

describe('a route', () => {
  test.each([
    ['GET', '/api/progress', [200, { progress: [] }]],
    ['HEAD', '/api/progress', [200, { progress: [] }]],
    ['GET', '/api/plans?limit=3&x=1', [200, { plans: [plan('{"limit":3}')] }]],
    ['GET', '/api/plans/shop?repo=%2Fa+b', [200, { id: 'shop' }]],
    ['GET', '/api/plans/a%20b', [200, { id: 'a b' }]],
    ['GET', '/api/plans/1.2/tasks', [202, { tasksOf: '1.2' }]],
  ])('is found by its method and path: %s %s', async (method, target, answer) => {
    expect(await called(method, target)).toEqual(answer)
  })

  test('gets bytes of its path that are not UTF-8 as they were sent', async () => {
    expect(await called('GET', '/api/plans/%ff')).toEqual([200, { id: '%ff' }])
  })

  test.each([
    ['GET', '/plans'],
    ['GET', '/api/plans/'],
    ['GET', '/api/plans/shop/graph'],
    ['GET', '/api/plans/shop/tasks/1/more'],
    ['GET', '/api/Plans'],
    ['POST', '/api/plans/shop'],
  ])('does not match another path or method: %s %s', async (method, target) => {
    expect(await called(method, target)).toBeNull()
  })

  test('is called with the body that its schema read, and not with any other', async () => {
    expect(await called('POST', '/api/clean', '{"older_than_ms":5}')).toEqual([
      200,
      { repositories: [], older_than_ms: 5 },
    ])
    await expect(called('POST', '/api/clean', '{"older_than_ms":-5}')).rejects.toThrow('older_than_ms: ')
    await expect(called('POST', '/api/clean', '{"older_than_ms":5,"x":1}')).rejects.toThrow(
      'Unrecognized key',
    )
    await expect(called('POST', '/api/clean', '{')).rejects.toThrow('the body is not JSON')
    await expect(called('GET', '/api/plans?limit=0')).rejects.toThrow('limit: ')
  })
})
