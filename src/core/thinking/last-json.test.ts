import { expect, test } from 'vitest'
import { lastJson } from './last-json.ts'

test.each([
  ['an object alone', '{"a":1}', '{"a":1}'],
  ['an object after prose', 'I look.\n{"a":1}\n', '{"a":1}'],
  [
    'an object over several lines',
    'so:\n{\n  "a": {\n    "b": 1\n  }\n}\n',
    '{\n  "a": {\n    "b": 1\n  }\n}',
  ],
  ['the last of two', '{"a":1}\n{"a":2}', '{"a":2}'],
  ['what comes before prose', '{"a":1}\nDone.', '{"a":1}'],
  ['a list', 'x\n[1, 2]', '[1, 2]'],
  ['nothing in prose', 'no {idea}', null],
  ['nothing in nothing', '', null],
])('the last JSON is %s', (_, printed, found) => {
  expect(lastJson(printed)).toBe(found)
})
