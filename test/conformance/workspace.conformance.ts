/** What every workspace must do: one test per sentence of the port. */
import { beforeEach, describe, expect, test } from 'vitest'
import { aCollection, aCommit, aRelease, aStop } from '../helpers/requests.ts'
import type { Workspace } from '../../src/ports/workspace.ts'

export interface WorkspaceUnderTest {
  readonly workspace: Workspace
  /** The worker writes these files. */
  readonly write: (worker: string, ...files: string[]) => void
  /** Whether what this worker wrote so far is kept, whatever becomes of its workspace. */
  readonly isKept: (worker: string) => boolean
  /** The tasks that landed, in order. */
  readonly landed: () => readonly string[]
  /** Lets the world go on while this is being done. */
  readonly during: <T>(work: Promise<T>) => Promise<T>
}

export function describeWorkspace(name: string, make: () => WorkspaceUnderTest): void {
  describe(name, () => {
    let made: WorkspaceUnderTest
    beforeEach(() => {
      made = make()
    })
    const collect = (worker: string) => made.during(made.workspace.collect(aCollection(worker)))
    const commit = (task: string, tree: string, attempt = 1) =>
      made.during(made.workspace.commit(aCommit(task, tree, attempt)))

    describe('collect', () => {
      test('answers with everything the worker wrote, saved first', async () => {
        made.write('w-shop-1-1', 'src/a.ts', 'src/b.ts')
        const { tree, changed, salvage } = await collect('w-shop-1-1')
        expect([...changed].toSorted()).toEqual(['src/a.ts', 'src/b.ts'])
        expect([tree, salvage]).not.toContain('')
        expect(made.isKept('w-shop-1-1')).toBe(true)
      })

      test('asked again answers the same', async () => {
        made.write('w-shop-1-1', 'src/a.ts')
        expect(await collect('w-shop-1-1')).toEqual(await collect('w-shop-1-1'))
      })

      test('of a worker that wrote nothing says so', async () => {
        expect((await collect('w-shop-1-1')).changed).toEqual([])
      })

      test('gives different work different trees', async () => {
        made.write('w-shop-1-1', 'src/a.ts')
        made.write('w-shop-1-2', 'src/b.ts')
        expect((await collect('w-shop-1-1')).tree).not.toBe((await collect('w-shop-1-2')).tree)
      })
    })

    test('save keeps what a worker wrote so far, and may be asked for twice', async () => {
      made.write('w-shop-1-1', 'src/a.ts')
      await made.during(made.workspace.save(aStop('w-shop-1-1')))
      await made.during(made.workspace.save(aStop('w-shop-1-1')))
      expect(made.isKept('w-shop-1-1')).toBe(true)
      expect((await collect('w-shop-1-1')).changed).toEqual(['src/a.ts'])
    })

    describe('commit', () => {
      test("lands a task's attempt once: asked again it answers with the same sha", async () => {
        made.write('w-shop-1-1', 'src/1.ts')
        const { tree } = await collect('w-shop-1-1')
        const first = await commit('1', tree)
        expect(first).toMatchObject({ ok: true })
        expect(await commit('1', tree)).toEqual(first)
        expect(made.landed()).toEqual(['1'])
      })

      test('gives every task a commit of its own', async () => {
        made.write('w-shop-1-1', 'src/1.ts')
        made.write('w-shop-2-1', 'src/2.ts')
        const one = await commit('1', (await collect('w-shop-1-1')).tree)
        const two = await commit('2', (await collect('w-shop-2-1')).tree)
        expect(one).not.toEqual(two)
        expect(made.landed()).toEqual(['1', '2'])
      })
    })

    test('prepareRelease writes the manifest once: asked again it answers with the same sha', async () => {
      const prepare = () => made.during(made.workspace.prepareRelease(aRelease('tip')))
      const first = await prepare()
      expect([first.sha, first.manifest]).not.toContain('')
      expect(await prepare()).toEqual(first)
    })
  })
}
