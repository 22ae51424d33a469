/** Why Bosun stopped a worker. */
export const STOP_CAUSES = [
  'time_limit',
  'stalled',
  'disk_limit',
  'budget',
  'looping',
  /** It never gave a sign of life. */
  'zombie',
  /** It reported done but did not exit; its work goes to the gates. */
  'finished',
  /** It reported failure; the next move depends on whether another worker could succeed. */
  'gave_up',
  'cannot_go_on',
  'plan_edited',
  /** By a person; `restarted` runs again at once and costs no attempt. */
  'killed',
  'restarted',
  /** By a person, who works on in its place; costs no attempt. */
  'taken_over',
  'paused',
  'cancelled',
] as const
export type StopCause = (typeof STOP_CAUSES)[number]
