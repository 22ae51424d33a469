/**
 * Who should do the work of a role, best first. The agent that the settings name comes first, others take over where it
 * cannot work; a review goes to an agent that did not write the work, preferably one of another maker.
 */
import type { Role } from '../event-schemas/schemas.ts'

export interface Crew {
  /** The agent of each role, as the settings name it. */
  readonly roles: Readonly<Partial<Record<Role, string>>>
  /** The agent of roles that the settings do not name. */
  readonly fallback: string
  /** Those that may take over: the agents of the settings, else those found that are signed in. */
  readonly others: readonly string[]
  /** Those that may review where the settings name no reviewer. */
  readonly reviewers: readonly string[]
  /** Who makes an agent, where that is known. */
  readonly makers: Readonly<Record<string, string | undefined>>
}

export interface Wanted {
  /** Whose work it is. */
  readonly role: Role
  /** The role whose settings count. */
  readonly as: Role
  /** The agents that wrote what is to be reviewed. */
  readonly authors: readonly string[]
  readonly unusable: readonly { readonly agent: string; readonly why: string }[]
}

export interface RankedAgent {
  readonly name: string
  readonly why: string
}

export interface Ranking {
  /** Best first; never empty. */
  readonly agents: readonly RankedAgent[]
  /** All that could do it if they were free, the first choice first. */
  readonly candidates: readonly string[]
}

/** Where none can work, the first choice is tried all the same: its failure says why. */
export function rankAgents(crew: Crew, wanted: Wanted): Ranking {
  const ranked = wanted.role === 'reviewer' ? reviewers(crew, wanted) : writers(crew, wanted)
  const isUsable = ({ name }: RankedAgent): boolean => !wanted.unusable.some(({ agent }) => agent === name)
  const usable = ranked.filter(isUsable)
  const [first] = ranked
  const passed = first === undefined || isUsable(first) ? undefined : reasonOf(first.name, wanted)
  const agents = usable.map(({ name, why }) => ({
    name,
    why: passed === undefined ? why : `${passed}; ${why}`,
  }))
  return {
    agents: agents.length === 0 ? ranked.slice(0, 1) : agents,
    candidates: ranked.map(({ name }) => name),
  }
}

const reasonOf = (name: string, { unusable }: Wanted): string => {
  const why = unusable.find(({ agent }) => agent === name)?.why ?? 'cannot work now'
  return `${name} ${why}`
}

function writers({ roles, fallback, others }: Crew, { as }: Wanted): readonly RankedAgent[] {
  const named = roles[as]
  return distinct([
    named === undefined
      ? { name: fallback, why: 'no agent is named for this role' }
      : { name: named, why: `roles.${as}` },
    ...others.map((name) => ({ name, why: `${name} takes over` })),
  ])
}

function reviewers(crew: Crew, { authors }: Wanted): readonly RankedAgent[] {
  const { roles, fallback, makers } = crew
  const named = roles.reviewer
  const isAuthor = (name: string): boolean => authors.includes(name)
  const authorMakers = authors.map((name) => makers[name])
  const isOfOtherMaker = (name: string): boolean =>
    makers[name] === undefined ? !isAuthor(name) : !authorMakers.includes(makers[name])
  // Where the settings name a reviewer, only agents with a role take its place.
  const pool = new Set([
    named ?? fallback,
    ...Object.values(roles),
    ...(named === undefined ? crew.reviewers : []),
  ])
  const ranked = [...pool].map((name): RankedAgent & { readonly rank: number } => {
    if (name === named && !isAuthor(name)) return { name, why: 'roles.reviewer', rank: 0 }
    if (isAuthor(name)) return { name, why: 'it wrote the work, and there is no other agent', rank: 3 }
    if (authors.length === 0) return { name, why: 'no agent is named for this role', rank: 1 }
    const maker = makers[name] === undefined ? '' : ` (${makers[name]})`
    return isOfOtherMaker(name)
      ? { name, why: `of another maker${maker} than the author`, rank: 1 }
      : { name, why: 'not the author', rank: 2 }
  })
  return ranked.toSorted((one, other) => one.rank - other.rank).map(({ name, why }) => ({ name, why }))
}

function distinct(agents: readonly RankedAgent[]): readonly RankedAgent[] {
  return agents.filter(({ name }, at) => agents.findIndex((one) => one.name === name) === at)
}
