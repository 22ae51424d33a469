import { Link } from '@tanstack/react-router'
import type { PlanRow } from '../../../../../src/protocol/answers.ts'
import { buttonClass } from '../../../ui/button.tsx'

/** To the release of a plan, once there is something on its branch. */
export function ReleaseLink({ row }: { readonly row: PlanRow }) {
  if (row.branch === null) return null
  return (
    <Link
      to="/p/$plan/release"
      params={{ plan: row.id }}
      search={{ repo: row.repo }}
      className={buttonClass(row.state === 'done' ? 'primary' : 'default')}
    >
      Release
    </Link>
  )
}
