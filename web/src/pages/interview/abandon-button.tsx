/** Ends the open interview, after a question. */
import { useState } from 'react'
import { useCanAct } from '../../live/live.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { notifyDone, notifyFailed } from '../../ui/toast.tsx'
import { useInterviewChange } from './use-interview-page.ts'

export function AbandonButton({ repo }: { readonly repo: string }) {
  const [isAsking, setAsking] = useState(false)
  const canAct = useCanAct()
  const abandon = useInterviewChange('POST /api/pm/abandon', repo, () => {
    setAsking(false)
    notifyDone('The interview is abandoned')
  })
  return (
    <>
      {' · '}
      <Button kind="quiet" size="sm" disabled={!canAct} onClick={() => setAsking(true)}>
        Abandon…
      </Button>
      <ConfirmDialog
        title="Abandon this interview?"
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        action="Abandon it"
        isBusy={abandon.isPending}
        onConfirm={() =>
          abandon.mutate({}, { onError: (error) => notifyFailed('Could not abandon it', error) })
        }
      >
        <p>What was said and drafted does not go on. Another interview can start then.</p>
      </ConfirmDialog>
    </>
  )
}
