import { expect, test } from 'vitest'
import { splitSentences } from './split-sentences.ts'

test.each([
  ['Add a list. It is short! Is it? Yes', ['Add a list.', 'It is short!', 'Is it?', 'Yes']],
  ['Sort it by a column, e.g. the price. Keep it', ['Sort it by a column, e.g. the price.', 'Keep it']],
  ['Keep the rounding, i.e. none (cf. the docs)', ['Keep the rounding, i.e. none (cf. the docs)']],
  ['CSV vs. JSON, approx. 5 MB', ['CSV vs. JSON, approx. 5 MB']],
  ['Zeige z. B. den Preis, d.h. brutto, bzw. netto', ['Zeige z. B. den Preis, d.h. brutto, bzw. netto']],
  ['Dates, names etc. are kept. Done', ['Dates, names etc. are kept.', 'Done']],
  ['Dates, names etc. Then stop', ['Dates, names etc.', 'Then stop']],
  ['It answers within 200 ms. Then it ends', ['It answers within 200 ms.', 'Then it ends']],
  ['Ask Mr. Ng, or Dr. Li', ['Ask Mr. Ng, or Dr. Li']],
  ['The answer is no. Go on', ['The answer is no.', 'Go on']],
  ['追加する。消す。', ['追加する。', '消す。']],
  ['', []],
])('%s is split at the ends of its sentences alone', (text, sentences) => {
  expect(splitSentences(text)).toEqual(sentences)
})

test('half a sentence ends at a semicolon where that is asked for', () => {
  expect(splitSentences('Add it; e.g. here', 'semicolons')).toEqual(['Add it;', 'e.g. here'])
  expect(splitSentences('Add it; e.g. here')).toEqual(['Add it; e.g. here'])
})

test('long text without an end is read in bounded time', () => {
  expect(splitSentences('e.g. '.repeat(20_000))).toHaveLength(1)
})
