import { describe, expect, test } from 'vitest'
import { aChange, type BeforeAfter } from '../../../test/helpers/a-change.ts'
import { loadTestParser } from '../../../test/helpers/test-parser.ts'
import type { Change } from './change.ts'
import { conflictMarkers, noOrphanTodo } from './no-orphan-todo.ts'

const PARSER = await loadTestParser()
const CONFLICT = '<<<<<<< HEAD\nconst a = 1\n=======\nconst a = 2\n>>>>>>> feature\n'
const changeOf = (path: string, before: BeforeAfter[0], after: string) => aChange({ [path]: [before, after] })
const weights = (path: string, text: string, before: BeforeAfter[0] = null) =>
  findings(changeOf(path, before, text)).map(({ weight, line }) => `${weight} ${line}`)
const findings = (change: Change) => conflictMarkers(change, PARSER.ofChange(change))
const judged = (change: Change) =>
  noOrphanTodo({ change, trees: PARSER.ofChange(change), followUps: () => [] })

describe('a change that leaves conflict markers', () => {
  test('fails with the file and the line', () => {
    const change = changeOf('src/a.ts', 'let b\n', `let b\n${CONFLICT}`)
    const { outcome, summary, evidence } = judged(change)
    expect([outcome, summary]).toEqual(['failed', 'conflict markers left in src/a.ts:2'])
    expect(evidence.findings).toMatchObject([
      {
        weight: 'blocks',
        file: 'src/a.ts',
        line: 2,
        text: 'conflict markers; resolve the conflict (lines 2, 4 and 6)',
      },
    ])
  })

  test.each([
    ['src/a.py', CONFLICT],
    ['run.sh', CONFLICT],
    ['lib/a.rb', CONFLICT],
    ['README.md', CONFLICT],
    ['config.yaml', CONFLICT],
    ['notes.txt', CONFLICT.replaceAll('\n', '\r\n')],
    ['src/a.ts', CONFLICT.replace('=======', '||||||| base\nconst a = 0\n=======')],
    ['src/a.ts', CONFLICT.replace(' HEAD', '').replace(' feature', '')],
  ])('%s is refused, whatever it is', (path, text) => {
    expect(weights(path, text)).toEqual(['blocks 1'])
  })

  test('every conflict is listed', () => {
    expect(weights('a.c', `${CONFLICT}${CONFLICT}`)).toEqual(['blocks 1', 'blocks 6'])
  })
})

describe('a change that only looks like it', () => {
  test.each([
    ['a heading of seven signs', 'docs/a.rst', 'Heading\n=======\n'],
    ['two of the three', 'a.txt', '<<<<<<< HEAD\na\n=======\n'],
    ['another order', 'a.txt', '>>>>>>> b\n=======\n<<<<<<< a\n'],
    ['more signs', 'a.txt', '<<<<<<<< a\n========\n>>>>>>>> b\n'],
    ['markers within lines', 'a.md', '- <<<<<<< a\n- =======\n- >>>>>>> b\n'],
  ])('passes: %s', (_, path, text) => {
    expect(weights(path, text)).toEqual([])
  })

  test('passes where the markers were there before', () => {
    expect(weights('a.txt', `more\n${CONFLICT}`, CONFLICT)).toEqual([])
  })

  test.each([
    ['docs/conflicts.md', `Git writes:\n\n\`\`\`\n${CONFLICT}\`\`\`\n`],
    ['test/merge.test.js', `const text = \`\n${CONFLICT}\`\n`],
    ['test/pattern.test.js', `if (q) /\`/.test(q)\nconst text = \`\n${CONFLICT}\`\n`],
    ['test/merge.sh', `cat <<'EOF'\n${CONFLICT}EOF\n`],
    ['tests/test_merge.py', `TEXT = """\n${CONFLICT}"""\n`],
    ['test/fixtures/conflict.txt', CONFLICT],
  ])('is noted for review where %s quotes them', (path, text) => {
    expect(weights(path, text).map((one) => one.split(' ')[0])).toEqual(['note'])
    expect(judged(changeOf(path, null, text)).outcome).toBe('passed')
  })
})
