import { expect, test } from 'vitest'
import { readLargePatch, readPatch, slicesOf, type DiffNote } from './read-patch.ts'

const file = (name: string, lines: readonly string[]): string =>
  [
    `diff --git a/${name} b/${name}`,
    'new file mode 100644',
    '--- /dev/null',
    `+++ b/${name}`,
    `@@ -0,0 +1,${lines.length} @@`,
    ...lines.map((line) => `+${line}`),
    '',
  ].join('\n')

const PATCH = ['a.ts', 'b.ts', 'c.ts'].map((name) => file(name, ['diff --git a/x b/x', 'two'])).join('')

test('a patch is cut between files only, and nothing of it is lost', () => {
  const slices = slicesOf(PATCH, 10)
  expect(slices).toHaveLength(3)
  expect(slices.join('')).toBe(PATCH)
  expect(slices.every((slice) => slice.startsWith('diff --git a/'))).toBe(true)
})

test('a patch that is read in slices gives the same files, with findings on their lines', async () => {
  const notes = [{ path: 'b.ts', line: 2, by: 'reviewer', text: 'why?', blocks: true, earlier: false }]
  const lines = Array.from({ length: 200 }, () => 'x'.repeat(800))
  const patch = ['a.ts', 'b.ts', 'c.ts', 'd.ts'].map((name) => file(name, lines)).join('')
  let pauses = 0
  const whole = readPatch({ patch, notes }, 'k')
  const sliced = await readLargePatch({ patch, notes }, 'k', async () => {
    pauses++
  })
  expect(pauses).toBeGreaterThan(2)
  const shape = ({ items, elsewhere }: typeof whole) => [
    items.map(({ id, noted, annotations }) => [id, noted, annotations]),
    elsewhere,
  ]
  expect(shape(sliced)).toEqual(shape(whole))
  expect(sliced.items.map(({ noted }) => noted)).toEqual([0, 1, 0, 0])
})

test('a file has another version once its lines changed or a finding came to them, and the same one as long as nothing did', () => {
  const read = (text: string, notes: readonly DiffNote[]) =>
    readPatch({ patch: file('a.ts', ['one', text]) + file('b.ts', ['one']), notes: [...notes] }, 'k').items
  const versions = (text: string, notes: readonly DiffNote[] = []) =>
    read(text, notes).map(({ version }) => version)
  const found = { path: 'a.ts', line: 2, by: 'reviewer', text: 'why?', blocks: true, earlier: false }
  const [a, b] = versions('two')
  expect(versions('two')).toEqual([a, b])
  expect(versions('six')[0]).not.toBe(a)
  expect(read('six', [])[0]?.fileDiff.cacheKey).not.toBe(read('two', [])[0]?.fileDiff.cacheKey)
  const [noted, other] = versions('two', [found])
  expect(noted).not.toBe(a)
  expect(other).toBe(b)
})

test('a finding about an earlier attempt stands on no line of the work that came after it', () => {
  const note = { path: 'a.ts', line: 2, by: 'reviewer', text: 'why?', blocks: true }
  const notes = [
    { ...note, earlier: true },
    { ...note, earlier: false },
    { ...note, line: 9, earlier: false },
  ]
  const { items, elsewhere, earlier } = readPatch({ patch: PATCH, notes }, 'k')
  expect(items.map(({ noted }) => noted)).toEqual([1, 0, 0])
  expect(elsewhere).toEqual([notes[2]])
  expect(earlier).toEqual([notes[0]])
})

test('reading stops where it is not wanted any more', async () => {
  const stopped = readLargePatch({ patch: PATCH, notes: [] }, 'k', async () => {
    throw new Error('gone')
  })
  await expect(stopped).rejects.toThrow('gone')
})

test("Bosun's own record of a review comes after the work", () => {
  const patch = ['docs/reviews/task-5-review.md', 'src/a.ts', 'test/a.ts']
    .map((name) => file(name, ['one']))
    .join('')
  const { items } = readPatch({ patch, notes: [] }, 'k')
  expect(items.map(({ fileDiff: { name } }) => name)).toEqual([
    'src/a.ts',
    'test/a.ts',
    'docs/reviews/task-5-review.md',
  ])
})
