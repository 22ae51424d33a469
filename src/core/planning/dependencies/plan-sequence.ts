/**
 * What the order of a document says about tasks that nothing else links. Authors write in the order they would work in, so:
 * - a verification follows everything before it in its phase; the last task of the plan, everything before it;
 * - a task that only adds tests follows the sources before it;
 * - a task follows those before it in its area (they could not run side by side anyway), unless a file says which one;
 * - a verification at the end of a phase holds back the next phase;
 * - else a task follows the phase before its own.
 * In Spec Kit a phase waits for the one before it, `[P]` tasks run side by side, and the others one after another.
 */
import { AreaEnds, Barrier, OpenEnds } from './leaf-tasks.ts'

export interface Sequenced {
  readonly phase: string | null
  readonly area: string
  readonly verification: boolean
  readonly onlyTests: boolean
  /** Marked `[P]`. */
  readonly parallel: boolean
  /** The author says what it depends on. */
  readonly stated: boolean
  /** Places of the earlier tasks that files, names and mentions link it to. */
  readonly links: readonly number[]
  /** One of them comes from a file or from being a sub-task, so its place in its area is known. */
  readonly anchored: boolean
}

/**
 * Per task, the places it follows, `links` included. Where the author says what depends on what, the order of the
 * document is left to speak for verifications alone: they come after what they verify.
 */
export function sequenceByDocument(
  tasks: readonly Sequenced[],
  authorStates: 'some dependencies' | 'none',
): readonly (readonly number[])[] {
  const phases = phaseNumbers(tasks)
  const open = new OpenEnds()
  const areas = new AreaEnds()
  const barrier = new Barrier()
  const follows: (readonly number[])[] = []
  const fromOrder = (task: Sequenced, place: number, phase: number): readonly number[] => {
    if (task.verification) return place === tasks.length - 1 ? open.all() : open.of(phase)
    if (task.onlyTests && task.links.length === 0)
      return open.all().filter((end) => tasks[end]?.onlyTests !== true)
    return task.anchored ? [] : areas.before(task.area)
  }
  const fromPhase = (place: number, phase: number, known: readonly number[]): readonly number[] => {
    const gate = barrier.gate((end) => tasks[end]?.verification === true)
    if (gate !== undefined) return known.some((link) => phases[link] === phase) ? [] : [gate]
    return known.length === 0 ? barrier.ends(place) : []
  }
  for (const [place, task] of tasks.entries()) {
    const phase = phases[place] ?? 0
    barrier.enter(phase, place, open)
    const speaks = !task.stated && (authorStates === 'none' || task.verification)
    const before = speaks ? fromOrder(task, place, phase) : []
    const held = speaks ? fromPhase(place, phase, [...task.links, ...before]) : []
    const all = withoutImplied(task.links, [...before, ...held], follows)
    follows.push(all)
    open.add(place, phase, all)
    areas.add(task.area, place, all)
  }
  return follows
}

export function sequenceSpecKit(tasks: readonly Sequenced[]): readonly (readonly number[])[] {
  const phases = phaseNumbers(tasks)
  const open = new OpenEnds()
  const barrier = new Barrier()
  const follows: (readonly number[])[] = []
  let before: { phase: number; last: number | undefined; beside: number[] } = {
    phase: 0,
    last: undefined,
    beside: [],
  }
  for (const [place, task] of tasks.entries()) {
    const phase = phases[place] ?? 0
    barrier.enter(phase, place, open)
    if (phase !== before.phase) before = { phase, last: undefined, beside: [] }
    const ordered = [
      ...(before.last === undefined ? [] : [before.last]),
      ...(task.parallel ? [] : before.beside),
    ]
    const inPhase = [...task.links, ...ordered].some((link) => phases[link] === phase)
    const more = inPhase ? ordered : [...ordered, ...barrier.ends(place)]
    const all = withoutImplied(task.links, task.stated ? [] : more, follows)
    follows.push(all)
    if (task.parallel) before.beside.push(place)
    else before = { phase, last: place, beside: [] }
    open.add(place, phase, all)
  }
  return follows
}

/** The links, and of the others those that no other one already follows; in plan order. */
function withoutImplied(
  links: readonly number[],
  more: readonly number[],
  follows: readonly (readonly number[])[],
): readonly number[] {
  const all = new Set([...links, ...more])
  const implied = new Set([...all].flatMap((place) => follows[place] ?? []))
  const kept = new Set([...links, ...more.filter((place) => !implied.has(place))])
  return [...kept].sort((a, b) => a - b)
}

/** Phases counted in the order of their headings; a phase is one run of tasks under the same heading. */
function phaseNumbers(tasks: readonly Sequenced[]): readonly number[] {
  let number = 0
  return tasks.map((task, place) => {
    const before = tasks[place - 1]
    if (before !== undefined && before.phase !== task.phase) number++
    return number
  })
}
