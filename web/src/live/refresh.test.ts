import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { refresh } from './refresh.ts'

test('an event that arrives during the first fetch is not lost: what may be from before it is asked again', async () => {
  const client = new QueryClient()
  const first = Promise.withResolvers<string>()
  const answers = [first.promise, Promise.resolve('after the event')]
  const observer = new QueryObserver(client, {
    queryKey: ['interview', 'chat'],
    queryFn: () => answers.shift() ?? Promise.reject(new Error('asked too often')),
  })
  const shown: (string | undefined)[] = []
  const latest = Promise.withResolvers<void>()
  const stop = observer.subscribe(({ data }) => {
    shown.push(data)
    if (data === 'after the event') latest.resolve()
  })
  refresh(client, () => true)
  first.resolve('before the event')
  await latest.promise
  expect(shown).toContain('before the event')
  expect(answers).toEqual([])
  stop()
  client.clear()
})
