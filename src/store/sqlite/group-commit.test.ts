import { expect, test } from 'vitest'
import { GroupCommit, type Transaction } from './group-commit.ts'

const runAll: Transaction = (jobs) => {
  for (const job of jobs) job()
  return jobs.map(() => null)
}

test('jobs of one turn share a transaction, in order and up to a limit', async () => {
  const groups: number[] = []
  const commits = new GroupCommit((jobs) => {
    groups.push(jobs.length)
    return runAll(jobs)
  })
  const done: number[] = []
  const asked = Array.from({ length: 1500 }, (_, index) =>
    commits.run(
      () => index,
      (value) => done.push(value),
    ),
  )
  expect(await Promise.all(asked)).toEqual(done)
  expect(groups).toEqual([1024, 476])
})

test('a failed job rejects only its own caller', async () => {
  const commits = new GroupCommit((jobs) => {
    for (const job of jobs) job()
    return jobs.map((_, index) => (index === 1 ? new Error('bad') : null))
  })
  const answers = await Promise.allSettled([1, 2, 3].map((value) => commits.run(() => value)))
  expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
})

test('a failed transaction rejects its whole group but not the next one', async () => {
  let broken = true
  const commits = new GroupCommit((jobs) => {
    if (broken) throw new Error('no disk')
    return runAll(jobs)
  })
  const first = [commits.run(() => 1), commits.run(() => 2)]
  for (const asked of first) await expect(asked).rejects.toThrow('no disk')
  broken = false
  expect(await commits.run(() => 3)).toBe(3)
})

test('draining commits all pending jobs at once', async () => {
  const commits = new GroupCommit(runAll)
  let committed = 0
  const asked = commits.run(
    () => 1,
    (value) => (committed = value),
  )
  commits.drain()
  expect(committed).toBe(1)
  await asked
})
