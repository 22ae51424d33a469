/** One performer per effect; nothing here decides. */
import type { Effect } from '../../core/decide/effects.ts'
import type { PlanEvent } from '../../core/events/plan-events.ts'
import { collectWork } from './collect-work.ts'
import { commitTask } from './commit-task.ts'
import { diagnoseLayer } from './diagnose-layer.ts'
import type { Performance } from './performer.ts'
import { prepareRelease } from './prepare-release.ts'
import { presentItem } from './present-item.ts'
import { replan } from './replan.ts'
import { reportProgress } from './report-progress.ts'
import { runGates } from './run-gates.ts'
import { runIntegration } from './run-integration.ts'
import { runReleaseGate } from './run-release-gate.ts'
import { startWorker } from './start-worker.ts'
import { stopWorker } from './stop-worker.ts'
import { extendWorker, tellWorker } from './message-worker.ts'
import { takeBaseline } from './take-baseline.ts'

export function perform(effect: Effect, performance: Performance): Promise<readonly PlanEvent[]> {
  switch (effect.kind) {
    case 'take_baseline':
      return takeBaseline(effect, performance)
    case 'start_worker':
      return startWorker(effect, performance)
    case 'stop_worker':
      return stopWorker(effect, performance)
    case 'tell_worker':
      return tellWorker(effect, performance)
    case 'extend_worker':
      return extendWorker(effect, performance)
    case 'collect_work':
      return collectWork(effect, performance)
    case 'run_gates':
      return runGates(effect, performance)
    case 'commit_task':
      return commitTask(effect, performance)
    case 'replan':
      return replan(effect, performance)
    case 'run_integration':
      return runIntegration(effect, performance)
    case 'diagnose_layer':
      return diagnoseLayer(effect, performance)
    case 'run_release_gate':
      return runReleaseGate(effect, performance)
    case 'prepare_release':
      return prepareRelease(effect, performance)
    case 'present_item':
      return presentItem(effect, performance)
    case 'report_progress':
      return reportProgress(effect, performance)
  }
}
