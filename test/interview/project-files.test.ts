/** The file tools of an interview, on real files that try to lead them out of the project or to hold them up. */
import { execFileSync } from 'node:child_process'
import { createServer } from 'node:net'
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listProjectFiles, readProjectFile } from '../../src/app/interview/project-files.ts'
import { tempFolder } from '../helpers/temp-folder.ts'

const root = tempFolder('files')
const project = join(root, 'project')
const put = (path: string, text: string | Buffer): void => writeFileSync(join(project, path), text)
const socket = createServer()

beforeAll(async () => {
  mkdirSync(join(project, 'src/deep'), { recursive: true })
  mkdirSync(join(project, '.git'))
  mkdirSync(join(root, 'outside'))
  writeFileSync(join(root, 'outside/secret.txt'), 'secret')
  put('README.md', '# Shop\n')
  put('src/a.ts', 'export const a = 1\n')
  put('src/deep/b.ts', '')
  put('.git/config', '[core]')
  put('.env', 'TOKEN=1')
  put('.env.example', 'TOKEN=')
  put('image.png', Buffer.from([0x89, 0x50, 0, 1]))
  put('huge.log', 'x')
  truncateSync(join(project, 'huge.log'), 2 ** 30)
  put('large.md', 'ä'.repeat(40_000))
  symlinkSync(join(root, 'outside/secret.txt'), join(project, 'link-out'))
  symlinkSync(join(root, 'outside'), join(project, 'folder-out'))
  symlinkSync('../outside/secret.txt', join(project, 'relative-out'))
  symlinkSync('.git/config', join(project, 'link-to-git'))
  symlinkSync('README.md', join(project, 'link-inside'))
  symlinkSync('loop', join(project, 'loop'))
  symlinkSync('/dev/zero', join(project, 'link-to-device'))
  execFileSync('mkfifo', [join(project, 'pipe')])
  await new Promise<void>((resolve) => {
    socket.listen(join(project, 'socket'), resolve)
  })
})
afterAll(() => {
  socket.close()
})

test.each([
  ['../outside/secret.txt', 'leaves the project folder'],
  ['src/../../outside/secret.txt', 'leaves the project folder'],
  ['/etc/passwd', 'is not relative to the project folder'],
  ['C:\\Windows\\win.ini', 'is not relative to the project folder'],
  ['~/.ssh/id_rsa', 'is not relative to the project folder'],
  ['link-out', 'leaves the project folder'],
  ['relative-out', 'leaves the project folder'],
  ['folder-out/secret.txt', 'leaves the project folder'],
  ['link-to-device', 'leaves the project folder'],
  ['.git/config', '.git'],
  ['link-to-git', '.git'],
  ['.env', 'may hold keys'],
  ['pipe', 'is not a file'],
  ['socket', 'is not a file'],
  ['src', 'is not a file'],
  ['loop', 'leads nowhere'],
  ['image.png', 'is a binary file'],
  ['absent.txt', 'there is no absent.txt'],
  ['README.md/inner', 'there is no README.md/inner'],
  ['', 'the path is empty'],
  ['a\0b', 'NUL'],
  ['x'.repeat(5000), 'too long'],
])('read_file refuses %j', async (path, why) => {
  const answer = await readProjectFile(project, path)
  expect(answer.result).toContain(why)
  expect(answer.ok).toBe(false)
})

test('of a large file only the beginning is read', async () => {
  const { result } = await readProjectFile(project, 'huge.log')
  // Its first bytes are an x and zeros.
  expect(result).toBe('huge.log is a binary file')
  const large = await readProjectFile(project, 'large.md')
  expect(large.result).toContain('[cut: the first 32768 of 80000 bytes]')
  expect(large.result).not.toContain('\uFFFD')
})

test('a file of the project is read, also through a link that stays in it', async () => {
  expect(await readProjectFile(project, 'README.md')).toEqual({ ok: true, result: '# Shop\n' })
  expect(await readProjectFile(project, 'link-inside')).toEqual({ ok: true, result: '# Shop\n' })
  expect(await readProjectFile(project, './src/a.ts')).toMatchObject({ ok: true })
  expect(await readProjectFile(project, '.env.example')).toMatchObject({ ok: true })
})

test('a folder is listed without following links and without .git', async () => {
  const flat = await listProjectFiles(project, { path: '.', recursive: false })
  const names = flat.result.split('\n')
  expect(names).toEqual(expect.arrayContaining(['src/', 'link-out@', 'folder-out@', 'README.md']))
  expect(names).not.toContain('.git/')
  const deep = await listProjectFiles(project, { path: '', recursive: true })
  expect(deep.result.split('\n')).toContain('src/deep/b.ts')
  expect(deep.result).not.toContain('secret')
})

test.each(['..', '/', 'folder-out', '.git', 'README.md', 'absent'])('list_files refuses %j', async (path) => {
  expect(await listProjectFiles(project, { path, recursive: true })).toMatchObject({ ok: false })
})

test('a folder with too many files is listed up to the limit', async () => {
  mkdirSync(join(project, 'many'))
  for (let number = 0; number < 450; number++) put(`many/${number}`, '')
  const { result } = await listProjectFiles(project, { path: 'many', recursive: false })
  expect(result.split('\n').at(-1)).toBe('[cut: the first 400 names]')
})
