/**
 * Detects colliding worker names. A name joins plan, task and attempt with dashes, each of which may contain dashes, so
 * two workers of a repository may get the same name and thus share their files.
 */
import { idSlug, reviewerId, workerId } from './ids.ts'

export interface NamedTasks {
  readonly plan: string
  /** Their ids. */
  readonly tasks: readonly string[]
}

export interface NameClash {
  readonly worker: string
  /** A task of each plan that could have a worker of that name. */
  readonly mine: string
  readonly theirs: string
}

/** The first colliding name; null without one. */
export function workerNameClash(mine: NamedTasks, theirs: NamedTasks): NameClash | null {
  const [own, others] = [stemsOf(mine), stemsOf(theirs)]
  for (const [stem, task] of own) {
    const same = others.get(stem)
    const isItself = mine.plan === theirs.plan && same === task
    if (same !== undefined && !isItself)
      return { worker: workerId(mine.plan, task, 1), mine: task, theirs: same }
  }
  const reviewed = reviewerClash(own, others, theirs.plan)
  if (reviewed !== null) return reviewed
  const back = reviewerClash(others, own, mine.plan)
  return back === null ? null : { worker: back.worker, mine: back.theirs, theirs: back.mine }
}

/** A task named like the reviewer of another: `7-1-review` beside `7`. */
function reviewerClash(
  called: ReadonlyMap<string, string>,
  reviewed: ReadonlyMap<string, string>,
  plan: string,
): NameClash | null {
  for (const [stem, task] of called) {
    const [, other = '', attempt] = /^(.+)-(\d+)-review$/.exec(stem) ?? []
    const theirs = reviewed.get(other)
    if (theirs !== undefined)
      return { worker: reviewerId(plan, theirs, Number(attempt), 1), mine: task, theirs }
  }
  return null
}

/** Whether names of two plans can collide: one is a prefix of the other. */
export const mayClash = (one: string, other: string): boolean =>
  one.startsWith(`${other}-`) || other.startsWith(`${one}-`)

const stemsOf = ({ plan, tasks }: NamedTasks): ReadonlyMap<string, string> =>
  new Map(tasks.map((task) => [`${plan}-${idSlug(task)}`, task]))
