import { expect, test } from 'vitest'
import { projectFacts } from '../../src/workspaces/survey/project-facts.ts'
import { withFiles } from '../../src/workspaces/landing/commits.ts'
import { openLab, userRepository } from './lab.ts'

test('a tree tells its name and the rules that its own instructions list', async () => {
  const lab = await openLab(userRepository())
  const base = await lab.quarantine.treeOf(lab.user.base.commit)
  const tree = await withFiles(lab.quarantine, base, [
    { path: 'package.json', content: '{"name":"bazaar"}' },
    {
      path: 'AGENTS.md',
      content: '# How we work\n\n- No default exports\n* Tests beside their files\n\nprose\n',
    },
    { path: 'CONTRIBUTING.md', content: '- never read, since AGENTS.md comes first\n' },
  ])
  const project = await projectFacts(lab.quarantine, tree, 'shop')
  expect(project.name).toBe('bazaar')
  expect(project.patterns.map(({ text }) => text)).toEqual(['No default exports', 'Tests beside their files'])
  expect(project.instructions.map(({ path }) => path)).toEqual(['AGENTS.md'])
  expect(project.commands).toEqual([])
})
