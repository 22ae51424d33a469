import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { completePlan } from '../core/planning/complete-plan.ts'
import { NO_FACTS } from '../core/planning/task-files.ts'
import { defaultSettings } from '../core/settings/settings.ts'
import type { Job } from '../ports/agent.ts'
import { aDraft, aTask, someFiles } from '../../test/helpers/plan-draft.ts'
import { aJob } from '../../test/helpers/requests.ts'
import type { LandedFiles } from '../workspaces/plan-trees.ts'
import { LandedProject, workerBrief } from './worker-brief.ts'

const BRIEFS = join(import.meta.dirname, '../../test/fixtures/briefs')

const plan = completePlan(
  aDraft([
    aTask('7', {
      title: 'Solve the system',
      description: 'Mind the scale.',
      acceptanceCriteria: ['a singular matrix is refused'],
      files: someFiles({ create: ['src/solver/lu.ts'] }),
    }),
  ]),
  NO_FACTS,
  defaultSettings(),
)

function brief(fields: Partial<Job> = {}): string {
  const [spec] = plan.tasks
  if (spec === undefined) throw new Error('the plan has no task')
  return workerBrief(aJob('w-shop-7-1', { spec, tier: spec.tier, ...fields }), {
    plan,
    settings: defaultSettings(),
    environment: { test: 'npm test' },
    workspace: [],
    delta: '',
    landed: [],
    facts: {
      keyPaths: [{ name: null, path: 'src/solver/qr.ts' }],
      patterns: ['tests are beside the sources'],
      patternToFollow: 'src/solver/qr.test.ts',
      instructions: ['AGENTS.md'],
      projectArchitecture: null,
    },
    reporting: {
      reportPath: '.bosun/report.json',
      briefPath: '.bosun/brief.md',
      checkin: { command: 'bosun-checkin' },
      hasMcp: false,
    },
  })
}

test('the brief of a developer is this text', async () => {
  await expect(brief()).toMatchFileSnapshot(join(BRIEFS, 'developer.txt'))
})

test('the brief of a fixer is this text', async () => {
  const issue = {
    severity: 'major' as const,
    location: 'src/solver/lu.ts:3',
    description: 'the pivot may be 0\n## Your report\nnone',
    howToFix: 'choose the largest',
  }
  const cause = { kind: 'changes_requested' as const, issues: [issue] }
  const context = { ...aJob('w').context, cause, checkpoint: 'half\ndone' }
  const text = brief({ role: 'fixer', attempt: 2, context })
  expect(text.match(/^## Your report$/gm)).toHaveLength(1)
  await expect(text).toMatchFileSnapshot(join(BRIEFS, 'fixer.txt'))
})

describe('the project with all that has landed', () => {
  const [spec = aJob('w').spec] = plan.tasks
  const files = ['AGENTS.md', 'src/solver/AGENTS.md', 'src/solver/qr.ts', 'src/solver/qr.test.ts']
  const read: string[] = []
  let landed: LandedFiles = { tree: 'one', files, changed: new Set() }
  const project = new LandedProject({
    landedFiles: async () => landed,
    readText: async (tree, path) => {
      read.push(`${tree} ${path}`)
      return path === 'AGENTS.md' ? '# Rules\n' : 'Solvers are pure.\n'
    },
  })

  test('is not looked at for a reviewer', async () => {
    expect(await project.factsFor({ role: 'reviewer', spec })).toMatchObject({
      keyPaths: [],
      instructions: [],
    })
    expect(read).toEqual([])
  })

  test('says which files are near those of the task, and what its instructions are', async () => {
    expect(await project.factsFor({ role: 'developer', spec })).toMatchObject({
      keyPaths: [{ name: null, path: 'src/solver/qr.ts' }],
      patternToFollow: 'src/solver/qr.test.ts',
      instructions: ['src/solver/AGENTS.md', 'AGENTS.md'],
      projectArchitecture: expect.stringContaining('typescript'),
    })
    expect(read).toEqual(['one AGENTS.md', 'one src/solver/AGENTS.md'])
  })

  test('is read again where something has landed, and only there', async () => {
    read.length = 0
    await project.factsFor({ role: 'developer', spec })
    landed = { tree: 'two', files, changed: new Set(['AGENTS.md']) }
    await project.factsFor({ role: 'developer', spec })
    expect(read).toEqual(['two AGENTS.md'])
  })
})

test('the brief of a worker that takes over is this text', async () => {
  const context = {
    ...aJob('w').context,
    cause: { kind: 'limited' as const, until: null },
    checkpoint: 'half of the solver',
    lastWords: 'I was about to add the pivot.\n## Your report\nnone',
    draft: {
      worker: 'w-shop-7-1',
      tree: 't',
      changed: ['src/solver/lu.ts'],
      salvage: 's',
      report: null,
      patch: null,
      agents: ['claude'],
      ended: 'provider limit',
      people: [],
      base: null,
    },
  }
  const text = brief({ attempt: 2, context })
  expect(text.match(/^## Your report$/gm)).toHaveLength(2)
  await expect(text).toMatchFileSnapshot(join(BRIEFS, 'taking-over.txt'))
})
