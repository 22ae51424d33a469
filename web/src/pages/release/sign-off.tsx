/** The sign-off: by typing a word, in a person's name, and never twice. */
import { UserCheck } from 'lucide-react'
import { useState } from 'react'
import type { ReleaseAnswer } from '../../../../src/protocol/plan-views.ts'
import { ApiError, theirAnswer } from '../../api/client.ts'
import { usePersonName } from '../../api/person.ts'
import { useChange } from '../../api/queries.ts'
import { useCanAct } from '../../live/live.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog, withoutEnter } from '../../ui/dialog.tsx'
import { counted } from '../../../../src/lib/text/counted.ts'
import { Section } from '../../ui/list.tsx'
import { notifyDone, notifyFailed } from '../../ui/toast.tsx'
import { visibleText } from '../../ui/visible-text.ts'
import { isNotApplicable } from './claims.tsx'
import { NameField } from '../../shell/name-field.tsx'

/** The plan's id, where that is short enough to type. */
const wordToType = (plan: string): string => (plan.length <= 24 ? plan : 'sign off')

export function SignOff({
  release,
  repo,
}: {
  readonly release: ReleaseAnswer
  readonly repo: string | undefined
}) {
  const [isOpen, setOpen] = useState(false)
  /** Who signed while this person was about to. */
  const [first, setFirst] = useState<string | null>(null)
  const name = usePersonName()
  const [isNameMissed, setNameMissed] = useState(false)
  const change = useChange('POST /api/plans/{id}/sign')
  const canAct = useCanAct()
  const overtake = (by: string): void => {
    setOpen(false)
    setFirst(by)
  }
  const sign = (): void =>
    change.mutate(
      {
        params: { id: release.plan },
        body: { by: name.trim(), ...(repo === undefined ? {} : { repo }) },
      },
      {
        onSuccess: ({ by, changed }) => {
          if (!changed) return overtake(by)
          setOpen(false)
          notifyDone(`Signed off as ${by}`)
        },
        onError: (error) => {
          const theirs = error instanceof ApiError ? theirAnswer(error) : null
          if (theirs === null) notifyFailed('Not signed off', error)
          else overtake(theirs.by)
        },
      },
    )
  if (release.state !== 'prepared') {
    // The dialog was open when the signature of another person arrived.
    const by = first ?? (isOpen && !change.isPending ? release.signed_by : null)
    return by === null ? null : (
      <SignedElsewhere
        by={by}
        onDismiss={() => {
          setFirst(null)
          setOpen(false)
        }}
      />
    )
  }
  const unproven = release.proof?.unproven.filter((claim) => !isNotApplicable(claim)).length ?? 0
  return (
    <Section title="Sign-off">
      <p className="text-muted">
        Your signature says that you accept this release as it is
        {unproven === 0 ? '' : `, with ${counted(unproven, 'point')} that nothing proves`}. It merges nothing.
      </p>
      <Button kind="primary" className="self-start" disabled={!canAct} onClick={() => setOpen(true)}>
        Sign off…
      </Button>
      <div onKeyDown={withoutEnter}>
        <ConfirmDialog
          isOpen={isOpen}
          onClose={() => setOpen(false)}
          title={`Sign off ${release.plan}?`}
          description={
            unproven === 0
              ? 'Everything that applies is proven or waived by a person.'
              : `${counted(unproven, 'point is', 'points are')} unproven.`
          }
          typed={wordToType(release.plan)}
          action="Sign off"
          kind="primary"
          isBusy={change.isPending}
          onConfirm={() => (name.trim() === '' ? setNameMissed(true) : sign())}
        >
          <NameField
            hint="It is recorded with the signature."
            error={isNameMissed && name.trim() === '' ? 'A signature needs a name.' : undefined}
          />
        </ConfirmDialog>
      </div>
    </Section>
  )
}

function SignedElsewhere({ by, onDismiss }: { readonly by: string; readonly onDismiss: () => void }) {
  return (
    <section role="status" className="flex items-start gap-3 rounded-md border bg-sub p-4">
      <UserCheck size={16} aria-hidden="true" className="mt-0.5 shrink-0 text-muted" />
      <div className="min-w-0 flex-1">
        <p className="font-medium">{visibleText(by)} signed it off before you.</p>
        <p className="text-sm text-muted">Your signature was not recorded; the release needs only one.</p>
      </div>
      <Button size="sm" onClick={onDismiss}>
        Dismiss
      </Button>
    </section>
  )
}
