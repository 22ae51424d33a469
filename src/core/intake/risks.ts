/** What a request touches. */
import { classifyTask } from '../planning/tiers/tiers.ts'
import type { RequestText } from './request-text.ts'
import type { Understanding } from './understanding.ts'

/**
 * What in the request touches auth, data, money, secrets or infrastructure, as a plan's task would be judged. What a model
 * says of it can only add to that.
 */
export function risksIn(
  { title, prose, paths, notMigrations }: Pick<RequestText, 'title' | 'prose' | 'paths' | 'notMigrations'>,
  told: Pick<Understanding, 'title' | 'files' | 'touches'> | null,
): readonly string[] {
  const reasons = reasonsIn({ title, description: prose, paths, notMigrations })
  if (told === null) return reasons
  const { create, modify } = told.files
  const named = [...create, ...modify]
  const found = reasonsIn({ title: told.title, description: '', paths: named, notMigrations })
  return [...new Set([...reasons, ...found, ...told.touches.map((topic) => `touches ${topic}`)])]
}

function reasonsIn(text: {
  readonly title: string
  readonly description: string
  readonly paths: readonly string[]
  readonly notMigrations: RequestText['notMigrations']
}): readonly string[] {
  const { tier, reasons } = classifyTask({ ...text, tier: undefined, flags: [], breakingChange: false })
  return tier === 'critical' ? reasons : []
}
