/** The smaller ports, scripted: integration tests, the brain, notices. */
import type { Replan, RunIntegration } from '../core/effects.ts'
import type { EventOf } from '../core/events/plan-events.ts'
import { replanByRules } from '../core/planning/replan-by-rules.ts'
import type { Brain, ReplanProposal } from '../ports/brain.ts'
import type { Clock } from '../ports/clock.ts'
import type { IntegrationRunner } from '../ports/integration-runner.ts'
import type { Notice, Notifier } from '../ports/notifier.ts'

type Outcome = EventOf<'integration.ran'>['results'][number]['outcome']

export class ScriptedIntegration implements IntegrationRunner {
  readonly #clock: Clock
  readonly #outcome: (test: string, request: RunIntegration) => Outcome

  constructor(clock: Clock, outcome: (test: string, request: RunIntegration) => Outcome = () => 'passed') {
    this.#clock = clock
    this.#outcome = outcome
  }

  async run(request: RunIntegration): Promise<EventOf<'integration.ran'>['results']> {
    await new Promise<void>((resolve) => {
      this.#clock.wake(60_000, resolve)
    })
    return request.tests.map((test) => {
      const outcome = this.#outcome(test.id, request)
      return { id: test.id, outcome, output: `${test.id} ${outcome} (scripted)` }
    })
  }
}

/** Answers what it is told to; as the rules do where nobody tells it. */
export class ScriptedBrain implements Brain {
  readonly #answer: (request: Replan) => ReplanProposal

  constructor(answer: (request: Replan) => ReplanProposal = (request) => replanByRules(request.feedback)) {
    this.#answer = answer
  }

  async replan(request: Replan): Promise<ReplanProposal> {
    return this.#answer(request)
  }
}

export class ScriptedNotifier implements Notifier {
  readonly notices = new Map<string, Notice>()

  async notify(notice: Notice): Promise<void> {
    if (!this.notices.has(notice.id)) this.notices.set(notice.id, notice)
  }
}
