/** Starts the test files that take longest first, so that none of them is still running when all others have ended. */
import { relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Seconds on two cores, of files that take more than twenty. */
const LONG: Readonly<Record<string, number>> = {
  'test/browser/every-screen.test.ts': 100,
  'test/browser/every-screen-many.test.ts': 30,
  'test/browser/plan-views.test.ts': 40,
  'test/browser/work.test.ts': 55,
  'test/agents/watched.test.ts': 65,
  'test/cheats/javascript.test.ts': 65,
  'test/agents/acp.test.ts': 60,
  'test/demo/demo.test.ts': 60,
  'test/delivery/damaged-worker.test.ts': 90,
  'test/delivery/full-disk.test.ts': 58,
  'test/agents/damaged-folder.test.ts': 45,
  'test/simulation/simulation.test.ts': 58,
  'test/simulation/planted-bugs.test.ts': 50,
  'test/browser/needs-you.test.ts': 47,
  'test/browser/start-to-plan.test.ts': 45,
  'test/agents/misbehaviour.test.ts': 45,
  'test/daemon/adopt.test.ts': 45,
  'test/interview/outage.test.ts': 40,
  'test/interview/interview.test.ts': 40,
  'test/browser/demo.test.ts': 40,
  'test/browser/controls.test.ts': 39,
  'test/browser/whole-way.test.ts': 38,
  'test/browser/states.test.ts': 36,
  'test/browser/decisions.test.ts': 33,
  'test/delivery/crash.test.ts': 43,
  'test/watch/files.test.ts': 43,
  'test/daemon/daemon.test.ts': 40,
  'test/daemon/offline.test.ts': 40,
  'test/release/verify.test.ts': 40,
  'test/watch/fleet.test.ts': 39,
  'test/workspaces/objects.test.ts': 39,
  'test/delivery/faults.test.ts': 38,
  'test/workspaces/random-trees.test.ts': 38,
  'test/delivery/review.test.ts': 37,
  'test/checks/command-gate-runner.test.ts': 37,
  'test/daemon/coordination.test.ts': 35,
  'test/delivery/budgets.test.ts': 35,
  'test/cheats/python.test.ts': 33,
  'test/daemon/commands.test.ts': 30,
  'test/release/clean.test.ts': 30,
  'test/delivery/sessions.test.ts': 28,
  'test/delivery/takeover.test.ts': 28,
  'test/checks/new-tests.test.ts': 27,
  'test/delivery/people.test.ts': 26,
  'test/agents/adoption.test.ts': 25,
  'test/cheats/c.test.ts': 25,
  'test/daemon/reading.test.ts': 25,
  'test/delivery/edits.test.ts': 25,
  'test/delivery/inherit.test.ts': 25,
  'test/release/messages.test.ts': 25,
  'test/delivery/landing-queue.test.ts': 24,
  'test/agents/real-goose.test.ts': 24,
  'test/watch/slow-model.test.ts': 23,
  'test/delivery/found-agents.test.ts': 22,
  'test/agents/conformance.test.ts': 22,
  'test/checks/mutation.test.ts': 20,
}

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const seconds = ({ moduleId }: TestSpecification): number =>
      LONG[relative(this.ctx.config.root, moduleId)] ?? 0
    // Those that are not listed stay in the order of Vitest: by what is known of their last run, or by size.
    return (await super.sort(files)).sort((a, b) => seconds(b) - seconds(a))
  }
}
