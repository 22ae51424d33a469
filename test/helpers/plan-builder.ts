/** Plans with literal tasks for tests, with plain defaults. */
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

export function aTask(id: string, fields: Partial<TaskSpec> = {}): TaskSpec {
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
    ...fields,
  }
}

export const critical = (id: string, fields: Partial<TaskSpec> = {}): TaskSpec =>
  aTask(id, { tier: 'critical', ...fields })
export const normal = (id: string, fields: Partial<TaskSpec> = {}): TaskSpec =>
  aTask(id, { tier: 'normal', ...fields })
export const low = (id: string, fields: Partial<TaskSpec> = {}): TaskSpec =>
  aTask(id, { tier: 'low', ...fields })

export function anIntegrationTest(id: string, afterLayer: string, tasksCovered: string[]): IntegrationTest {
  return { id, description: `${id} holds`, afterLayer, tasksCovered, command: `run ${id}`, reference: {} }
}

export function anAudit(task: string, fields: Partial<Audit> = {}): Audit {
  return { task, status: 'EXISTS', evidence: 'its files are there', files: [], runs: [], ...fields }
}

export function aBranch(name: string, task: string, fields: Partial<NoticedBranch> = {}): NoticedBranch {
  const tasks = [{ task, files: [`src/${task}.ts`], more: 0 }]
  return { name, sha: `sha-${name}`, ahead: 2, isWhole: true, at: START, subject: 'Begin', tasks, ...fields }
}

/** The defaults, with people asked at once. */
function withoutSpecialist(): PlanSettings {
  const settings = defaultPlanSettings()
  return settings.watch === undefined
    ? settings
    : { ...settings, watch: { ...settings.watch, specialistMs: 0 } }
}

export interface PlanOptions {
  readonly settings?: Partial<PlanSettings>
  readonly integration?: readonly IntegrationTest[]
  readonly proposal?: EventOf<'plan.registered'>['proposal']
}

export const SHOP: EventOf<'plan.registered'>['plan'] = {
  id: 'shop',
  title: 'Shop',
  source: 'plan.md',
  design: 'design.md',
  format: 'markdown',
  goal: null,
  architecture: null,
  techStack: null,
  constraints: [],
  specFile: null,
}

export function aRegistration(
  tasks: readonly TaskSpec[],
  { settings = {}, integration = [], proposal }: PlanOptions = {},
): EventOf<'plan.registered'> {
  return {
    type: 'plan.registered',
    v: 1,
    repo: 'repo',
    plan: SHOP,
    settings: { ...withoutSpecialist(), ...settings },
    tasks: [...tasks],
    integration: [...integration],
    ...(proposal === undefined ? {} : { proposal }),
  }
}

export function aReport(fields: Partial<Report> = {}): Report {
  return {
    explanation: 'did what was asked',
    selfAssessment: 'confident',
    criteria: [],
    blockers: [],
    risks: [],
    reviewNote: { summary: 'it works now', risks: [], rollback: 'revert the commit' },
    ...fields,
  }
}

export const MISSES_A_CASE: ReviewIssue = {
  severity: 'major',
  description: 'it misses a case',
  location: 'src/a.ts:1',
  howToFix: 'handle it',
}
