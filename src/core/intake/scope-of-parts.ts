/** The scope of work whose parts are counted: the requirements of a spec, the tasks of a plan. */
import type { Scope } from '../choice/choose-agent.ts'

/** More than one developer keeps in mind. */
const MANY = 5

export function scopeOfParts(count: number): Extract<Scope, 'small' | 'medium' | 'large'> {
  if (count > MANY) return 'large'
  return count > 1 ? 'medium' : 'small'
}
