/** The interviews of this machine: each repository's brain, files, architect and plans. */
import { gatherContext } from '../../app/intake/gather-context.ts'
import { describeSpecChange, type SpecDifference } from '../../app/architect/change-spec.ts'
import { planSpec } from '../../app/architect/plan-spec.ts'
import { withEnvironment, type PlanEnvironment } from '../../app/host/plan-environment.ts'
import type { Host } from '../../app/host/host.ts'
import type { ReviewAsked, Reviewed, Thinking } from '../../app/interview/interview-parts.ts'
import { InterviewEnvironments } from '../../app/host/interview-environments.ts'
import { Interviews } from '../../app/interview/interviews.ts'
import { readSettings } from '../../config/read-settings.ts'
import { repositoryListing } from '../../config/repository-listing.ts'
import { findWorkTree } from '../../config/repository.ts'
import { bootstrapFacts, type BootstrapFacts } from '../../core/repository-facts/bootstrap.ts'
import { readSpec } from '../../core/spec/read-spec.ts'
import { interviewTurn } from '../../core/thinking/questions/interview-turn.ts'
import { Refusal } from '../../lib/refusal.ts'
import type { Brain } from '../../ports/brain.ts'
import type { Repository } from '../../ports/repositories.ts'
import { registerFrom } from '../../server/routes/register-from.ts'
import { openBrain } from './open-brain.ts'
import type { Machine } from '../plan-world.ts'

export async function openInterviews(machine: Machine, host: Host): Promise<Interviews> {
  const { log, clock, repositories, onError } = host.parts
  const kept = new InterviewEnvironments(machine.root)
  const brains = new Brains(machine, kept)
  return Interviews.open({
    log,
    clock,
    repositories,
    onError,
    turn: interviewTurn,
    thinking: (repository) => brains.of(repository),
    checkSpec,
    bootstrapOf: (repository) => bootstrapOf(machine, repository),
    contextOf: ({ path }) => gatherContext({ repository: path, env: machine.env }),
    review: async (asked) => {
      const { brain } = await brains.of(asked.repository)
      return review(machine, host, { brain, asked })
    },
    changesOf: ({ id }, markdown) => changesOf(host, id, markdown),
    registerPlan: ({ id, path }, text) => registerPlan(host, { cwd: path, kept: kept.of(id) }, text),
    environments: {
      keep: async ({ id, path }, given) => kept.keep(id, await readSettings(path), given),
      forget: (id) => kept.forget(id),
      forgetAllBut: (isOpen) => kept.forgetAllBut(isOpen),
    },
  })
}

/** The brain of a repository is kept while its settings are the same: it has a cache and counts what it spends. */
class Brains {
  readonly #machine: Machine
  readonly #environments: InterviewEnvironments
  readonly #kept = new Map<string, { readonly settings: string; readonly thinking: Thinking }>()

  constructor(machine: Machine, environments: InterviewEnvironments) {
    this.#machine = machine
    this.#environments = environments
  }

  async of({ id, path }: Repository): Promise<Thinking> {
    const settings = await readSettings(path)
    const text = JSON.stringify(settings)
    const kept = this.#kept.get(id)
    if (kept?.settings === text) return kept.thinking
    // Read for each question: a call may have brought another key.
    const env = () => withEnvironment(this.#machine.env, this.#environments.of(id))
    const brain = openBrain({ ...this.#machine, settings, repository: path, env })
    const thinking = { brain, services: brain }
    this.#kept.set(id, { settings: text, thinking })
    return thinking
  }
}

function checkSpec(markdown: string) {
  const { spec, problems } = readSpec(markdown)
  const faults = problems.filter(({ severity }) => severity === 'error')
  if (spec === null) return { metadata: null, faults }
  const { title, version, priority, requirements } = spec
  return { metadata: { title, version, priority, requirements_count: requirements.length }, faults }
}

async function bootstrapOf({ env }: Machine, { path }: Repository): Promise<BootstrapFacts> {
  const root = await findWorkTree(path)
  if (root === null) return bootstrapFacts({ files: new Set(), read: () => null, hasGit: false })
  return bootstrapFacts({ ...(await repositoryListing(root, env)), hasGit: true })
}

/** The architect looks at the code base as it is now. */
async function review(
  { env }: Machine,
  host: Host,
  { brain, asked }: { readonly brain: Brain; readonly asked: ReviewAsked },
): Promise<Reviewed> {
  const { id: repository, path } = asked.repository
  const [project, listing] = await Promise.all([
    gatherContext({ repository: path, env }),
    // A folder that is no repository has nothing to look at.
    repositoryListing(path, env).catch(() => null),
  ])
  const files = listing === null ? null : [...listing.files]
  return planSpec(host, { brain, project, files }, { ...asked, repository })
}

/** A plan of this title that was made otherwise has no difference; the architect sends the spec back. */
async function changesOf(host: Host, repository: string, markdown: string): Promise<SpecDifference | null> {
  return describeSpecChange(host, { repository, markdown }).catch((error: unknown) => {
    if (error instanceof Refusal) return null
    throw error
  })
}

/** The plan keeps the user's environment on. */
async function registerPlan(
  host: Host,
  { cwd, kept }: { readonly cwd: string; readonly kept: PlanEnvironment | null },
  text: string,
): Promise<string> {
  const environment =
    kept === null
      ? undefined
      : { path: kept.path, variables: Object.assign({}, ...Object.values(kept.agents), kept.brain) }
  // It is in no file of the repository, so no brief may name one.
  const { plans } = await registerFrom(host, { cwd, path: '-', text, by: 'interview', environment })
  const [plan] = plans
  if (plan === undefined) throw new Error('the plan was registered without a row')
  return plan.id
}
