import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { surveyTree } from '../../src/workspaces/survey/project-facts.ts'
import { FILES, openLab, sh, userRepository } from './lab.ts'

async function survey(root: string, expected: readonly string[]) {
  const { quarantine, user } = await openLab(root)
  return surveyTree(quarantine, await quarantine.treeOf(user.base.commit), expected)
}

test('an expected file is identified by content, a folder by existence', async () => {
  const expected = ['./src/a.js', 'src/deep', 'README.md', 'src/none.js', 'docs/']
  const { files, inTree } = await survey(userRepository(), expected)
  expect(files).toBe(Object.keys(FILES).length)
  expect(inTree('src/a.js')).toEqual({ holds: ['a'], more: 0 })
  expect(inTree('README.md')).toEqual({ holds: ['Shop'], more: 0 })
  expect([inTree('src/deep/'), inTree('docs'), inTree('src/none.js')]).toEqual([
    { holds: [], more: 0 },
    { holds: [], more: 0 },
    null,
  ])
})

test('what is binary, large or a link is there and is not read', async () => {
  const root = userRepository({
    files: {
      'a.js': Buffer.from('export const a = 1\n\0'),
      'b.js': `export const b = 1\n${'x'.repeat(300_000)}`,
      'c.js': 'export const c = 1\n',
      'lö\n.js': 'export const odd = 1\n',
    },
  })
  symlinkSync('/etc/passwd', join(root, 'd.js'))
  sh(root, 'add', '-A')
  sh(root, 'commit', '-q', '-m', 'Link')
  const paths = ['a.js', 'b.js', 'c.js', 'd.js', 'lö\n.js']
  const { inTree } = await survey(root, paths)
  expect(paths.map((path) => inTree(path)?.holds)).toEqual([[], [], ['c'], [], ['odd']])
})
