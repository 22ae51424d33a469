/** What Bosun keeps beside a worker's folder may be damaged: that worker has no folder any more, and no other is touched. */
import { mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ClonePool } from '../../src/workspaces/clones/clone-pool.ts'
import { NOW, openLab, userRepository, write } from './lab.ts'

const DAMAGES: Readonly<Record<string, (path: string) => void>> = {
  'is empty': (path) => writeFileSync(path, ''),
  'is cut': (path) => truncateSync(path, 9),
  'holds other JSON': (path) => writeFileSync(path, '[1, 2]\n'),
  'is binary': (path) => writeFileSync(path, Buffer.from([0, 0xff, 0xfe, 0x7b])),
  'is a folder': (path) => {
    rmSync(path, { force: true })
    mkdirSync(path)
  },
}
const cases = ['note.json', 'placed.json'].flatMap((file) =>
  Object.keys(DAMAGES).map((how) => [file, how] as const),
)

describe('a worker whose file', () => {
  test.each(cases)('%s %s has no folder any more, and no other is touched', async (file, how) => {
    const lab = await openLab(userRepository())
    const start = { commit: lab.user.base.commit, tree: null }
    const placed = { secrets: [], blobs: [], folders: ['node_modules'], files: {}, notes: [] }
    const lost = await lab.clones.acquire('w-shop-1-1', start, () => Promise.resolve(placed))
    const other = await lab.clone('w-shop-2-1')
    write(lost.path, { 'src/a.js': 'work of the lost one\n' })
    DAMAGES[how]?.(join(lab.state, 'private/clones/1', file))
    for (const pool of [lab.clones, new ClonePool({ quarantine: lab.quarantine, directory: lab.state })]) {
      expect(await pool.find('w-shop-1-1')).toBeNull()
      expect(await pool.workers()).toEqual(['w-shop-2-1'])
      await pool.removeSecrets('w-shop-1-1')
      expect(await pool.release('w-shop-1-1', NOW)).toEqual({ kind: 'unknown_worker' })
      expect(pool.damaged()).toEqual([lost.path])
      expect((await pool.find('w-shop-2-1'))?.path).toBe(other.path)
      expect(await pool.shrink(0)).toBe(0)
    }
    const next = await lab.clone('w-shop-1-2')
    expect([lost.path, other.path]).not.toContain(next.path)
    expect(readFileSync(join(lost.path, 'src/a.js'), 'utf8')).toBe('work of the lost one\n')
  })
})
