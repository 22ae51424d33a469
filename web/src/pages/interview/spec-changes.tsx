/** What submitting a changed spec does to the plan that was made from it. */
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { PreviewAnswer } from '../../../../src/protocol/interview.ts'
import { counted } from '../../../../src/lib/text/counted.ts'
import { PlainText } from '../../ui/plain-text.tsx'
import { visibleText } from '../../ui/visible-text.ts'

type Changes = NonNullable<PreviewAnswer['changes']>

export function SpecChanges({ changes, repo }: { readonly changes: Changes; readonly repo: string }) {
  const { plan, requirements, tasks } = changes
  const { added, changed, removed, unchanged, fields } = requirements
  const isSame = added.length + changed.length + removed.length + fields.length === 0
  return (
    <section aria-labelledby="changes" className="flex flex-col gap-2 rounded-lg border p-4">
      <h2 id="changes" className="text-sm font-semibold">
        Submitting it changes plan{' '}
        <Link to="/p/$plan" params={{ plan }} search={{ repo }} className="underline underline-offset-2">
          {visibleText(plan)}
        </Link>
      </h2>
      <ul className="flex flex-col divide-y rounded-md border font-mono text-mono">
        {added.map((id) => (
          <Change key={id} sign="+" tone="text-ok" id={id}>
            new
          </Change>
        ))}
        {changed.map((one) => (
          <Change key={one.id} sign="~" tone="text-warn" id={one.id}>
            changed: <PlainText text={one.fields.join(', ')} />
          </Change>
        ))}
        {removed.map((id) => (
          <Change key={id} sign="−" tone="text-bad" id={id}>
            removed
          </Change>
        ))}
        {fields.length > 0 && (
          <Change sign="~" tone="text-warn" id="spec">
            <PlainText text={fields.join(', ')} />
          </Change>
        )}
        {isSame && <li className="px-3 py-1.5 text-muted">nothing: the spec is the same</li>}
        {unchanged.length > 0 && (
          <li className="px-3 py-1.5 text-muted">{counted(unchanged.length, 'requirement')} unchanged</li>
        )}
      </ul>
      {tasks.length > 0 && (
        <p className="text-sm">
          <span className="text-warn">{counted(tasks.length, 'task')} replaced or removed:</span>{' '}
          {tasks.map(({ id, requirements: of }, at) => (
            <span key={id}>
              {at > 0 && ', '}
              <Link
                to="/p/$plan/t/$task"
                params={{ plan, task: id }}
                search={{ repo }}
                className="underline underline-offset-2"
              >
                {visibleText(id)}
              </Link>{' '}
              <span className="text-muted">({visibleText(of.join(', '))})</span>
            </span>
          ))}
        </p>
      )}
    </section>
  )
}

function Change({
  sign,
  tone,
  id,
  children,
}: {
  readonly sign: string
  readonly tone: string
  readonly id: string
  readonly children: ReactNode
}) {
  return (
    <li className="flex gap-3 px-3 py-1.5">
      <span className={tone}>{sign}</span>
      <span className="w-20 shrink-0">{visibleText(id)}</span>
      <span className="text-muted">{children}</span>
    </li>
  )
}
