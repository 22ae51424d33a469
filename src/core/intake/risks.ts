/** What a request touches. */
import { classifyTask } from '../planning/tiers/tiers.ts'
import type { RequestText } from './request-text.ts'
import type { Understanding } from './understanding.ts'

/**
 * What in the request touches auth, data, money, secrets or infrastructure, as a plan's task would be judged. What a model
 * says of it can only add to that.
 */
export function risksIn(
  { title, paths, notMigrations }: Pick<RequestText, 'title' | 'paths' | 'notMigrations'>,
  told: Pick<Understanding, 'title' | 'files' | 'touches'> | null,
): readonly string[] {
  const judged =
    told === null ? null : { title: told.title, paths: [...told.files.create, ...told.files.modify] }
  const reasons = [{ title, paths }, ...(judged === null ? [] : [judged])].flatMap((work) => {
    const { tier, reasons: why } = classifyTask({ ...work, notMigrations })
    return tier === 'critical' ? why : []
  })
  return [...new Set([...reasons, ...(told?.touches.map((topic) => `touches ${topic}`) ?? [])])]
}
