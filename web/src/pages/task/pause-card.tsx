/** Pauses the plan of a task, in a person's name and with a reason. */
import { useState } from 'react'
import { setPersonName, usePersonName } from '../../api/person.ts'
import { useChange, useSnapshot } from '../../api/queries.ts'
import { useCanAct } from '../../live/live.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { clearDraft, useDraft } from '../../ui/draft.ts'
import { Field, Input, TextArea } from '../../ui/field.tsx'
import { notifyDone, notifyFailed } from '../../ui/toast.tsx'

export function PauseCard({ plan, repo }: { readonly plan: string; readonly repo: string }) {
  const [isOpen, setOpen] = useState(false)
  const name = usePersonName()
  const draft = `pause:${repo}:${plan}`
  const [reason] = useDraft(draft)
  const change = useChange('POST /api/plans/{id}/pause')
  const canAct = useCanAct()
  const { data } = useSnapshot()
  const state = data?.plans.find((one) => one.id === plan && one.repo === repo)?.state
  const pause = (): void =>
    change.mutate(
      {
        params: { id: plan },
        body: { by: name.trim(), reason: reason.trim(), repo },
      },
      {
        onSuccess: ({ changed }) => {
          clearDraft(draft)
          setOpen(false)
          notifyDone(changed ? `${plan} is paused; running workers finish` : `${plan} was paused already`)
        },
        onError: (error) => notifyFailed('Could not pause the plan', error),
      },
    )
  // There is nothing to pause; the header has Resume.
  if (state === 'paused' || state === 'done' || state === 'damaged') return null
  return (
    <div>
      <Button kind="quiet" className="-ml-2" disabled={!canAct} onClick={() => setOpen(true)}>
        Pause the plan…
      </Button>
      <ConfirmDialog
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        title={`Pause ${plan}?`}
        description="No new work starts. Running workers finish what they are doing; Resume goes on."
        action="Pause"
        kind="primary"
        isBusy={change.isPending}
        onConfirm={() => name.trim() !== '' && pause()}
      >
        <Field label="Reason">
          <TextArea draft={draft} />
        </Field>
        <Field label="Your name" error={name.trim() === '' ? 'Recorded with the pause.' : undefined}>
          <Input value={name} onChange={(event) => setPersonName(event.target.value)} autoComplete="name" />
        </Field>
      </ConfirmDialog>
    </div>
  )
}
