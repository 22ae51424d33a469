import { expect, test } from 'vitest'
import { projectFacts } from '../../src/workspaces/survey/project-facts.ts'
import { withFiles } from '../../src/workspaces/landing/commits.ts'
import { openLab, userRepository } from './lab.ts'

test('a tree tells its files, what it is made with, and the rules its own instructions list', async () => {
  const lab = await openLab(userRepository())
  const base = await lab.quarantine.treeOf(lab.user.base.commit)
  const tree = await withFiles(lab.quarantine, base, [
    { path: 'package.json', content: '{"name":"bazaar"}' },
    { path: 'tsconfig.json', content: '{}' },
    {
      path: 'AGENTS.md',
      content: '# How we work\n\n- No default exports\n* Tests beside their files\n\nprose\n',
    },
    { path: 'CONTRIBUTING.md', content: '- never read, since AGENTS.md comes first\n' },
  ])
  const facts = await projectFacts(lab.quarantine, tree, 'shop')
  expect(facts).toMatchObject({
    name: 'bazaar',
    stack: ['Node.js', 'TypeScript'],
    conventions: ['No default exports', 'Tests beside their files'],
  })
  expect(facts.files?.has('AGENTS.md')).toBe(true)
})
