/** The file tools of an interview on a real repository, whose work tree tries to lead them out of it or to hold them up. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { committedFiles, type CommittedFiles } from '../../src/app/intake/gather-context.ts'
import { listProjectFiles, readProjectFile } from '../../src/app/interview/tools.ts'
import { tempFolder } from '../helpers/temp-folder.ts'

const root = tempFolder('files')
const project = join(root, 'project')
const put = (path: string, text: string | Buffer): void => writeFileSync(join(project, path), text)
let committed: CommittedFiles
const git = (...args: string[]): void => void execFileSync('git', ['-C', project, ...args])

beforeAll(async () => {
  mkdirSync(join(project, 'src/deep'), { recursive: true })
  mkdirSync(join(project, 'many'))
  mkdirSync(join(root, 'outside'))
  writeFileSync(join(root, 'outside/secret.txt'), 'secret')
  put('README.md', '# Shop\n')
  put('src/a.ts', 'export const a = 1\n')
  put('src/deep/b.ts', '')
  put('.env', 'TOKEN=1')
  put('.env.example', 'TOKEN=')
  put('image.png', Buffer.from([0x89, 0x50, 0, 1]))
  put('huge.log', 'x'.repeat(300 * 1024))
  put('large.md', `${'ä'.repeat(32 * 1024 - 1)}😀${'ä'.repeat(1000)}`)
  for (let number = 0; number < 450; number++) put(`many/${number}`, '')
  symlinkSync(join(root, 'outside/secret.txt'), join(project, 'link-out'))
  symlinkSync(join(root, 'outside'), join(project, 'folder-out'))
  symlinkSync('.git/config', join(project, 'link-to-git'))
  symlinkSync('/dev/zero', join(project, 'link-to-device'))
  git('init', '-q')
  git('add', '--all')
  git('-c', 'user.name=Ann', '-c', 'user.email=ann@example.org', 'commit', '-qm', 'Start')
  committed = await committedFiles(project, process.env)
  put('later.md', 'not committed')
  put('README.md', 'changed since')
  execFileSync('mkfifo', [join(project, 'pipe')])
})

test.each([
  ['../outside/secret.txt', 'there is no file'],
  ['src/../../outside/secret.txt', 'there is no file'],
  ['/etc/passwd', 'there is no file /etc/passwd'],
  ['C:\\Windows\\win.ini', 'there is no file'],
  ['~/.ssh/id_rsa', 'there is no file'],
  ['link-out', 'there is no file'],
  ['folder-out/secret.txt', 'there is no file'],
  ['link-to-device', 'there is no file'],
  ['.git/config', 'there is no file'],
  ['link-to-git', 'there is no file'],
  ['.env', 'may hold keys'],
  ['pipe', 'there is no file'],
  ['later.md', 'in the newest commit'],
  ['src', 'there is no file'],
  ['image.png', 'is a binary file'],
  ['huge.log', 'too large to be read'],
  ['README.md/inner', 'there is no file'],
  ['', 'there is no file'],
  ['a\0b', 'there is no file'],
  ['x'.repeat(5000), 'there is no file'],
])('read_file refuses %j', async (path, why) => {
  const answer = await readProjectFile(committed, path)
  expect(answer.result).toContain(why)
  expect(answer.ok).toBe(false)
})

test('read_file gives the beginning of a large file, without a character that the limit cuts', async () => {
  const { result } = await readProjectFile(committed, 'large.md')
  expect(result).toContain('ä\n[cut: the first 32767 of 33769 characters]')
})

test('read_file gives a file as it is in the newest commit', async () => {
  expect(await readProjectFile(committed, 'README.md')).toEqual({ ok: true, result: '# Shop\n' })
  expect(await readProjectFile(committed, './src/a.ts')).toMatchObject({ ok: true })
  expect(await readProjectFile(committed, '.env.example')).toMatchObject({ ok: true })
})

test('list_files gives the names in a folder, or all files below it, without links', () => {
  const flat = listProjectFiles(committed, { path: '.', recursive: false })
  expect(flat.result.split('\n')).toEqual(
    ['.env', '.env.example', 'README.md', 'huge.log', 'image.png', 'large.md', 'many/', 'src/'].toSorted(),
  )
  const deep = listProjectFiles(committed, { path: 'src/', recursive: true })
  expect(deep).toEqual({ ok: true, result: 'a.ts\ndeep/b.ts' })
})

test.each(['..', 'folder-out', '.git', 'README.md', 'absent'])('list_files refuses %j', (path) => {
  expect(listProjectFiles(committed, { path, recursive: true })).toMatchObject({ ok: false })
})

test('list_files gives so many names of a folder with more', () => {
  const { result } = listProjectFiles(committed, { path: 'many', recursive: false })
  expect(result.split('\n').slice(-1)).toEqual(['[cut: the first 400 names]'])
})

test('a folder that is no repository has no files', async () => {
  const none = await committedFiles(join(root, 'outside'), process.env)
  expect(listProjectFiles(none, { path: '', recursive: true })).toEqual({ ok: true, result: '(empty)' })
  expect(await readProjectFile(none, 'secret.txt')).toMatchObject({ ok: false })
})
