import { setPersonName, usePersonName } from '../api/person.ts'
import { Field, Input } from '../ui/field.tsx'

/** The name under which the person of this browser decides: the same wherever it is asked for. */
export function NameField({
  label = 'Your name',
  hint,
  error,
}: {
  readonly label?: string
  readonly hint?: string
  readonly error?: string | undefined
}) {
  const name = usePersonName()
  return (
    <Field label={label} hint={hint} error={error}>
      <Input
        value={name}
        onChange={(event) => setPersonName(event.target.value)}
        autoComplete="name"
        maxLength={200}
      />
    </Field>
  )
}
