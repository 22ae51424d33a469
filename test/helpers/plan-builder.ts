/** Plans with literal tasks, for tests: everything a test does not say has a plain default. */
import type { Audit, NoticedBranch } from '../../src/core/event-schemas/baseline.ts'
import type { EventOf } from '../../src/core/events/plan-events.ts'
import type { PlanSettings } from '../../src/core/event-schemas/plan-settings.ts'
import type { Report, ReviewIssue } from '../../src/core/event-schemas/schemas.ts'
import { defaultPlanSettings } from '../../src/core/settings/plan-settings.ts'
import type { IntegrationTest, TaskSpec } from '../../src/core/planning/plan.ts'

export const MINUTE = 60_000
export const HOUR = 60 * MINUTE
/** A Monday morning; nothing in the tests has to do with the day they run on. */
export const START = Date.UTC(2026, 0, 5, 9)

export function aTask(id: string, said: Partial<TaskSpec> = {}): TaskSpec {
  return {
    id,
    title: `Do ${id}`,
    description: '',
    phase: null,
    line: 1,
    tier: 'low',
    tierReasons: [],
    securityFlags: [],
    ownership: `area-${id}`,
    layer: null,
    dependsOn: [],
    acceptanceCriteria: [`${id} works`],
    files: { create: [`src/${id}.ts`], modify: [], delete: [] },
    nonGoals: [],
    testsToAdd: [],
    testsToRun: [],
    heldOut: [],
    gates: ['unit', 'lint'],
    interfaces: [],
    breakingChange: false,
    timeBudgetMs: HOUR,
    commitSubject: null,
    inferred: [],
    ...said,
  }
}

export const critical = (id: string, said: Partial<TaskSpec> = {}): TaskSpec =>
  aTask(id, { tier: 'critical', ...said })
export const normal = (id: string, said: Partial<TaskSpec> = {}): TaskSpec =>
  aTask(id, { tier: 'normal', ...said })
export const low = (id: string, said: Partial<TaskSpec> = {}): TaskSpec => aTask(id, { tier: 'low', ...said })

export function anIntegrationTest(id: string, afterLayer: string, tasksCovered: string[]): IntegrationTest {
  return { id, description: `${id} holds`, afterLayer, tasksCovered, command: `run ${id}`, reference: {} }
}

export function anAudit(task: string, said: Partial<Audit> = {}): Audit {
  return { task, status: 'EXISTS', evidence: 'its files are there', files: [], runs: [], ...said }
}

export function aBranch(name: string, task: string, said: Partial<NoticedBranch> = {}): NoticedBranch {
  const tasks = [{ task, files: [`src/${task}.ts`], more: 0 }]
  return { name, sha: `sha-${name}`, ahead: 2, isWhole: true, at: START, subject: 'Begin', tasks, ...said }
}

export interface PlanSaid {
  readonly settings?: Partial<PlanSettings>
  readonly integration?: readonly IntegrationTest[]
}

export function aRegistration(
  tasks: readonly TaskSpec[],
  { settings = {}, integration = [] }: PlanSaid = {},
): EventOf<'plan.registered'> {
  return {
    type: 'plan.registered',
    v: 1,
    repo: 'repo',
    plan: { id: 'shop', title: 'Shop', source: 'plan.md', design: 'design.md', format: 'markdown' },
    settings: { ...defaultPlanSettings(), ...settings },
    tasks: [...tasks],
    integration: [...integration],
  }
}

export function aReport(said: Partial<Report> = {}): Report {
  return {
    explanation: 'did what was asked',
    selfAssessment: 'confident',
    criteria: [],
    blockers: [],
    risks: [],
    reviewNote: { summary: 'it works now', risks: [], rollback: 'revert the commit' },
    ...said,
  }
}

export const MISSES_A_CASE: ReviewIssue = {
  severity: 'major',
  description: 'it misses a case',
  location: 'src/a.ts:1',
  howToFix: 'handle it',
}
