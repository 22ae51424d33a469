/** Questions that are answered in words, as one form. */
import { ArrowUp } from 'lucide-react'
import { useCanAct } from '../../live/live.ts'
import { Button } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { Field, TEXT_CONTROL } from '../../ui/field.tsx'
import type { OpenQuestion } from './open-question.tsx'
import { fieldValue, isField, type ChatQuestion } from './reply.ts'

/** Without words of their own, a field that may stay empty is lower. */
const LOW = 'min-h-9!'

export function FieldsCard({ open }: { readonly open: OpenQuestion }) {
  const fields = open.questions.filter(isField)
  const canAct = useCanAct()
  const send = (): void => {
    if (open.isReady && canAct && !open.isSending) open.onSend()
  }
  return (
    <form
      aria-label="Fields to fill in"
      className="flex flex-col gap-4 rounded-md border p-4"
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) send()
      }}
    >
      {fields.map((question) => (
        <FieldOf key={question.id} question={question} open={open} />
      ))}
      <div className="flex justify-end">
        <Button
          type="submit"
          kind="primary"
          disabled={!open.isReady || !canAct}
          isBusy={open.isSending}
          shortcut="Ctrl ↵"
        >
          <ArrowUp size={14} aria-hidden="true" />
          Send
        </Button>
      </div>
    </form>
  )
}

function FieldOf({ question, open }: { readonly question: ChatQuestion; readonly open: OpenQuestion }) {
  const isNeeded = question.default === null
  return (
    <Field label={isNeeded ? `${question.text} (needed)` : question.text}>
      <textarea
        value={fieldValue(question, open.choices[question.id])}
        onChange={({ target: { value } }) => open.onChoose(question.id, { kind: 'own', text: value })}
        rows={isNeeded ? 3 : 1}
        required={isNeeded}
        className={cx(TEXT_CONTROL, !isNeeded && LOW)}
      />
    </Field>
  )
}
