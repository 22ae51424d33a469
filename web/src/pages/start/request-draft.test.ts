import { expect, test } from 'vitest'
import { readDropped, requestOf } from './request-draft.ts'

test('one file alone is the request; beside words it is quoted under its name', () => {
  const file = { name: 'spec.md', text: '# Feature: Cart\n' }
  expect(requestOf('  ', [file])).toEqual({ text: '# Feature: Cart\n', file_name: 'spec.md' })
  expect(requestOf('Build this', [file, { name: 'b.txt', text: 'more' }])).toEqual({
    text: 'Build this\n\n## spec.md\n\n# Feature: Cart\n\n## b.txt\n\nmore',
    file_name: null,
  })
})

test('a file that is no text is refused with what to do instead', async () => {
  const picture = new File([new Uint8Array([0x89, 0x50, 0xff])], 'shot.png')
  expect(await readDropped(picture)).toMatchObject({ ok: false, why: /shot\.png is not a text file/ })
  expect(await readDropped(new File(['a\0b'], 'x.bin'))).toMatchObject({ ok: false })
  expect(await readDropped(new File([' \n'], 'empty.md'))).toMatchObject({ ok: false, why: /is empty/ })
  expect(await readDropped(new File(['fix it'], 'bug.md'))).toEqual({
    ok: true,
    file: { name: 'bug.md', text: 'fix it' },
  })
})
