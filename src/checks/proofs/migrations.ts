/** Tries a migration up, down and up again, which reveals leftovers of the down migration. */
import { judgeRun, note, verdict } from '../../core/gates/verdicts.ts'
import type { RunEvidence } from '../../core/event-schemas/evidence.ts'
import type { Verdict } from '../../core/event-schemas/schemas.ts'
import { MIGRATIONS_UNTRIED } from '../../core/gates/untried.ts'
import type { Migrations, Tier } from '../../core/planning/plan.ts'
import type { SiteRuns } from '../runner/site-runs.ts'

/** A person decides on a critical migration without commands to try it; by the release they have. */
export function tryTaskMigrations(
  runs: SiteRuns,
  { migrations, tier }: { readonly migrations: Migrations | null; readonly tier: Tier },
): Promise<Verdict> {
  if (migrations !== null || tier !== 'critical') return tryMigrations(runs, migrations)
  return Promise.resolve(verdict('migrations', 'inconclusive', MIGRATIONS_UNTRIED))
}

/** Stops at the first command that fails. */
export async function tryMigrations(runs: SiteRuns, migrations: Migrations | null): Promise<Verdict> {
  if (migrations === null) return verdict('migrations', 'not_applicable', 'no migration commands configured')
  const { up, down } = migrations
  const broken = await runs.setupFailure('migrations')
  if (broken !== null) return broken
  const steps =
    down === null
      ? [{ name: 'up', command: up }]
      : [
          { name: 'up', command: up },
          { name: 'down', command: down },
          { name: 'up again', command: up },
        ]
  const done: RunEvidence[] = []
  for (const { name, command } of steps) {
    const { evidence } = await runs.site.run(command)
    done.push(evidence)
    const { outcome, summary } = judgeRun(evidence)
    if (outcome !== 'passed') return verdict('migrations', outcome, `${name}: ${summary}`, { runs: done })
  }
  const tried = steps.map(({ name }) => name).join(', ')
  return down === null
    ? verdict('migrations', 'passed', `${tried} succeeded; there is no down migration to try`, {
        runs: done,
        findings: [note('environment.migrations.down is null; no down migration was tried')],
      })
    : verdict('migrations', 'passed', `${tried} succeeded`, { runs: done })
}
