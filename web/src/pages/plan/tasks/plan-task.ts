import type { GraphAnswer } from '../../../../../src/protocol/plan-views.ts'

/** A task with as much as a card shows. */
export type PlanTask = GraphAnswer['tasks'][number]
