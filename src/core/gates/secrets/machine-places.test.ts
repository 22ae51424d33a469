import { expect, test } from 'vitest'
import { aChange } from '../../../../test/helpers/a-change.ts'
import { placesIn, tellingPlaces } from './machine-places.ts'

const PLACES = [
  { kind: 'the home folder', path: '/home/ann' },
  { kind: "the repository's folder", path: '/home/ann/shop' },
  { kind: "Bosun's state", path: '/home/ann/.local/state/bosun' },
]
const found = (text: string | null, before: string | null = null): readonly string[] =>
  placesIn(aChange({ 'src/a.py': [before, text] }), PLACES).map(
    (finding) => `${finding.line}: ${/\((.*)\)/.exec(finding.text)?.[1] ?? ''}`,
  )

test.each([
  ["open('/home/ann/shop/data.csv')", "the repository's folder"],
  ['x = "/home/ann/.local/state/bosun/repos/r/private/clones/1/tree/a"', "Bosun's state"],
  ['# see file:///home/ann/notes', 'the home folder'],
  ['PATH=/usr/bin:/home/ann/bin', 'the home folder'],
])('%s is found, with its line', (line, kind) => expect(found(`first\n${line}\n`)).toEqual([`2: ${kind}`]))

test.each([
  'cd /home/user/project',
  'WORKDIR /root',
  '/home/anna and /home/ann-b and /home/ann_c',
  'https://example.org/home/ann/x',
  './home/ann and ../home/ann',
  '/opt/home/ann',
])('%s passes', (line) => expect(found(`${line}\n`)).toEqual([]))

test('a path that the changed files held before passes, also where it moves to another line', () =>
  expect(found('new\nroot = /home/ann/shop\n', 'root = /home/ann/shop\n')).toEqual([]))

test('folders that every image has are not telling', () => {
  const usual = ['/root', '/home/node', '/app', '/usr/src/app', '/workspaces/shop', '/'].map((path) => ({
    kind: 'x',
    path,
  }))
  expect(tellingPlaces(usual)).toEqual([])
  expect(tellingPlaces([{ kind: 'x', path: '/root/work/shop/' }])).toEqual([
    { kind: 'x', path: '/root/work/shop' },
  ])
})
