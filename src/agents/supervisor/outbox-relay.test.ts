import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Redactor } from '../../lib/text/redactor.ts'
import { passOnCheckins } from './outbox-relay.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bosun-relay-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const at = (path: string): string => join(folder, path)
const put = (path: string, text = ''): void => {
  mkdirSync(dirname(at(path)), { recursive: true })
  writeFileSync(at(path), text)
}
const taken = (): readonly string[] =>
  existsSync(at('coordination/worker-checkins')) ? readdirSync(at('coordination/worker-checkins')) : []
const NAME = 'w-1-20261116T101112Z-7.json'

/** One look. */
const pass = (): void =>
  passOnCheckins(
    { worker: 'w-1', outbox: at('clone/.bosun'), env: { BOSUN_COORDINATION: at('coordination') } },
    new Redactor([{ name: 'BOSUN_TOKEN', value: 'a-token-of-w-1' }]),
  ).close()

test('a check-in keeps its token, by which it is known, and says it nowhere else', () => {
  put(`clone/.bosun/checkins/${NAME}`, '{"token":"a-token-of-w-1","issues":["see a-token-of-w-1"]}')
  pass()
  expect(readFileSync(at(`coordination/worker-checkins/${NAME}`), 'utf8')).toBe(
    '{"issues":["see [secret BOSUN_TOKEN]"],"token":"a-token-of-w-1"}',
  )
})

test('a check-in in the outbox is passed on unchanged, once', () => {
  put(`clone/.bosun/checkins/${NAME}`, '{"token":"t"}')
  pass()
  expect(taken()).toEqual([NAME])
  expect(readFileSync(at(`coordination/worker-checkins/${NAME}`), 'utf8')).toBe('{"token":"t"}')
  expect(readdirSync(at('clone/.bosun/checkins'))).toEqual([])
})

test('a file with the name of another worker, or another kind of name, is not passed on', () => {
  for (const name of [
    'w-2-20261116T101112Z-7.json',
    'w-1-x.json',
    'w-1-1-20261116T101112Z-7.json',
    '.x.part',
  ])
    put(`clone/.bosun/checkins/${name}`, '{}')
  pass()
  expect(taken()).toEqual([])
})

test.each(['.bosun', '.bosun/checkins', `.bosun/checkins/${NAME}`])(
  'a link at %s is not followed',
  (path) => {
    put(`elsewhere/checkins/${NAME}`, '{}')
    mkdirSync(dirname(at(`clone/${path}`)), { recursive: true })
    const target = ['elsewhere', 'elsewhere/checkins', `elsewhere/checkins/${NAME}`][
      path.split('/').length - 1
    ]
    symlinkSync(at(target ?? ''), at(`clone/${path}`))
    pass()
    expect(taken()).toEqual([])
    expect(existsSync(at(`elsewhere/checkins/${NAME}`))).toBe(true)
  },
)

test('a message that the worker has read and could not remove is removed', () => {
  put('coordination/worker-messages/w-1/1.txt', 'nudge: hello')
  put('coordination/worker-messages/w-1/2.txt', 'nudge: again')
  put('clone/.bosun/checkins/.read-1')
  pass()
  expect(readdirSync(at('coordination/worker-messages/w-1'))).toEqual(['2.txt'])
  expect(readdirSync(at('clone/.bosun/checkins'))).toEqual([])
})

test('a removed outbox is created again, a removed clone is not', () => {
  mkdirSync(at('clone'))
  pass()
  expect(existsSync(at('clone/.bosun'))).toBe(true)
  rmSync(at('clone'), { recursive: true })
  pass()
  expect(existsSync(at('clone'))).toBe(false)
})
