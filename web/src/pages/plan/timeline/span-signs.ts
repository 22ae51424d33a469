/** How each kind of span looks and what it is called. Shape and word tell them apart; colour is a help. */
import type { TimelineAnswer } from '../../../../../src/protocol/plan-views.ts'

export type SpanKind = TimelineAnswer['rows'][number]['spans'][number]['kind']

export interface SpanSign {
  readonly label: string
  readonly className: string
}

const HATCHED =
  'bg-[repeating-linear-gradient(135deg,currentColor_0_2px,transparent_2px_5px)] border border-current'

const STRIPED =
  'bg-[repeating-linear-gradient(90deg,currentColor_0_2px,transparent_2px_6px)] border border-current'

export const SPAN_SIGNS: Readonly<Record<SpanKind, SpanSign>> = {
  work: { label: 'Worker at work', className: 'h-4 bg-run' },
  gates: { label: 'Gates', className: `h-4 text-run ${HATCHED}` },
  review: { label: 'Review', className: 'h-4 border-2 border-run' },
  person: { label: 'Waits for a person', className: `h-4 text-warn ${STRIPED}` },
  landing: { label: 'Landing', className: 'h-2 bg-ok' },
  waiting: { label: 'Waiting', className: 'h-1 bg-line-strong' },
}

export const SPAN_KINDS = Object.keys(SPAN_SIGNS) as readonly SpanKind[]

/** Kinds in which something moves: the rest may be shortened. */
export const isBusy = (kind: SpanKind): boolean => kind !== 'waiting' && kind !== 'person'
