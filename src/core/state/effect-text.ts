import type { Effect } from '../decide/effects.ts'

/** What Bosun is at, as a person is told when it does not work. */
export function effectWords(effect: Effect): string {
  switch (effect.kind) {
    case 'take_baseline':
      return 'the first look at the repository'
    case 'start_worker':
      return `sending ${effect.worker} to task ${effect.spec.id}`
    case 'stop_worker':
      return `stopping ${effect.worker}, at task ${effect.task}`
    case 'tell_worker':
    case 'extend_worker':
      return `telling ${effect.worker}, at task ${effect.task}`
    case 'collect_work':
      return `collecting what ${effect.worker} made for task ${effect.task}`
    case 'run_gates':
      return `running the gates of task ${effect.spec.id}`
    case 'commit_task':
      return `committing task ${effect.spec.id}`
    case 'replan':
      return `planning task ${effect.spec.id} anew`
    case 'run_integration':
      return `running the tests of layer ${effect.layer}`
    case 'diagnose_layer':
      return `finding out what broke layer ${effect.layer}`
    case 'run_release_gate':
      return 'running the release gate'
    case 'prepare_release':
      return 'preparing the release'
    case 'present_item':
      return `asking you about ${effect.item.id}`
    case 'report_progress':
      return 'reporting progress'
  }
}
