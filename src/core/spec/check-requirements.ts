/** What must hold among requirements: unique ids, known dependencies, no cycle. */
import { closest } from '../../lib/text/closest.ts'
import { findCycles } from '../planning/dependencies/cycles.ts'
import { graphOf } from '../planning/dependencies/order.ts'
import type { Requirement } from './spec.ts'

const MOST_IN_MESSAGE = 12

export function checkRequirements(
  requirements: readonly Requirement[],
  dependsAt: (requirement: Requirement) => number,
  report: (line: number, message: string, remedy: string) => void,
): void {
  const first = new Map<string, Requirement>()
  const free = freeId(requirements)
  for (const requirement of requirements) {
    const { id, line } = requirement
    const known = first.get(id)
    if (known === undefined) first.set(id, requirement)
    else if (id !== '') {
      const message = `the id ${id} is used twice (first in line ${known.line})`
      report(line, message, `give this one the next free id, ${free}`)
    }
  }
  const ids = [...first.keys()].filter((id) => id !== '')
  for (const requirement of requirements) {
    for (const needed of requirement.dependsOn) {
      if (first.has(needed)) continue
      const near = closest(needed, ids)
      const remedy =
        near === null ? `known ids are ${ids.slice(0, MOST_IN_MESSAGE).join(', ')}` : `did you mean ${near}?`
      report(
        dependsAt(requirement),
        `${requirement.id} depends on ${needed}, which is not in this spec`,
        remedy,
      )
    }
  }
  for (const cycle of findCycles(graphOf([...first.values()]))) {
    const places = [...first.values()]
    const names = cycle.flatMap((place) => places[place]?.id ?? [])
    const at = places[cycle[0] ?? 0]
    if (at === undefined) continue
    const shown = names.length > MOST_IN_MESSAGE ? [...names.slice(0, MOST_IN_MESSAGE), '…'] : names
    report(dependsAt(at), `cycle ${[...shown, at.id].join(' → ')}`, 'remove one of these dependencies')
  }
}

function freeId(requirements: readonly Requirement[]): string {
  const highest = Math.max(0, ...requirements.map(({ id }) => Number(/^R-(\d{1,4})$/.exec(id)?.[1] ?? 0)))
  return `R-${String(highest + 1).padStart(3, '0')}`
}
