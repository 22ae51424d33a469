import { expect, test } from 'vitest'
import { newHosts } from './manifest-sources.ts'

test.each([
  ['requirements.txt', 'left-pad @ https://evil.example.com/left_pad.whl', ['evil.example.com']],
  ['requirements.txt', '--extra-index-url http://mirror.example.com/simple', ['mirror.example.com']],
  ['requirements.txt', 'git+ssh://git@code.example.com/a/b.git', ['code.example.com']],
  ['package.json', '  "left-pad": "https://evil.example.com/left-pad.tgz",', ['evil.example.com']],
  ['package.json', '  "left-pad": "github:somebody/left-pad",', ['github']],
  ['package.json', '  "left-pad": "file:../left-pad",', ['file']],
  ['package.json', '  "left-pad": "git@code.example.com:a/b.git",', ['code.example.com']],
  ['Cargo.toml', 'left = { git = "https://code.example.com/left" }', ['code.example.com']],
  ['go.mod', 'replace a.example.com/x => https://b.example.com/x', ['b.example.com']],
])('%s: %s installs from a new host', (name, line, hosts) => {
  expect(newHosts(name, { before: '', added: [line] })).toEqual(hosts)
})

test('a host used before is not new', () => {
  const before = 'a @ https://files.example.com/a.whl\n'
  expect(newHosts('requirements.txt', { before, added: ['b @ https://files.example.com/b.whl'] })).toEqual([])
})

test.each([
  ['package.json', '  "left-pad": "^1.3.0",'],
  ['package.json', '  "homepage": "https://example.com",'],
  ['package.json', '  "repository": "github:me/mine",'],
  ['pyproject.toml', 'documentation = "https://docs.example.com"'],
  ['requirements.txt', 'requests==2.32.0'],
  ['requirements.txt', '# see https://example.com'],
])('%s: %s names no source', (name, line) => {
  expect(newHosts(name, { before: '', added: [line] })).toEqual([])
})
