import type { Refusal } from '../../lib/refusal.ts'

/** As the command line has it: the place and the remedy of each thing that is wrong. */
export function refusalText({
  message,
  remedy,
  faults,
}: Pick<Refusal, 'message' | 'remedy' | 'faults'>): string {
  const places = faults.map((fault) => `${fault.file}:${fault.line}: ${fault.message}\n  ${fault.remedy}`)
  return [`${message}. ${remedy}`, ...places].join('\n')
}
