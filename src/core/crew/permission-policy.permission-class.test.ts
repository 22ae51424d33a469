import { expect, test } from 'vitest'
import { permissionClass } from './permission-policy.ts'

const asked = (fields: Partial<Parameters<typeof permissionClass>[0]>) =>
  permissionClass({
    kind: 'edit',
    title: 'Edit',
    command: null,
    paths: [],
    why: 'outside its workspace: /x',
    ...fields,
  })
const command = (line: string) => asked({ kind: 'execute', command: line, why: 'uses the network: curl' })

test('the same command line is equal, and no other', () => {
  expect(command('curl https://a.example ')).toBe('run `curl https://a.example` (uses the network)')
  expect(command('curl https://a.example/b')).not.toBe(command('curl https://a.example'))
  expect(command('curl  https://a.example')).not.toBe(command('curl https://a.example'))
})

test('files of one folder are equal for the same tool and the same reason', () => {
  const notes = asked({ paths: ['/home/ann/notes/a.md'] })
  expect(notes).toBe('edit in /home/ann/notes (outside its workspace)')
  expect(asked({ paths: ['/home/ann/notes/b.md'] })).toBe(notes)
  for (const other of [
    { paths: ['/home/ann/notes/deep/a.md'] },
    { paths: ['/home/ann/notes/a.md'], kind: 'delete' },
    { paths: ['/home/ann/notes/a.md', '/home/ann/a.md'] },
    { paths: ['/home/ann/notes/a.md'], why: 'changes the settings of an agent: x' },
  ])
    expect(asked(other)).not.toBe(notes)
})

test('an address is equal to itself', () =>
  expect(asked({ kind: 'fetch', title: 'Fetch https://a.example', why: 'uses the network' })).toBe(
    'fetch Fetch https://a.example (uses the network)',
  ))

test.each([
  ['what it touches is not said', {}],
  ['an address is not said', { kind: 'fetch', title: 'Fetch a page' }],
  ['a mode is switched', { kind: 'switch_mode', title: 'https://a.example' }],
  ['its command was cut', { command: 'x'.repeat(2000) }],
  ['its paths were cut', { paths: Array.from({ length: 20 }, (_, at) => `/a/${at}`) }],
  ['a path is not absolute', { paths: ['notes.md'] }],
])('nothing is equal where %s', (_, fields) => expect(asked(fields)).toBeNull())
