import { beforeEach, expect, test } from 'vitest'
import { checkInUntilKilled, keptIn } from './killed-door.ts'
import { tempFolder } from '../helpers/temp-folder.ts'

let root: string
beforeEach(() => {
  root = tempFolder('checkins')
})

test('no check-in that was acknowledged is lost when the daemon is killed, and none is there twice', async () => {
  const acknowledged: string[] = []
  for (const answers of [1, 7, 23, 60, 110])
    acknowledged.push(...(await checkInUntilKilled(root, { workers: 40, answers })))
  expect(acknowledged.length).toBeGreaterThanOrEqual(200)
  const kept = await keptIn(root)
  expect(new Set(kept).size).toBe(kept.length)
  expect(acknowledged.filter((step) => !kept.includes(step))).toEqual([])
})
