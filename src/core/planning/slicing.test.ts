import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { completePlan } from './complete-plan.ts'
import { aDraft, aTask, needing, someFiles } from '../../../test/helpers/plan-draft.ts'
import { NO_FACTS } from './task-files.ts'
import { halvesOf, packFiles } from './slicing.ts'
import { settingsSchema } from '../settings/settings.ts'

const settings = settingsSchema.parse({ pm: { patch_size_limit_files: 3 } })
const big = aTask('7', {
  title: 'Add pages',
  acceptanceCriteria: ['all pages open'],
  testsToRun: ['node --test test/b.test.js', 'npm test'],
  heldOut: ['node held.js'],
  dependsOn: { ids: ['6'], line: 71 },
  files: someFiles({
    create: ['src/a.js', 'src/b.js', 'lib/c.js', 'lib/d.js'],
    test: ['test/a.test.js', 'test/b.test.js'],
  }),
})
const plan = completePlan(aDraft([aTask('6'), big, needing('8', '7')]), NO_FACTS, settings)
const slices = plan.tasks.filter((task) => task.id.startsWith('7'))

describe('a task that changes too many files', () => {
  it('becomes consecutive slices, and the next task follows the last', () => {
    expect(plan.tasks.map((task) => [task.id, task.dependsOn])).toEqual([
      ['6', []],
      ['7-s1', ['6']],
      ['7-s2', ['7-s1']],
      ['7-s3', ['7-s2']],
      ['8', ['7-s3']],
    ])
    expect(plan.order).toEqual(['6', '7-s1', '7-s2', '7-s3', '8'])
  })

  it('keeps a source with its test and a folder together', () => {
    expect(slices.map((slice) => [...slice.files.create, ...slice.testsToAdd])).toEqual([
      ['src/a.js', 'test/a.test.js'],
      ['src/b.js', 'test/b.test.js'],
      ['lib/c.js', 'lib/d.js'],
    ])
  })

  it('has criteria for its files in each slice, and those of the author in the last', () => {
    expect(slices[0]?.acceptanceCriteria).toEqual([
      'src/a.js does its share of "Add pages"',
      'test/a.test.js passes',
    ])
    expect(slices.map((slice) => slice.testsToRun.length)).toEqual([0, 1, 2])
    expect(slices.at(-1)).toMatchObject({ acceptanceCriteria: ['all pages open'], heldOut: ['node held.js'] })
    expect(slices[0]?.heldOut).toEqual([])
  })

  it('has the part in the title of each slice, and one area for all', () => {
    expect(slices.map((slice) => slice.title)).toEqual([
      'Add pages (part 1 of 3)',
      'Add pages (part 2 of 3)',
      'Add pages (part 3 of 3)',
    ])
    expect(new Set(slices.map((slice) => slice.ownership)).size).toBe(1)
  })

  it('causes a warning with a remedy', () => {
    expect(plan.problems).toMatchObject([
      { severity: 'warning', line: 70, message: 'task 7 changes 6 files, more than 3: sliced into 3' },
    ])
  })
})

describe('slices', () => {
  it('cover all files once, each within the limit', () => {
    const file = fc.tuple(
      fc.constantFrom('src', 'lib', 'test', 'a/b'),
      fc.nat({ max: 30 }),
      fc.constantFrom('.ts', '.test.ts'),
    )
    fc.assert(
      fc.property(
        fc.uniqueArray(file.map(([folder, name, end]) => `${folder}/f${name}${end}`)),
        fc.integer({ min: 1, max: 6 }),
        (files, limit) => {
          const parts = packFiles(files, limit)
          expect(parts.flat().toSorted()).toEqual(files.toSorted())
          for (const part of parts) {
            expect(part.length).toBeGreaterThan(0)
            expect(part.length).toBeLessThanOrEqual(limit)
          }
        },
      ),
    )
  })
})

describe('a task that is rejected', () => {
  const [whole] = completePlan(
    aDraft([{ ...big, dependsOn: undefined }]),
    NO_FACTS,
    settingsSchema.parse({}),
  ).tasks
  if (whole === undefined) throw new Error('there is no task')

  it('can be split in two by its files, and the last part has the criteria', () => {
    const halves = halvesOf(whole)
    expect(halves.map(({ id, dependsOn }) => [id, dependsOn])).toEqual([
      ['7-s1', []],
      ['7-s2', ['7-s1']],
    ])
    const files = halves.map((half) => [...half.files.create, ...half.testsToAdd])
    expect(files.flat().toSorted()).toEqual([...whole.files.create, ...whole.testsToAdd].toSorted())
    expect(halves.at(-1)?.acceptanceCriteria).toEqual(['all pages open'])
  })

  it('cannot be split with a single source', () => {
    const one = { ...whole, files: { create: ['src/a.js'], modify: [], delete: [] } }
    expect(halvesOf({ ...one, testsToAdd: ['test/a.test.js'] })).toEqual([])
  })
})
