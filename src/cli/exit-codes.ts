import type { RefusalCode } from '../lib/refusal.ts'

/** What the exit code of every command means; scripts depend on these numbers. */
export const EXIT_CODES = {
  ok: 0,
  failed: 1,
  usage: 2,
  not_found: 3,
  conflict: 4,
  needs_person: 10,
  gate_failed: 11,
  no_daemon: 12,
  budget: 13,
  no_agent: 14,
  interrupted: 130,
} as const satisfies Record<RefusalCode | 'ok' | 'interrupted', number>

export type ExitName = keyof typeof EXIT_CODES
