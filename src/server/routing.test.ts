import { describe, expect, test } from 'vitest'
import { Routes, type Answer, type HttpRequest } from './routing.ts'

const text = (body: string): Answer => ({ status: 200, headers: {}, body })
const request = (method: string, target: string): HttpRequest => ({
  method,
  target,
  headers: new Map([['x-name', 'ada']]),
  text: () => Promise.resolve('the body'),
  gone: () => new AbortController().signal,
})

function tableOf(): Routes {
  const routes = new Routes()
  const api = routes.under('/api')
  api.get('/plans', () => text('all'))
  api.get('/plans/:id', (c) =>
    text(`one ${c.param('id')} ${JSON.stringify(c.query())} ${c.header('x-name')}`),
  )
  api.get('/plans/:id/tasks/:task', (c) => text(`${c.param('task')} of ${c.param('id')}`))
  api.post('/plans', async (c) => c.json({ body: await c.text() }, 202))
  return routes
}

const called = async (method: string, target: string): Promise<string | null> => {
  const answer = await tableOf().call(request(method, target))?.()
  return answer === undefined
    ? null
    : `${answer.status} ${typeof answer.body === 'string' ? answer.body : 'a stream'}`
}

describe('a route', () => {
  test.each([
    ['GET', '/api/plans', '200 all'],
    ['HEAD', '/api/plans', '200 all'],
    ['GET', '/api/plans?repo=%2Fa+b&plan=x', '200 all'],
    ['GET', '/api/plans/shop?repo=%2Fa+b', '200 one shop {"repo":"/a b"} ada'],
    ['GET', '/api/plans/a%20b', '200 one a b {} ada'],
    ['GET', '/api/plans/shop/tasks/1.2', '200 1.2 of shop'],
    ['POST', '/api/plans', '202 {"body":"the body"}'],
  ])('is found by its method and path: %s %s', async (method, target, answer) => {
    expect(await called(method, target)).toBe(answer)
  })

  test('gets bytes that are not UTF-8 as they were sent', async () => {
    expect(await called('GET', '/api/plans/%ff')).toBe('200 one %ff {} ada')
  })

  test.each([
    ['GET', '/plans'],
    ['GET', '/api/plans/'],
    ['GET', '/api/plans/shop/tasks'],
    ['GET', '/api/plans/shop/tasks/1/more'],
    ['GET', '/api/Plans'],
    ['POST', '/api/plans/shop'],
    ['POST', '/api/plans/shop/tasks/1'],
  ])('does not match another path or method: %s %s', async (method, target) => {
    expect(await called(method, target)).toBeNull()
  })
})
