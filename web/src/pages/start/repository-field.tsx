import { useState } from 'react'
import { folderName } from '../../shell/progress.ts'
import { Field, Input, Select } from '../../ui/field.tsx'
import { visibleText } from '../../ui/visible-text.ts'

const OTHER = ''

/** A repository that Bosun knows, or the path of another. */
export function RepositoryField({
  known,
  value,
  onChange,
}: {
  readonly known: readonly string[]
  readonly value: string
  readonly onChange: (repo: string) => void
}) {
  const [isTyped, setTyped] = useState(false)
  const isOther = isTyped || known.length === 0 || (value !== '' && !known.includes(value))
  return (
    <div className="flex min-w-0 flex-1 flex-wrap gap-3">
      {known.length > 0 && (
        <div className="min-w-52 flex-1">
          <Field label="Repository">
            <Select
              value={isOther ? OTHER : value}
              onChange={(event) => {
                setTyped(event.target.value === OTHER)
                onChange(event.target.value)
              }}
            >
              {known.map((path) => (
                <option key={path} value={path}>
                  {visibleText(folderName(path))} · {visibleText(path)}
                </option>
              ))}
              <option value={OTHER}>Another folder…</option>
            </Select>
          </Field>
        </div>
      )}
      {isOther && (
        <div className="min-w-52 flex-1">
          <Field
            label={known.length > 0 ? 'Path of the folder' : 'Folder of the repository'}
            hint="Its whole path, for example /home/ann/shop"
            {...(value !== '' && !value.startsWith('/')
              ? { error: 'Write the whole path, for example /home/ann/shop' }
              : {})}
          >
            <Input
              value={value}
              onChange={(event) => onChange(event.target.value)}
              spellCheck={false}
              autoComplete="off"
              className="font-mono text-mono"
            />
          </Field>
        </div>
      )}
    </div>
  )
}
