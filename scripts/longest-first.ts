/**
 * Starts the test files that take longest first, so that none of them is still running when all others have ended. Those of a
 * project go together: a worker process ends, with the modules and the browser that its files share, where the next file belongs
 * to another project. The short ones of the unit tests come last and fill what is left of both processors.
 */
import { relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Seconds on two cores beside others, of files that take more than twenty. */
const LONG: Readonly<Record<string, number>> = {
  'test/sandbox/escapes-of-root.test.ts': 135,
  'test/sandbox/escapes-of-user.test.ts': 134,
  'test/cheats/javascript.test.ts': 112,
  'test/delivery/damaged-worker.test.ts': 110,
  'test/delivery/full-disk.test.ts': 67,
  'test/agents/watched.test.ts': 66,
  'test/demo/demo.test.ts': 66,
  'test/agents/acp.test.ts': 64,
  'test/delivery/faults.test.ts': 60,
  'test/agents/misbehaviour.test.ts': 52,
  'test/browser/every-screen.test.ts': 50,
  'test/brain/intake-with-model.test.ts': 49,
  'test/browser/steering.test.ts': 49,
  'test/simulation/planted-bugs.test.ts': 48,
  'test/browser/needs-you.test.ts': 47,
  'test/cheats/python.test.ts': 46,
  'test/simulation/simulation.test.ts': 45,
  'test/watch/files.test.ts': 45,
  'test/workspaces/random-trees.test.ts': 45,
  'test/browser/every-screen-many.test.ts': 44,
  'test/daemon/adopt.test.ts': 44,
  'test/release/verify.test.ts': 42,
  'test/interview/outage.test.ts': 41,
  'test/browser/decisions.test.ts': 40,
  'test/browser/work.test.ts': 40,
  'test/delivery/budgets.test.ts': 39,
  'test/interview/interview.test.ts': 39,
  'test/agents/damaged-folder.test.ts': 38,
  'test/checks/command-gate-runner.test.ts': 38,
  'test/watch/fleet.test.ts': 37,
  'test/delivery/crash.test.ts': 36,
  'test/brain/asked-agent.test.ts': 35,
  'test/daemon/commands.test.ts': 35,
  'test/delivery/review.test.ts': 35,
  'test/release/clean.test.ts': 35,
  'test/browser/controls.test.ts': 34,
  'test/browser/whole-way.test.ts': 33,
  'test/checks/new-tests.test.ts': 33,
  'test/browser/demo.test.ts': 30,
  'test/browser/plan-views.test.ts': 30,
  'test/daemon/daemon.test.ts': 30,
  'test/workspaces/vectors.test.ts': 30,
  'test/browser/states.test.ts': 28,
  'test/delivery/edits.test.ts': 28,
  'test/delivery/takeover.test.ts': 28,
  'test/agents/adoption.test.ts': 26,
  'test/browser/drafts.test.ts': 26,
  'test/browser/without-daemon.test.ts': 26,
  'test/daemon/coordination.test.ts': 26,
  'test/checks/canary.test.ts': 25,
  'test/watch/slow-model.test.ts': 25,
  'test/browser/start-to-plan.test.ts': 24,
  'test/cheats/c-by-exit-code.test.ts': 24,
  'test/checks/go-cache.test.ts': 24,
  'test/delivery/acp.test.ts': 24,
  'test/delivery/sessions.test.ts': 24,
  'test/workspaces/odd-repositories.test.ts': 24,
  'test/cli/doctor.test.ts': 23,
  'test/delivery/landing-queue.test.ts': 23,
  'test/delivery/people.test.ts': 23,
  'test/workspaces/plan-workspace.test.ts': 22,
  'test/delivery/found-agents.test.ts': 21,
}

/** Projects, in the order in which they run. */
const ORDER = ['browser', 'whole', 'unit']

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ project }: TestSpecification): number => ORDER.indexOf(project.name)
    const seconds = ({ moduleId }: TestSpecification): number =>
      LONG[relative(this.ctx.config.root, moduleId)] ?? 0
    // Those that are not listed stay in the order of Vitest: by what is known of their last run, or by size.
    return (await super.sort(files)).sort((a, b) => place(a) - place(b) || seconds(b) - seconds(a))
  }
}
