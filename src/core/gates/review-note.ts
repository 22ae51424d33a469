/** Gate 6: what changed, what could go wrong, how to undo it. */
import { isNoMigration, migrationsAmong } from '../languages/migrations.ts'
import type { Evidence } from '../event-schemas/evidence.ts'
import type { ReviewNote, Verdict } from '../event-schemas/schemas.ts'
import type { TaskSpec } from '../planning/plan.ts'
import { tierOfPaths } from '../planning/tiers.ts'
import type { Change } from './change.ts'
import { cut, note, verdict } from './verdicts.ts'
import { counted } from '../../lib/text/counted.ts'

export interface NoteFacts {
  readonly spec: Pick<TaskSpec, 'title' | 'breakingChange' | 'securityFlags'>
  readonly note: ReviewNote | null
  readonly change: Change
}

const MOST_RISKS = 20

/** Missing parts are drafted from the diff, marked as such, and confirmed by review. */
export function reviewNote(facts: NoteFacts): Verdict {
  const drafted = draftNote(facts)
  const written = facts.note
  const isWhole = written !== null && written.summary.trim() !== '' && written.rollback.trim() !== ''
  const kept: NonNullable<Evidence['reviewNote']> = isWhole
    ? { by: 'worker', ...bounded(written) }
    : {
        by: 'rules',
        summary: cut(written?.summary ?? '') || drafted.summary,
        risks: written === null || written.risks.length === 0 ? drafted.risks : bounded(written).risks,
        rollback: cut(written?.rollback ?? '') || drafted.rollback,
      }
  if (isWhole)
    return verdict('review_note', 'passed', 'the note has summary, risks and rollback', { reviewNote: kept })
  const missing =
    written === null ? 'the worker left no review note' : 'the worker left an incomplete review note'
  const findings = [note(`${missing}; drafted from the diff, and review must confirm it`)]
  return verdict('review_note', 'passed', `${missing}; drafted by rules`, { reviewNote: kept, findings })
}

function bounded(written: ReviewNote): ReviewNote {
  return {
    summary: cut(written.summary),
    risks: written.risks.slice(0, MOST_RISKS).map(cut),
    rollback: cut(written.rollback),
  }
}

export function draftNote({ spec, change }: Omit<NoteFacts, 'note'>): ReviewNote {
  const paths = change.files.map(({ path }) => path)
  const shown = paths.slice(0, 5).join(', ')
  const more = paths.length > 5 ? ` and ${paths.length - 5} more` : ''
  const notMigrations = change.files
    .filter(({ path, lines }) => isNoMigration(path, lines?.join('\n') ?? null))
    .map(({ path }) => path)
  const { tier, reasons } = tierOfPaths(paths, notMigrations)
  const hasMigration = migrationsAmong(paths, notMigrations).length > 0
  return {
    summary: cut(
      paths.length === 0
        ? `${spec.title}. Nothing was changed.`
        : `${spec.title}. Changes ${counted(paths.length, 'file')}: ${shown}${more}.`,
    ),
    risks: [
      ...(tier === 'critical' ? reasons : []),
      ...(spec.breakingChange ? ['breaks a public contract'] : []),
      ...spec.securityFlags.map((flag) => `the plan flags ${flag}`),
    ],
    rollback: hasMigration
      ? 'Undo the migration first, then revert the commit.'
      : 'Revert the commit; nothing outside the repository has changed.',
  }
}
