/** What the engine asks of the ports, with plain defaults. */
import type { ReleaseManifest } from '../../src/core/delivery/release/manifest-schema.ts'
import type {
  CollectWork,
  CommitTask,
  PrepareRelease,
  RunGates,
  RunIntegration,
  RunReleaseGate,
  StopWorker,
  TakeBaseline,
} from '../../src/core/decide/effects.ts'
import { ALWAYS_GATES, MANDATORY_GATES } from '../../src/core/planning/gates.ts'
import type { Job } from '../../src/ports/agent.ts'
import { anIntegrationTest, aTask, HOUR } from './plan-builder.ts'

export function aJob(worker: string, fields: Partial<Job> = {}): Job {
  return {
    kind: 'start_worker',
    key: `start ${worker}`,
    worker,
    attempt: 1,
    role: 'developer',
    spec: aTask('1'),
    tier: 'low',
    timeLimitMs: HOUR,
    context: {
      block: '',
      feedback: null,
      checkpoint: null,
      isLastTry: false,
      hasFailedFix: false,
      earlierWork: null,
      cause: null,
      failed: [],
      draft: null,
      audit: null,
      branches: [],
      dependencies: [],
    },
    plan: 'shop',
    design: null,
    ...fields,
  }
}

export function someGates(fields: Partial<RunGates> = {}): RunGates {
  return {
    kind: 'run_gates',
    key: 'gates 1 1 all 0',
    spec: aTask('1'),
    tier: 'normal',
    attempt: 1,
    tree: 'tree-w-shop-1-1',
    scope: 'all',
    gates: [...MANDATORY_GATES, ...ALWAYS_GATES, 'unit', 'lint'],
    baselineFailing: [],
    report: null,
    earlierWork: null,
    whole: null,
    ...fields,
  }
}

const AN_EMPTY_MANIFEST: ReleaseManifest = {
  plan_id: 'shop',
  plan_doc: 'plan.md',
  design_doc: null,
  completed_at: '1970-01-01T00:00:00.000Z',
  tasks: [],
  remediation: [],
  dropped: [],
  superseded: [],
  tests_run: 0,
  tests_passed: 0,
  lint_clean: null,
  typecheck_clean: null,
  build_clean: null,
  risks: [],
  breaking_changes: [],
  migration_steps: [],
  rollback_plan: '',
  recommended_next: [],
  evidence: [],
  not_applicable: [],
  exit_code_alone: [],
  milestones: [],
  criteria: { total: 0, passed: 0, unconfirmed: [] },
  overrides: [],
}

export const aReleaseGate: RunReleaseGate = {
  kind: 'run_release_gate',
  whole: { since: 'base', letThrough: [] },
  key: 'release gate 1',
  round: 1,
  baselineFailing: [],
}

export const someIntegration: RunIntegration = {
  kind: 'run_integration',
  key: 'integration core 1',
  layer: 'core',
  round: 1,
  tests: ['it-1', 'it-2', 'it-3'].map((id) => anIntegrationTest(id, 'core', ['1'])),
}

export const aBaseline: TakeBaseline = {
  kind: 'take_baseline',
  key: 'baseline',
  tasks: [aTask('1'), aTask('2')],
}

export const aStop = (worker: string): StopWorker => ({
  kind: 'stop_worker',
  key: `stop ${worker}`,
  worker,
  task: '1',
  attempt: 1,
  role: 'developer',
  cause: 'stalled',
})

export const aCollection = (worker: string): CollectWork => ({
  kind: 'collect_work',
  key: `collect ${worker}`,
  worker,
  task: '1',
  attempt: 1,
  ahead: [],
  landings: 0,
})

export function aCommit(task: string, tree: string, attempt = 1): CommitTask {
  const worker = `w-shop-${task}-${attempt}`
  return {
    kind: 'commit_task',
    key: `commit ${task} ${attempt}`,
    spec: aTask(task),
    tier: 'low',
    attempt,
    draft: {
      worker,
      tree,
      changed: [`src/${task}.ts`],
      salvage: `refs/salvage/${worker}`,
      report: null,
      patch: null,
      agents: [],
      ended: 'reported done',
      people: [],
      base: null,
    },
    proof: { verdicts: [], overrides: [] },
    review: null,
    confirmation: null,
    tag: null,
  }
}

export const aRelease = (tree: string): PrepareRelease => ({
  kind: 'prepare_release',
  key: 'prepare release',
  tree,
  manifest: AN_EMPTY_MANIFEST,
  notes: null,
})
