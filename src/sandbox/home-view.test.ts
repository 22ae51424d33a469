import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { tempFolder } from '../../test/helpers/temp-folder.ts'
import { homeView, type HomeView } from './home-view.ts'

const home = tempFolder('home')

function place(name: string, text = ''): string {
  const path = join(home, name)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
  return path
}

/** What the words for `bwrap` do with a path. */
function fate(path: string, more: Partial<HomeView> = {}): string {
  const words = homeView({ home, allowed: [], hidden: [], caches: null, ...more })
  const at = words.lastIndexOf(path)
  if (at === -1) return 'absent'
  if (words[at - 1] === '--tmpfs') return words[at - 3] === '--perms' ? 'covered' : 'made anew'
  if (words[at - 1] === '/dev/null') return 'covered'
  return words[at - 2] === '--symlink' ? 'a link' : 'read-only'
}

test('files and folders of a home are read-only', () => {
  expect(fate(place('.bashrc'))).toBe('read-only')
  expect(fate(dirname(place('work/notes.txt')))).toBe('read-only')
})

test('a key, a sign-in or a history is not there', () => {
  expect(fate(dirname(place('.ssh/id_ed25519')))).toBe('absent')
  expect(fate(place('.netrc'))).toBe('absent')
  expect(fate(place('.bash_history'))).toBe('absent')
  expect(fate(dirname(place('.config/gh/hosts.yml')))).toBe('absent')
})

test('a sign-in below a folder that is shown is covered', () => {
  expect(fate(place('.config/git/credentials'))).toBe('covered')
})

test('a sign-in to which a link leads is covered where it is', () => {
  const kept = dirname(place('dotfiles/glab/config.yml'))
  symlinkSync(kept, join(home, '.config', 'glab-cli'))
  expect(fate(kept)).toBe('covered')
})

test('settings of a package manager are hidden only where they hold a key', () => {
  const path = place('.npmrc', 'registry=https://registry.example/\n')
  expect(fate(path)).toBe('read-only')
  place('.npmrc', '//registry.example/:_authToken=secret\n')
  expect(fate(path)).toBe('absent')
})

test('what the settings allow is shown although it is private', () => {
  const path = dirname(place('.aws/credentials'))
  expect(fate(path)).toBe('absent')
  expect(fate(path, { allowed: [path] })).toBe('read-only')
})

test('a folder in which programs make folders may get more of them', () => {
  place('.cache/other/file')
  expect(fate(join(home, '.cache'))).toBe('made anew')
  expect(fate(join(home, '.cache', 'other'))).toBe('read-only')
})

test('package managers get caches of their own in the place of the user’s', () => {
  place('.npm/_cacache/index')
  const words = homeView({ home, allowed: [], hidden: [], caches: '/caches' }).join(' ')
  expect(words).toContain(`--bind-try /caches/.npm ${join(home, '.npm')}`)
})

test('in the place of a file that a worker may change for itself is a link to its copy', () => {
  const at = place('.claude.json', '{}')
  expect(fate(at, { links: [{ at, to: '/desk/own-claude.json' }] })).toBe('a link')
})

test('a file or a link that has the name of a folder for caches is shown as it is', () => {
  const path = place('go', 'a program')
  const words = homeView({ home, allowed: [], hidden: [], caches: '/caches' })
  expect(words.filter((word) => word === path)).toEqual([path, path])
  expect(words).not.toContain(join(path, 'pkg'))
})
