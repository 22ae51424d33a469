/**
 * Bosun did not start an adopted process and sees nothing of its work, so it only watches the time limit, counted from
 * the adoption.
 */

export interface AdoptedLimit {
  readonly limitMs: number
  /** Percent of the limit at which a warning is due. */
  readonly warnings: readonly number[]
  /** Percent of the limit at which it is ended. */
  readonly terminateAt: number
  readonly mode: 'act' | 'monitor'
}

export interface AdoptedState extends AdoptedLimit {
  /** The highest warning that was given; 0 before the first. */
  readonly warned: number
  /** The end of its time was reported. */
  readonly isOverdue: boolean
}

export type AdoptedStep =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'warn'; readonly percent: number }
  /** Its time is up. In `monitor` mode nothing follows from that. */
  | { readonly kind: 'exceeded' }
  | { readonly kind: 'end' }

export function adoptedStep(state: AdoptedState, ranMs: number): AdoptedStep {
  const used = (ranMs / state.limitMs) * 100
  if (used >= state.terminateAt) {
    if (!state.isOverdue) return { kind: 'exceeded' }
    return { kind: state.mode === 'act' ? 'end' : 'nothing' }
  }
  // Of several that are due at once only the highest matters.
  const due = Math.max(0, ...state.warnings.filter((percent) => percent <= used))
  return due > state.warned ? { kind: 'warn', percent: due } : { kind: 'nothing' }
}

export function adoptedHealth(state: AdoptedState): { readonly health: string; readonly reason: string } {
  const reason = 'adopted; only its time limit is watched'
  if (state.isOverdue) {
    const what = state.mode === 'act' ? 'time is up, stopping it' : 'time is up, left running (monitor mode)'
    return { health: 'timeout_warning', reason: `${reason}; ${what}` }
  }
  if (state.warned === 0) return { health: 'healthy', reason }
  return { health: 'timeout_warning', reason: `${reason}; ${state.warned} % is used` }
}
