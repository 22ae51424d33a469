import { expect, test } from 'vitest'
import { Refusal } from '../../lib/refusal.ts'
import { putUnknownAside, refuseUnknownWorkers, unknownWorkers } from './unknown-workers.ts'

const log = (open: readonly string[], closed: readonly string[] = []) => ({
  streams: async ({ open: isOpen }: { readonly open: boolean }) =>
    (isOpen ? open : closed).map((stream) => ({ stream, version: 1, closed: !isOpen })),
})
const worker = (plan: string, number = 1) => ({ repository: 'r', worker: `w-${plan}-${number}-1`, plan })

test('workers of open and of closed plans are known, those of no plan are not', async () => {
  const found = [worker('shop'), worker('old'), worker('lost'), { ...worker('shop'), repository: 's' }]
  const unknown = await unknownWorkers(log(['r/shop'], ['r/old']), found)
  expect(unknown).toEqual([worker('lost'), { ...worker('shop'), repository: 's' }])
})

test('a start that finds unknown workers names their plans, those that still run, and the ways out', () => {
  const found = [1, 2, 3, 4, 5, 6].map((number) => worker('lost', number))
  const refuse = () => refuseUnknownWorkers(found, '/state', (one) => (one === found[5] ? 4711 : null))
  expect(refuse).toThrow(Refusal)
  expect(refuse).toThrow(
    /does not know 1 plan that worked here: r\/lost\..*6 workers: w-lost-6-1 \(still running, process 4711\).* and 1 more; 1 still running/,
  )
  expect(() => refuseUnknownWorkers([], '/state', () => null)).not.toThrow()
})

test('unknown workers are ended before their work is saved, and saved before their folders are moved', async () => {
  const done: string[] = []
  const aside = await putUnknownAside({
    unknown: [worker('lost'), worker('lost', 2)],
    end: async ({ worker: id }) => void done.push(`end ${id}`),
    save: async (repository, workers) => void done.push(`save ${repository} ${[...workers].join(' ')}`),
    putAside: ({ worker: id }) => {
      done.push(`move ${id}`)
      return `/aside/${id}`
    },
  })
  expect(done).toEqual([
    'end w-lost-1-1',
    'end w-lost-2-1',
    'save r w-lost-1-1 w-lost-2-1',
    'move w-lost-1-1',
    'move w-lost-2-1',
  ])
  expect(aside.map(({ folder }) => folder)).toEqual(['/aside/w-lost-1-1', '/aside/w-lost-2-1'])
})
