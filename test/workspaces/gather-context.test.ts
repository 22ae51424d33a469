/** The context of a project is read from its newest commit, whatever lies in the repository. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { committedFiles, gatherContext } from '../../src/app/intake/gather-context.ts'
import { tempFolder } from '../helpers/temp-folder.ts'

const folder = tempFolder('context')
const env = { PATH: process.env['PATH'] ?? '' }

function repository(name: string, files: Readonly<Record<string, string | Buffer>>): string {
  const root = join(folder, name)
  mkdirSync(root)
  const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: root, stdio: 'pipe' })
  git('init', '-q', '.')
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  if (Object.keys(files).length === 0) return root
  symlinkSync('/etc/passwd', join(root, 'AGENTS.md'))
  git('add', '-A')
  git('-c', 'user.name=A', '-c', 'user.email=a@example.org', 'commit', '-qm', 'Start')
  return root
}

test('links, binary and huge files are not read, and what is not committed does not count', async () => {
  const root = repository('odd', {
    'package.json': '{"scripts":{"test":"node --test"}}',
    'src/a.js': '',
    'src/AGENTS.md': 'Rules for the sources.',
    'web/CLAUDE.md': Buffer.from([0x41, 0, 0x42]),
    'docs/AGENTS.md': 'x'.repeat(300 * 1024),
    'dir with space/ünï.js': '',
  })
  writeFileSync(join(root, 'CLAUDE.md'), 'not committed')
  const context = await gatherContext({ repository: root, env })
  expect(context.instructions).toEqual([{ path: 'src/AGENTS.md', text: 'Rules for the sources.' }])
  expect(context.commands).toContainEqual({ name: 'test', command: 'npm test', tried: 'untried' })
  const { files, texts } = await committedFiles(root, env)
  expect(files).toContain('dir with space/ünï.js')
  expect(files).not.toContain('AGENTS.md')
  expect([...(await texts(['package.json', 'nowhere', 'web/CLAUDE.md'])).keys()]).toEqual(['package.json'])
})

test('a repository without a commit, and a folder that is none, have no files', async () => {
  const { languages, instructions } = await gatherContext({ repository: repository('empty', {}), env })
  expect([languages, instructions]).toEqual([[], []])
  const bare = join(folder, 'nothing')
  mkdirSync(bare)
  expect((await committedFiles(bare, { ...env, GIT_CEILING_DIRECTORIES: folder })).files).toEqual([])
})
