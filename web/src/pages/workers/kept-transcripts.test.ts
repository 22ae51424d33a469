import { expect, test } from 'vitest'
import type { TranscriptLine } from '../../../../src/protocol/worker-views.ts'
import { KeptTranscripts, withFailure, withPage } from './kept-transcripts.ts'

const line = (text: string): TranscriptLine => ({
  timestamp: null,
  kind: 'message',
  call: null,
  text,
  outcome: null,
  detail: null,
})
const page = (next: string, ...texts: readonly string[]) => ({
  entries: texts.map(line),
  next,
  has_more: false,
  ended: false,
})
const texts = ({ lines }: { readonly lines: readonly TranscriptLine[] }) => lines.map(({ text }) => text)

test('what was read of a transcript stays when the daemon is gone, and reading goes on where it was', () => {
  const kept = new KeptTranscripts()
  kept.change('w-1', (before) => withPage(before, page('p1', 'one')))
  const gone = kept.change('w-1', (before) => withFailure(before, new Error('Bosun does not answer.'), false))
  expect([texts(gone), gone.next, gone.error?.message]).toEqual([['one'], 'p1', 'Bosun does not answer.'])
  // As another look at the worker finds it.
  expect(kept.of('w-1')).toBe(gone)
  const back = kept.change('w-1', (before) => withPage(before, page('p2', 'two')))
  expect([texts(back), back.error]).toEqual([['one', 'two'], null])
})

test('a transcript that does not exist yet is none, not a failure', () => {
  const kept = new KeptTranscripts()
  const none = kept.change('w-1', (before) => withFailure(before, new Error('no transcript'), true))
  expect([none.state, none.error]).toEqual(['none', null])
})

test('the newest lines of the transcripts that were read last are kept, not all that ever was', () => {
  const kept = new KeptTranscripts()
  const long = Array.from({ length: 50_001 }, (_, at) => String(at))
  const cut = kept.change('w-1', (before) => withPage(before, page('p', ...long)))
  expect([cut.lines.length, cut.lines[0]?.text, cut.isCut]).toEqual([50_000, '1', true])
  for (let at = 2; at <= 9; at++) kept.change(`w-${at}`, (before) => withPage(before, page('p', 'x')))
  expect(kept.of('w-1').lines).toEqual([])
  expect(texts(kept.of('w-2'))).toEqual(['x'])
})
