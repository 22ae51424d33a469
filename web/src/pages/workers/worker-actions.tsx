/** What a person can do about a worker. Each shows the daemon's answer, never a guess. */
import { useState } from 'react'
import type { WorkerRow } from '../../../../src/protocol/answers.ts'
import { usePersonName } from '../../api/person.ts'
import { useChange } from '../../api/queries.ts'
import type { BodyOf } from '../../api/client.ts'
import { useCanAct } from '../../live/live.ts'
import { Button } from '../../ui/button.tsx'
import { CopyText } from '../../ui/copy-text.tsx'
import { ConfirmDialog, Dialog } from '../../ui/dialog.tsx'
import { clearDraft, useDraft } from '../../ui/draft.ts'
import { Field, Input, Select, TextArea } from '../../ui/field.tsx'
import { notifyDone, notifyFailed } from '../../ui/toast.tsx'
import { NameField } from '../../shell/name-field.tsx'

type Action = 'instruct' | 'extend' | 'open' | 'kill'

export function WorkerActions({
  worker,
  isTakenOver,
}: {
  readonly worker: WorkerRow
  readonly isTakenOver: boolean
}) {
  const [shown, setShown] = useState<Action | null>(null)
  const name = usePersonName()
  const canAct = useCanAct()
  const change = {
    nudge: useChange('POST /api/workers/{id}/nudge'),
    extend: useChange('POST /api/workers/{id}/extend'),
    instruct: useChange('POST /api/workers/{id}/instruct'),
    kill: useChange('POST /api/workers/{id}/kill'),
  }
  const close = (): void => setShown(null)
  const params = { id: worker.id }
  const signed = {
    ...(name.trim() === '' ? {} : { by: name.trim() }),
    ...(worker.repo === null ? {} : { repo: worker.repo }),
  }
  const outcome = (what: string, done: string, after: () => void = () => undefined) => ({
    onSuccess: (answer: { readonly id: string; readonly text?: string; readonly note?: string | null }) => {
      close()
      after()
      notifyDone(answer.text ?? (typeof answer.note === 'string' ? `${done}; ${answer.note}` : done))
    },
    onError: (error: Error) => notifyFailed(`Could not ${what} ${worker.id}`, error),
  })
  // A process that Bosun did not start reads no messages.
  const isOurs = worker.plan !== null
  const common = { worker, onClose: close }
  return (
    <>
      {isOurs && (
        <>
          <Button
            disabled={!canAct || isTakenOver}
            isBusy={change.nudge.isPending}
            onClick={() =>
              change.nudge.mutate({ params, body: signed }, outcome('nudge', `Nudged ${worker.id}`))
            }
          >
            Nudge
          </Button>
          <Button disabled={!canAct} onClick={() => setShown('instruct')}>
            Instruct…
          </Button>
          <Button disabled={!canAct} onClick={() => setShown('extend')}>
            Extend…
          </Button>
          <Button onClick={() => setShown('open')}>Take over…</Button>
        </>
      )}
      <Button kind="danger" disabled={!canAct} onClick={() => setShown('kill')}>
        Kill…
      </Button>
      {shown === 'instruct' && (
        <InstructDialog
          {...common}
          isBusy={change.instruct.isPending}
          onSend={(body, after) =>
            change.instruct.mutate(
              { params, body: { ...body, ...signed } },
              outcome('instruct', `Message queued for ${worker.id}`, after),
            )
          }
        />
      )}
      {shown === 'extend' && (
        <ExtendDialog
          {...common}
          isBusy={change.extend.isPending}
          onSend={(minutes) =>
            change.extend.mutate(
              { params, body: { minutes, ...signed } },
              outcome('extend', `Gave ${worker.id} ${minutes} more minutes`),
            )
          }
        />
      )}
      {shown === 'open' && <OpenDialog worker={worker} onClose={close} />}
      {shown === 'kill' && (
        <KillDialog
          {...common}
          isBusy={change.kill.isPending}
          onSend={(reason, after) =>
            change.kill.mutate(
              { params, body: { reason, ...signed } },
              outcome('kill', `${worker.id} is being ended`, after),
            )
          }
        />
      )}
    </>
  )
}

interface Common {
  readonly worker: WorkerRow
  readonly isBusy: boolean
  readonly onClose: () => void
}

type Instruction = Pick<BodyOf<'POST /api/workers/{id}/instruct'>, 'text' | 'type' | 'files' | 'criteria'>

const TYPES = [
  ['', 'A message'],
  ['continue', 'Go on'],
  ['pause', 'Pause'],
  ['revise', 'Do it another way'],
  ['abort', 'Stop and report'],
  ['expand_scope', 'Widen the scope'],
  ['reduce_scope', 'Narrow the scope'],
] as const

function InstructDialog({
  worker,
  isBusy,
  onClose,
  onSend,
}: Common & { readonly onSend: (body: Instruction, after: () => void) => void }) {
  const draft = `instruct:${worker.repo ?? ''}:${worker.id}`
  const [text] = useDraft(draft)
  const [type, setType] = useState<(typeof TYPES)[number][0]>('')
  const [files, setFiles] = useState('')
  const [criterion, setCriterion] = useState('')
  const isOfScope = type === 'expand_scope' || type === 'reduce_scope'
  const named = files.split(',').map((path) => path.trim())
  const change = {
    files: named.filter((path) => path !== ''),
    criteria: [criterion.trim()].filter((one) => one !== ''),
  }
  const hasChange = change.files.length + change.criteria.length > 0
  const isReady = isOfScope ? hasChange : text.trim() !== '' || type !== ''
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={`Instruct ${worker.id}`}
      description="Pause, another way and stop interrupt an agent that has a session; the others wait until its turn ends. Without a session it gets the message with its next check-in."
      action="Send"
      kind="primary"
      isBusy={isBusy}
      onConfirm={() =>
        isReady &&
        onSend({ text: text.trim(), ...(type === '' ? {} : { type }), ...(isOfScope ? change : {}) }, () =>
          clearDraft(draft),
        )
      }
    >
      <Field label="Kind">
        <Select
          value={type}
          onChange={(event) => setType(TYPES.find(([key]) => key === event.target.value)?.[0] ?? '')}
        >
          {TYPES.map(([key, label]) => (
            <option key={key} value={key}>
              {label}
            </option>
          ))}
        </Select>
      </Field>
      {isOfScope && (
        <>
          <Field
            label="Files of its contract (separated by commas)"
            error={hasChange ? undefined : 'Name files or a criterion: the gates go by the contract.'}
          >
            <Input value={files} onChange={(event) => setFiles(event.target.value)} />
          </Field>
          <Field label="Acceptance criterion">
            <Input value={criterion} onChange={(event) => setCriterion(event.target.value)} />
          </Field>
        </>
      )}
      <Field label="Message">
        <TextArea draft={draft} maxLength={4000} />
      </Field>
      <NameField hint="Recorded with it." />
    </ConfirmDialog>
  )
}

function ExtendDialog({
  worker,
  isBusy,
  onClose,
  onSend,
}: Common & { readonly onSend: (minutes: number) => void }) {
  const [text, setText] = useState('30')
  const minutes = Number(text)
  const isReady = Number.isInteger(minutes) && minutes >= 1 && minutes <= 24 * 60
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={`Give ${worker.id} more time`}
      action={isReady ? `Extend by ${minutes}m` : 'Extend'}
      kind="primary"
      isBusy={isBusy}
      onConfirm={() => isReady && onSend(minutes)}
    >
      <Field label="Minutes" error={isReady ? undefined : 'A whole number from 1 to 1440.'}>
        <Input inputMode="numeric" value={text} onChange={(event) => setText(event.target.value)} />
      </Field>
      <NameField hint="Recorded with it." />
    </ConfirmDialog>
  )
}

/** A session needs a terminal, so the page shows the command and does nothing itself. */
function OpenDialog({ worker, onClose }: Pick<Common, 'worker' | 'onClose'>) {
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={`Take over from ${worker.id}`}
      description="Run this in a terminal. Bosun stops the worker, keeps its work and opens its session for you; then you hand the work back to the gates or to the agent."
    >
      <CopyText text={`bosun worker open ${worker.id}`} className="self-start border px-2 py-1 text-text" />
    </Dialog>
  )
}

function KillDialog({
  worker,
  isBusy,
  onClose,
  onSend,
}: Common & { readonly onSend: (reason: string, after: () => void) => void }) {
  const draft = `kill:${worker.repo ?? ''}:${worker.id}`
  const [reason] = useDraft(draft)
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={`Kill ${worker.id}?`}
      description="Its process ends now. What it wrote is saved, and the rules decide the next step of its task."
      action={`Kill ${worker.id}`}
      isBusy={isBusy}
      onConfirm={() => onSend(reason.trim(), () => clearDraft(draft))}
    >
      <Field label="Reason (optional)">
        <TextArea draft={draft} />
      </Field>
      <NameField hint="Recorded with it." />
    </ConfirmDialog>
  )
}
