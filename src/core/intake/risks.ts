/** What a request touches. */
import { classifyTask } from '../planning/tiers/tiers.ts'
import type { RequestText } from './request-text.ts'

/** What in the request touches auth, data, money, secrets or infrastructure, as a plan's task would be judged. */
export function risksIn({
  title,
  prose,
  paths,
  notMigrations,
}: Pick<RequestText, 'title' | 'prose' | 'paths' | 'notMigrations'>): readonly string[] {
  const { tier, reasons } = classifyTask({
    title,
    description: prose,
    paths,
    notMigrations,
    tier: undefined,
    flags: [],
    breakingChange: false,
  })
  return tier === 'critical' ? reasons : []
}
