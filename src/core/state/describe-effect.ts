import type { Effect } from '../decide/effects.ts'

/** An effect as a gerund, for messages about its failure. */
export function describeEffect(effect: Effect): string {
  switch (effect.kind) {
    case 'take_baseline':
      return 'taking the baseline of the repository'
    case 'start_worker':
      return `starting ${effect.worker} for task ${effect.spec.id}`
    case 'stop_worker':
      return `stopping ${effect.worker} (task ${effect.task})`
    case 'tell_worker':
    case 'extend_worker':
    case 'hold_worker':
      return `messaging ${effect.worker} (task ${effect.task})`
    case 'ask_specialist':
      return `asking a specialist about ${effect.request}`
    case 'collect_work':
      return `collecting the work of ${effect.worker} for task ${effect.task}`
    case 'run_gates':
      return `running the gates of task ${effect.spec.id}`
    case 'commit_task':
      return `committing task ${effect.spec.id}`
    case 'replan':
      return `replanning task ${effect.spec.id}`
    case 'assess_failure':
      return `assessing why task ${effect.spec.id} failed`
    case 'review_artifact':
      return `reviewing task ${effect.spec.id}`
    case 'run_integration':
      return `running the integration tests of layer ${effect.layer}`
    case 'diagnose_layer':
      return `finding out what broke layer ${effect.layer}`
    case 'run_release_gate':
      return 'running the release gate'
    case 'prepare_release':
      return 'preparing the release'
    case 'report_progress':
      return 'reporting progress'
  }
}
