/**
 * What the workers of a plan get of their user's environment: the PATH and the variables of each agent. It comes with
 * the command that runs the plan, since the daemon may have been started elsewhere, long ago. It may hold keys: it lies
 * in a file of its own that only the user can read, and never in the log.
 */
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { atomicWriteSync } from '../../lib/files/atomic-write.ts'
import { readIfExists } from '../../lib/files/read-if-exists.ts'
import { agentVariables, possibleAgents } from '../../core/settings/agent-variables.ts'
import { brainVariables } from '../../core/settings/brain-settings.ts'
import type { Settings } from '../../core/settings/settings.ts'
import type { CallerVariables } from '../interview/interview-parts.ts'

const variables = z.record(z.string(), z.string())
const schema = z.object({
  path: z.string(),
  agents: z.record(z.string(), variables),
  /** Of the brain. */
  brain: variables,
})
type Env = Readonly<Record<string, string | undefined>>
export type PlanEnvironment = Readonly<z.infer<typeof schema>>

/** Where those of interviews lie. It is no repository's id, for those end with a digest. */
export const INTERVIEWS = 'interviews'

/** Null for a plan that was registered without one. */
export function readPlanEnvironment(root: string, stream: string): PlanEnvironment | null {
  const text = readIfExists(fileOf(root, stream))
  return text === null ? null : schema.parse(JSON.parse(text))
}

export function keepPlanEnvironment(root: string, stream: string, environment: PlanEnvironment): void {
  const file = fileOf(root, stream)
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  atomicWriteSync(file, JSON.stringify(environment))
}

export const forgetPlanEnvironment = (root: string, stream: string): void =>
  rmSync(fileOf(root, stream), { force: true })

/** All variables of it over those of the daemon. */
export const withEnvironment = (env: Env, kept: PlanEnvironment | null): Env =>
  kept === null
    ? env
    : Object.assign({ ...env }, ...Object.values(kept.agents), kept.brain, { PATH: kept.path })

/** Deletes those of plans that no longer need theirs. */
export function forgetPlanEnvironments(root: string, isNeeded: (stream: string) => boolean): void {
  const folder = join(root, 'environments')
  if (!existsSync(folder)) return
  for (const repository of readdirSync(folder, { withFileTypes: true })) {
    if (!repository.isDirectory() || repository.name === INTERVIEWS) continue
    for (const name of readdirSync(join(folder, repository.name))) {
      const stream = `${repository.name}/${name.replace(/\.json$/, '')}`
      if (name.endsWith('.json') && !isNeeded(stream)) forgetPlanEnvironment(root, stream)
    }
  }
}

/** `stream` is `<repository>/<plan>`. */
const fileOf = (root: string, stream: string): string => join(root, 'environments', `${stream}.json`)

/**
 * What interviews get of their user's environment: the keys of the brain, and what the agents of the plan take. Kept like
 * those of plans, one for each repository with an interview that is open.
 */
export class InterviewEnvironments {
  readonly #root: string

  constructor(root: string) {
    this.#root = root
  }

  /** Null where no caller has sent one. */
  of(repository: string): PlanEnvironment | null {
    return readPlanEnvironment(this.#root, streamFor(repository))
  }

  /** Values that an earlier call brought stay where this one has none. */
  keep(repository: string, settings: Settings, { path, variables }: CallerVariables): void {
    const before = this.of(repository)
    const agents = agentVariables(possibleAgents(settings), variables)
    const names = new Set([...Object.keys(before?.agents ?? {}), ...Object.keys(agents)])
    keepPlanEnvironment(this.#root, streamFor(repository), {
      path,
      agents: Object.fromEntries(
        [...names].map((name) => [name, { ...before?.agents[name], ...agents[name] }]),
      ),
      brain: { ...before?.brain, ...brainVariables(settings, variables) },
    })
  }

  forget(repository: string): void {
    forgetPlanEnvironment(this.#root, streamFor(repository))
  }

  /** After a crash some may be left. */
  forgetAllBut(isOpen: (repository: string) => boolean): void {
    const folder = join(this.#root, 'environments', INTERVIEWS)
    if (!existsSync(folder)) return
    for (const name of readdirSync(folder)) {
      const repository = name.replace(/\.json$/, '')
      if (!isOpen(repository)) this.forget(repository)
    }
  }
}

const streamFor = (repository: string): string => `${INTERVIEWS}/${repository}`
