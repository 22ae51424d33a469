/** The text of a plan that waits for its person's agreement, to be changed before anything of it starts. */
import { useMutation } from '@tanstack/react-query'
import { useId, useState } from 'react'
import type { InboxEntry } from '../../../../src/protocol/answers.ts'
import { ApiError, read } from '../../api/client.ts'
import { personName } from '../../api/person.ts'
import { useChange } from '../../api/queries.ts'
import { useCanAct } from '../../live/live.ts'
import { Button } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { clearDraft, readDraft, useDraft } from '../../ui/draft.ts'
import { Field, TEXT_CONTROL } from '../../ui/field.tsx'
import { sentence } from '../../ui/format.ts'
import { PlainText } from '../../ui/plain-text.tsx'
import { ErrorState } from '../../ui/states.tsx'
import { notifyDone } from '../../ui/toast.tsx'
import { ProblemList } from '../start/failure.tsx'

/** A text of the plan with its version: as it was read, or changed since. */
interface PlanText {
  readonly text: string
  readonly version: number
}

const PLAN_BOX = cx(TEXT_CONTROL, 'min-h-48 font-mono sm:text-mono')

export function EditPlan({ item: { plan, repo } }: { readonly item: InboxEntry }) {
  const panel = useId()
  const draftName = `plan:${repo}:${plan}`
  const [draft, setDraft] = useDraft(draftName)
  const [isOpen, setOpen] = useState(() => readDraft(draftName) !== '')
  const canAct = useCanAct()
  const reading = useMutation({
    mutationFn: () => read('GET /api/plans/{id}/text', { id: plan }, { repo }),
  })
  const change = useChange('POST /api/plans')
  const mine = planTextOf(draft)
  const shown = mine ?? reading.data
  const close = (): void => {
    clearDraft(draftName)
    change.reset()
    setOpen(false)
  }
  const toggle = (): void => {
    setOpen(!isOpen)
    if (!isOpen) reading.mutate()
  }
  const save = ({ text, version }: PlanText): void => {
    const by = personName().trim()
    const body = { cwd: repo, path: '-', text, plan, expected_version: version, ...(by === '' ? {} : { by }) }
    const onSuccess = (): void => {
      close()
      notifyDone(`${plan} is changed`)
    }
    // The text that the other person saved is shown beside this one.
    const onError = (error: Error): void => {
      if (isEditConflict(error)) reading.mutate()
    }
    change.mutate({ params: {}, body }, { onSuccess, onError })
  }
  return (
    <div className="flex flex-col gap-3">
      <Button
        aria-expanded={isOpen}
        aria-controls={panel}
        onClick={toggle}
        className="min-w-[132px] self-start max-sm:w-full"
      >
        Edit the plan…
      </Button>
      {isOpen && (
        <div id={panel} className="flex flex-col gap-3">
          {reading.isError && mine === null && (
            <ErrorState what="the plan" error={reading.error} onRetry={() => reading.mutate()} />
          )}
          {shown !== undefined && (
            <Field
              label="Text of the plan"
              hint="Your changes are kept in this browser. The plan starts without them until you save them."
            >
              <textarea
                rows={12}
                spellCheck={false}
                value={shown.text}
                onChange={({ target }) =>
                  setDraft(JSON.stringify({ text: target.value, version: shown.version }))
                }
                className={PLAN_BOX}
              />
            </Field>
          )}
          {isEditConflict(change.error) ? (
            <Conflict
              message={change.error?.message ?? ''}
              theirs={reading.data}
              isBusy={change.isPending}
              onMine={({ version }) => mine !== null && save({ text: mine.text, version })}
              onTheirs={close}
            />
          ) : (
            <>
              {change.isError && <Faults error={change.error} />}
              <div className="flex flex-wrap gap-2">
                <Button
                  disabled={mine === null || !canAct}
                  isBusy={change.isPending}
                  onClick={() => mine !== null && save(mine)}
                  className="max-sm:w-full"
                >
                  Save the plan
                </Button>
                <Button kind="quiet" onClick={close} className="max-sm:w-full">
                  Discard my changes
                </Button>
              </div>
            </>
          )}
        </div>
      )}
    </div>
  )
}

/** Another person saved first: nothing is overwritten before this one has seen what is there. */
function Conflict({
  message,
  theirs,
  isBusy,
  onMine,
  onTheirs,
}: {
  readonly message: string
  readonly theirs: PlanText | undefined
  readonly isBusy: boolean
  readonly onMine: (theirs: PlanText) => void
  readonly onTheirs: () => void
}) {
  const canAct = useCanAct()
  return (
    <section role="alert" className="flex flex-col gap-3 rounded-md border border-warn p-4">
      <PlainText as="block" className="font-medium" text={sentence(message)} />
      {theirs !== undefined && (
        <Field label="The text as it is now">
          <textarea rows={12} readOnly spellCheck={false} value={theirs.text} className={PLAN_BOX} />
        </Field>
      )}
      <div className="flex flex-wrap gap-2">
        <Button
          disabled={theirs === undefined || !canAct}
          isBusy={isBusy}
          onClick={() => theirs !== undefined && onMine(theirs)}
          className="max-sm:w-full"
        >
          Save mine instead
        </Button>
        <Button kind="quiet" onClick={onTheirs} className="max-sm:w-full">
          Keep theirs, discard mine
        </Button>
      </div>
    </section>
  )
}

function Faults({ error }: { readonly error: Error }) {
  const problems = error instanceof ApiError ? error.problems : []
  if (problems.length === 0) return <ErrorState what="the plan" verb="save" error={error} />
  return (
    <div role="alert" className="flex flex-col gap-2 rounded-md border border-bad p-4">
      <p className="font-medium">Could not save the plan</p>
      <ProblemList problems={problems} />
    </div>
  )
}

const isEditConflict = (error: Error | null): boolean =>
  error instanceof ApiError && error.code === 'conflict' && error.details !== null

/** Null where nothing was changed. */
const planTextOf = (draft: string): PlanText | null => (draft === '' ? null : (JSON.parse(draft) as PlanText))
