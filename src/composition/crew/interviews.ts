/** The interviews of this machine: each repository's brain, files, architect and plans. */
import { secretsGiven } from '../../core/gates/secrets/secret-values.ts'
import { isWithoutBrain } from '../../core/settings/brain-settings.ts'
import { homedir } from 'node:os'
import { askOnce, unjudged, type Ask, type KeptAnswers } from '../../app/intake/ask-brain.ts'
import { committedFiles, gatherContext } from '../../app/intake/gather-context.ts'
import { triedBefore } from '../../app/intake/kept-trials.ts'
import { describeSpecChange } from '../../app/architect/change-spec.ts'
import { planSpec } from '../../app/architect/plan-spec.ts'
import {
  withEnvironment,
  InterviewEnvironments,
  type PlanEnvironment,
} from '../../app/host/plan-environment.ts'
import { hidingSecrets } from '../../app/host/hidden-log.ts'
import type { Host } from '../../app/host/host.ts'
import type { ReviewAsked, Reviewed, Thinking } from '../../app/interview/interview-parts.ts'
import { Interviews } from '../../app/interview/interviews.ts'
import { readSettings } from '../../config/read-settings.ts'
import { repositoryListing } from '../../config/repository-listing.ts'
import { findWorkTree } from '../../config/repository.ts'
import { bootstrapFacts, type BootstrapFacts } from '../../core/repository-facts/bootstrap.ts'
import type { ProjectContext } from '../../core/intake/project-context.ts'
import { workflowTable } from '../../core/intake/workflows.ts'
import { readSpec } from '../../core/spec/read-spec.ts'
import { interviewTurn } from '../../core/thinking/questions/interview-turn.ts'
import { Refusal } from '../../lib/refusal.ts'
import type { ThinkCall } from '../../ports/brain.ts'
import type { NewProject, Repository } from '../../ports/repositories.ts'
import type { PreviewAnswer } from '../../protocol/interview.ts'
import { registerFrom } from '../../server/routes/register-from.ts'
import { openBrain } from './open-brain.ts'
import type { Machine } from '../plan-world.ts'

export async function openInterviews(machine: Machine, host: Host): Promise<Interviews> {
  const { log, clock, repositories, onError } = host.parts
  const kept = new InterviewEnvironments(machine.root)
  const brains = new Brains(machine, kept)
  return Interviews.open({
    log: host.parts.hide === undefined ? log : hidingSecrets(log, host.parts.hide),
    clock,
    repositories,
    onError,
    turn: interviewTurn,
    thinking: (repository) => brains.of(repository),
    checkSpec,
    requireCommit: (folder) => requireCommit(machine, folder),
    requireAgent: async ({ id, path }) =>
      host.parts.requireAgent?.({
        repository: path,
        settings: await readSettings(path),
        variables: withEnvironment(machine.env, kept.of(id)),
      }),
    bootstrapOf: (repository) => bootstrapOf(machine, repository),
    awaitUserMsOf: async ({ path }) => (await readSettings(path)).interview.await_user_timeout,
    contextOf: async (repository, call) => {
      const { askUntil } = await brains.of(repository)
      return contextAt(machine, host, { path: repository.path, ask: askUntil(call) })
    },
    committedIn: ({ path }) => committedFiles(path, machine.env),
    review: async (asked) => review(machine, host, { asked, ...(await brains.of(asked.repository)) }),
    changesOf: ({ id }, markdown) => changesOf(host, id, markdown),
    registerPlan: ({ id, path }, text) => registerPlan(host, { cwd: path, kept: kept.of(id) }, text),
    environments: {
      keep: async ({ id, path }, given) => kept.keep(id, await readSettings(path), given),
      forget: (id) => kept.forget(id),
      forgetAllBut: (isOpen) => kept.forgetAllBut(isOpen),
    },
  })
}

interface AskedThinking extends Thinking {
  /**
   * For what is no part of one interview: how the code base looks. Rejects with `ServiceUnavailable` in an outage: an interview waits
   * for its end.
   */
  readonly askUntil: (call: Pick<ThinkCall, 'about' | 'signal'>) => Ask
}

/** The brain of a repository is kept while its settings are the same: it has a cache and counts what it spends. */
class Brains {
  readonly #machine: Machine
  readonly #environments: InterviewEnvironments
  readonly #kept = new Map<string, { readonly settings: string; readonly thinking: AskedThinking }>()

  constructor(machine: Machine, environments: InterviewEnvironments) {
    this.#machine = machine
    this.#environments = environments
  }

  async of({ id, path }: Repository): Promise<AskedThinking> {
    const settings = await readSettings(path)
    const text = JSON.stringify(settings)
    const kept = this.#kept.get(id)
    if (kept?.settings === text) return kept.thinking
    // Read for each question: a call may have brought another key.
    const env = () => {
      const given = this.#environments.of(id)
      for (const variables of [...Object.values(given?.agents ?? {}), given?.brain ?? {}])
        this.#machine.hide?.hold(secretsGiven(variables))
      return withEnvironment(this.#machine.env, given)
    }
    const brain = openBrain({ ...this.#machine, settings, repository: path, env })
    const answers: KeptAnswers = new Map()
    // What a code base looks like is paid for by no interview alone; its session is that of the request.
    const askUntil: AskedThinking['askUntil'] = ({ about: { request }, signal }) =>
      isWithoutBrain(settings)
        ? unjudged
        : askOnce(
            (asked, input) => {
              const about = { repository: path, ...(request === undefined ? {} : { request }) }
              return brain.think(asked, input, { about, signal, outage: 'throw' })
            },
            { kept: answers, now: Date.now },
          )
    const thinking = { brain, services: brain, askUntil }
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

/** The command line offers to create what is lacking before it starts one; other callers are sent the commands. */
async function requireCommit({ env }: Machine, folder: string): Promise<void> {
  const [{ Git, surroundingsIn }, { findNewProject }] = await Promise.all([
    import('../../workspaces/git/git.ts'),
    import('../../workspaces/new-project.ts'),
  ])
  const git = new Git(surroundingsIn(env))
  const place = { git, cwd: folder, root: await findWorkTree(folder), home: env['HOME'] ?? homedir() }
  const project = await findNewProject(place)
  if (project !== null) throw withoutCommit(project)
}

function withoutCommit({ folder, lacks }: NewProject): Refusal {
  const commit = "git commit --allow-empty -m 'Start'"
  return new Refusal({
    code: 'needs_person',
    message: `${folder} ${lacks === 'repository' ? 'is not a git repository' : 'has no commit yet'}; work starts from a commit`,
    remedy: `Create it there, then start again: ${lacks === 'repository' ? `git init && ${commit}` : commit}`,
  })
}

async function bootstrapOf({ env }: Machine, { path }: Repository): Promise<BootstrapFacts> {
  const root = await findWorkTree(path)
  if (root === null) return bootstrapFacts({ files: new Set(), read: () => null, hasGit: false })
  return bootstrapFacts({ ...(await repositoryListing(root, env)), hasGit: true })
}

/** The newest commit, and how its commands ended when they were last tried. */
async function contextAt(
  { env }: Machine,
  host: Host,
  { path, ask }: { readonly path: string; readonly ask: Ask },
): Promise<ProjectContext> {
  return gatherContext({ repository: path, env, tried: await triedBefore(host, path) }, ask)
}

/** The architect looks at the code base as it is now. */
async function review(
  machine: Machine,
  host: Host,
  { brain, askUntil, asked }: AskedThinking & { readonly asked: ReviewAsked },
): Promise<Reviewed> {
  const { id: repository, path } = asked.repository
  const [project, listing] = await Promise.all([
    contextAt(machine, host, { path, ask: askUntil(asked.call) }),
    // A folder that is no repository has nothing to look at.
    repositoryListing(path, machine.env).catch(() => null),
  ])
  const files = listing === null ? null : [...listing.files]
  const { workflows } = await readSettings(path)
  const codeBase = { brain, project, files, workflows: workflowTable(workflows) }
  return planSpec(host, codeBase, { ...asked, repository })
}

/** A plan that has ended, or was made otherwise, cannot take the spec: which is better reported before it is submitted. */
async function changesOf(
  host: Host,
  repository: string,
  markdown: string,
): Promise<Pick<PreviewAnswer, 'changes' | 'warning'>> {
  try {
    const changes = await describeSpecChange(host, { repository, markdown })
    return changes === null ? {} : { changes }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { warning: `${error.message}. ${error.remedy}` }
  }
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
  const { plans } = await registerFrom(host, {
    cwd,
    path: '-',
    text,
    by: 'interview',
    environment,
    propose: true,
  })
  const [plan] = plans
  if (plan === undefined) throw new Error('the plan was registered without a row')
  return plan.id
}
