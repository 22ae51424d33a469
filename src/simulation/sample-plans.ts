/** Draws plans from a seed, to test the rules on unusual shapes. */
import { extraTask } from '../core/delivery/extra-tasks.ts'
import { defaultPlanSettings } from '../core/settings/plan-settings.ts'
import type { EventOf } from '../core/events/plan-events.ts'
import { TIERS, type IntegrationTest, type TaskSpec } from '../core/planning/plan.ts'
import type { Random } from './random.ts'

const AREAS = ['src/api', 'src/api/auth', 'src/web', 'src/core', 'docs', 'lib/money', '.']
const LAYERS = ['core', 'workflow']

const SAMPLE: EventOf<'plan.registered'>['plan'] = {
  id: 'sample',
  title: 'A sample plan',
  source: 'sample.md',
  design: null,
  format: 'markdown',
  goal: null,
  architecture: null,
  techStack: null,
  constraints: [],
  specFile: null,
}

export function samplePlan(
  random: Random,
  size: number,
  { hasOpenPoints = false }: { readonly hasOpenPoints?: boolean } = {},
): EventOf<'plan.registered'> {
  const layered = random.chance(0.3)
  const drawn = Array.from({ length: size }, (_, place) => sampleTask(random, place, layered))
  const tasks = hasOpenPoints ? drawn.map((task) => withOpenPoints(random, task)) : drawn
  const settings = {
    ...defaultPlanSettings(),
    approval: random.weighted([
      ['release', 6],
      ['critical', 2],
      ['each_task', 2],
    ] as const),
    parallelTiers: random.chance(0.3) ? (['low', 'normal'] as const).slice() : (['low'] as const).slice(),
    maxParallelAgents: random.between(1, 4),
    maxWaitingForReview: random.between(1, 4),
    ...(random.chance(0.3) ? { brainAssesses: true } : {}),
    ...(random.chance(0.2) ? { brainReviews: true } : {}),
  }
  const integration: IntegrationTest[] = layered
    ? LAYERS.filter((layer) => tasks.some((task) => task.layer === layer)).map((layer) => ({
        id: `it-${layer}`,
        description: `the ${layer} layer works as a whole`,
        afterLayer: layer,
        tasksCovered: tasks.filter((task) => task.layer === layer).map((task) => task.id),
        command: 'true',
        reference: {},
      }))
    : []
  return {
    type: 'plan.registered',
    v: 1,
    repo: 'simulated',
    plan: SAMPLE,
    settings,
    tasks,
    integration,
  }
}

function sampleTask(random: Random, place: number, layered: boolean): TaskSpec {
  const earlier = Array.from({ length: place }, (_, before) => String(before + 1))
  const needs = earlier.filter(() => random.chance(Math.min(0.5, 1.5 / Math.max(1, place))))
  return extraTask({
    id: String(place + 1),
    title: `Task number ${place + 1}`,
    description: '',
    line: place + 1,
    tier: random.weighted([
      [TIERS[0], 2],
      [TIERS[1], 4],
      [TIERS[2], 5],
    ]),
    tierReasons: [],
    ownership: random.pick(AREAS),
    layer: layered ? random.pick(LAYERS) : null,
    dependsOn: needs,
    acceptanceCriteria: ['it works'],
    files: { create: [`src/file-${place + 1}.ts`], modify: [], delete: [] },
    nonGoals: [],
    timeBudgetMs: random.between(10, 90) * 60_000,
  })
}

function withOpenPoints(random: Random, task: TaskSpec): TaskSpec {
  if (random.chance(0.6)) return task
  const questions = Array.from({ length: random.between(1, 5) }, (_, at) => ({
    kind: 'undecided' as const,
    words: `point ${at + 1}: TBD`,
    line: task.line,
    choices: random.chance(0.5) ? ['this', 'that'] : [],
  }))
  return { ...task, questions }
}
