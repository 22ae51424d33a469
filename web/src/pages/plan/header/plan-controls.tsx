/** What ends work of a plan, each asked about with what follows from it. Pause and Resume are in the header of every page. */
import { useState } from 'react'
import type { PlanRow } from '../../../../../src/protocol/answers.ts'
import { useChange } from '../../../api/queries.ts'
import type { BodyOf } from '../../../api/client.ts'
import { useCanAct } from '../../../live/live.ts'
import { Button, buttonClass } from '../../../ui/button.tsx'
import { ConfirmDialog } from '../../../ui/dialog.tsx'
import { clearDraft, readDraft } from '../../../ui/draft.ts'
import { Field, TextArea } from '../../../ui/field.tsx'
import { counted } from '../../../../../src/lib/text/counted.ts'
import { notifyDone, notifyFailed } from '../../../ui/toast.tsx'
import { Link } from '@tanstack/react-router'

type Verb = 'pause' | 'cancel'
type SteerBody = BodyOf<'POST /api/plans/{id}/pause'>

const DONE_WORDS: Readonly<Record<Verb, string>> = {
  pause: 'is paused, its workers are stopped',
  cancel: 'is cancelled',
}

export function PlanControls({
  plan,
  workers,
}: {
  readonly plan: PlanRow
  /** How many run for it. */
  readonly workers: number
}) {
  const [asking, setAsking] = useState<'pause' | 'cancel' | null>(null)
  const change = {
    pause: useChange('POST /api/plans/{id}/pause'),
    cancel: useChange('POST /api/plans/{id}/cancel'),
  }
  const canAct = useCanAct()
  const reason = `cancel:${plan.repo}:${plan.id}`
  if (plan.state === 'done') return null
  const act = (verb: Verb, body: SteerBody): void =>
    change[verb].mutate(
      {
        params: { id: plan.id },
        body: { repo: plan.repo, ...body },
      },
      {
        onSuccess: () => {
          setAsking(null)
          if (verb === 'cancel') clearDraft(reason)
          notifyDone(`${plan.id} ${DONE_WORDS[verb]}`)
        },
        onError: (error) => notifyFailed(`Could not ${verb} ${plan.id}`, error),
      },
    )
  const isDamaged = plan.state === 'damaged'
  return (
    <>
      {workers > 0 && plan.state !== 'paused' && (
        <Button kind="quiet" size="sm" onClick={() => setAsking('pause')} disabled={!canAct}>
          Stop workers…
        </Button>
      )}
      <Button kind="quiet" size="sm" onClick={() => setAsking('cancel')} disabled={!canAct}>
        Cancel plan…
      </Button>
      <ConfirmDialog
        isOpen={asking === 'pause'}
        onClose={() => setAsking(null)}
        title="Pause and stop its workers?"
        description={`${counted(workers, 'running worker')} stop${workers === 1 ? 's' : ''} now. What they wrote is saved, and the plan goes on when you resume it. Pause alone lets them finish.`}
        action="Pause and stop workers"
        isBusy={change.pause.isPending}
        onConfirm={() => act('pause', { now: true })}
      />
      <ConfirmDialog
        isOpen={asking === 'cancel'}
        onClose={() => setAsking(null)}
        title="Cancel this plan?"
        description={
          isDamaged
            ? 'Its events cannot be read. It is given up as it is; its branch stays.'
            : 'Its workers are stopped and it cannot be resumed. What is committed stays on its branch.'
        }
        action="Cancel plan"
        isBusy={change.cancel.isPending}
        onConfirm={() =>
          act('cancel', { reason: readDraft(reason), ...(isDamaged ? { damaged: true } : {}) })
        }
      >
        <Field label="Reason (optional)" hint="It is recorded with the plan.">
          <TextArea draft={reason} rows={2} />
        </Field>
      </ConfirmDialog>
    </>
  )
}

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
