import { describe, expect, test } from 'vitest'
import { MAX_LINE_CHARS, readLines } from './lines.ts'

const roles = (text: string) =>
  readLines(text)
    .lines.map((line) => line.role[0])
    .join('')

test('a fence closes only with its own character', () => {
  expect(roles('```\n~~~\n```\nx')).toBe('fcft')
  expect(roles('~~~\n```\n~~~\nx')).toBe('fcft')
})

test('a fence closes only with at least its length and nothing after it', () => {
  expect(roles('````\n```\nx\n````\ny')).toBe('fccft')
  expect(roles('```\n``` js\n`````\ny')).toBe('fcft')
})

test('inline code of three backticks opens no fence', () => {
  expect(roles('```x``` y\nz')).toBe('tt')
})

test('a fence in a list item is a fence, and deeper backticks in its code are code', () => {
  expect(roles('- item\n\n    ```js\n    a\n    ```\nx')).toBe('ttfcft')
  expect(roles('```py\n        ```\n```\nx')).toBe('fcft')
})

test('a Markdown file in a fence keeps its own fences of the same length', () => {
  const text = '```markdown\n# T\n```bash\nls\n```\n## More\n```\n**Step 2: x**\n'
  expect(roles(text)).toBe('fcccccftt')
})

test('a quoted Markdown file with bare fences ends with the last one before the next step', () => {
  const text = '```md\n```bash\nls\n```\n```\nout\n```\n## Usage\n```\nx\n```\n## End\n```\n**Step 2: y**'
  expect(roles(text)).toBe('fcccccccccccft')
})

test('a fence before a task heading ends by the CommonMark rule', () => {
  expect(roles('```markdown\n```bash\n```\n### Task 2: x\ny')).toBe('fcftt')
})

test('a fence that is never closed ends at the next task heading and is noted with its line', () => {
  const read = readLines('a\n```js\nx\n### Task 2: y\nz')
  expect(read.lines.map((line) => line.role)).toEqual(['text', 'fence', 'code', 'text', 'text'])
  expect(read.notes).toMatchObject([{ line: 2, message: expect.stringContaining('never closed') }])
})

test('a forgotten closing line does not swallow the next task and its fence', () => {
  const read = readLines('```python\nx\n### Task 2: y\n```bash\nls\n```\nz')
  expect(read.lines.map((line) => line.role[0]).join('')).toBe('fctfcft')
  expect(read.notes).toHaveLength(1)
})

test('a comment is not text, also over several lines, unless it never ends', () => {
  expect(roles('<!-- a -->\nb')).toBe('ct')
  expect(roles('<!-- a\n### Task 1: x\n-->\nb')).toBe('ccct')
  expect(roles('<!-- a\nb')).toBe('tt')
})

test('any line ending, a byte order mark and leading tabs are supported', () => {
  const { lines } = readLines('\uFEFFa\r\n\tb\rc\n')
  expect(lines.map((line) => line.text)).toEqual(['a', '    b', 'c', ''])
})

test('a line that is too long is cut and reported once', () => {
  const read = readLines(`${'x'.repeat(1_000_000)}\n${'y'.repeat(1_000_000)}`)
  expect(read.lines.map((line) => line.text.length)).toEqual([MAX_LINE_CHARS, MAX_LINE_CHARS])
  expect(read.notes).toHaveLength(1)
})

describe('a fence that holds a whole plan', () => {
  const INNER = ['# Plan', '## Task 1: a', '```js', 'x()', '```', '## Task 2: b', '```sh', 'npm test', '```']

  test.each([
    ['````', '````'],
    ['````md', '````'],
    ['````markdown', '`````'],
    ['````text', '````'],
    ['````yaml', '````  '],
    ['`````text', '`````'],
    ['~~~', '~~~'],
    ['~~~text', '~~~'],
    ['~~~~md', '~~~~~'],
    ['  ````text', '  ````'],
  ])('closes at its own closing line: %s', (open, close) => {
    const read = readLines(['before', open, ...INNER, close, '## Task 1: outside'].join('\n'))
    expect(read.notes).toEqual([])
    expect(read.lines.map((line) => line.role)).toEqual([
      'text',
      'fence',
      ...INNER.map(() => 'code'),
      'fence',
      'text',
    ])
  })

  test('may contain fences of its own length if longer than three', () => {
    const read = readLines(['````text', '## Task 1: a', '````js', '````', '## Task 2: b'].join('\n'))
    expect(read.notes).toEqual([])
    expect(read.lines.map((line) => line.role)).toEqual(['fence', 'code', 'code', 'fence', 'text'])
  })
})
