/** The brain that needs no model: every question has a rule that answers it. */
import type { Replan } from '../core/decide/effects.ts'
import { replanByRules } from '../core/planning/replan-by-rules.ts'
import type { Brain, ReplanProposal } from '../ports/brain.ts'

export class RulesBrain implements Brain {
  async replan(request: Replan): Promise<ReplanProposal> {
    return replanByRules(request)
  }
}
