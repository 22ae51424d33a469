/** The secrets that the workers and checks of one plan could print, and what hides them in all that is kept of it. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { readPlanEnvironment, type PlanEnvironment } from '../app/host/plan-environment.ts'
import type { PlanPlace } from '../app/host/plan-place.ts'
import { streamOf } from '../app/host/stream-name.ts'
import { secretsOfEnvFiles } from '../checks/runner/checkout-files.ts'
import { heldSecrets, secretsGiven } from '../core/gates/secrets/secret-values.ts'
import { agentVariables, possibleAgents } from '../core/settings/agent-variables.ts'
import { brainVariables } from '../core/settings/brain-settings.ts'
import { orElse } from '../lib/or-else.ts'
import { Redactor, type NamedSecret } from '../lib/text/redactor.ts'

type Env = Readonly<Record<string, string | undefined>>

interface Place {
  /** The state root. */
  readonly root: string
  readonly env: Env
  /** Of all that the daemon holds. */
  readonly hide?: Redactor | undefined
}

export class PlanSecrets {
  readonly hide = new Redactor()
  readonly #place: Place
  readonly #plan: PlanPlace
  /** What every worker of the plan is given besides the variables of its agent. */
  readonly ofFiles: readonly NamedSecret[]

  /** With those of the user, the env files and the workers so far. */
  constructor(place: Place, plan: PlanPlace) {
    this.#place = place
    this.#plan = plan
    const files = plan.document.settings.environment.env_files ?? []
    const kept = readPlanEnvironment(place.root, streamOf(plan.repository.id, plan.plan.id))
    const held = orElse(() => secretsOfEnvFiles(plan.repository.path, files), [])
    this.ofFiles = heldSecrets({ held })
    this.#hold([...heldSecrets({ userToken: plan.userToken, env: place.env }), ...this.ofFiles])
    for (const given of givenIn(kept, plan, place.env)) this.#hold(secretsGiven(given))
    const folders = orElse(() => readdirSync(join(plan.folder, 'workers')), [])
    for (const worker of folders) if (worker.startsWith(`w-${plan.plan.id}-`)) this.holdToken(worker)
  }

  holdToken(worker: string): void {
    this.#hold([{ name: 'BOSUN_TOKEN', value: this.#plan.tokenOf(worker) }])
  }

  /** What an agent is given, which may be other values than those before. */
  holdGiven(given: Env): void {
    this.#hold(secretsGiven(given))
  }

  #hold(secrets: readonly NamedSecret[]): void {
    this.hide.hold(secrets)
    this.#place.hide?.hold(secrets)
  }
}

/** By agent, and of the brain. */
function givenIn(kept: PlanEnvironment | null, { document }: PlanPlace, env: Env): readonly Env[] {
  const { settings } = document
  const agents = kept?.agents ?? agentVariables(possibleAgents(settings), env)
  return [...Object.values(agents), kept?.brain ?? brainVariables(settings, env)]
}
