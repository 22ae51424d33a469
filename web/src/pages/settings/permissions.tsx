/** Permissions that are remembered for a task or a plan, each with its Revoke. */
import { useState } from 'react'
import type { PermissionsAnswer } from '../../../../src/protocol/task-answer.ts'
import { usePersonName } from '../../api/person.ts'
import { useChange, usePermissions } from '../../api/queries.ts'
import { useCanAct } from '../../live/live.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { Section } from '../../ui/list.tsx'
import { ShowMore, useSteps } from '../../ui/show-more.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Loaded } from '../../ui/states.tsx'
import { Time } from '../../ui/time.tsx'
import { notifyDone, notifyFailed } from '../../ui/toast.tsx'
import { visibleText } from '../../ui/visible-text.ts'

type Permission = PermissionsAnswer['permissions'][number]

export function Permissions() {
  const permissions = usePermissions()
  const { data } = permissions
  return (
    <Section
      title="Remembered permissions"
      {...(data === undefined ? {} : { count: data.permissions.length })}
    >
      <Loaded of={permissions} what="the permissions" skeleton={<Skeleton rows={2} className="h-10" />}>
        {({ permissions: rows }) =>
          rows.length === 0 ? (
            <p className="rounded-md border px-3 py-3 text-muted">
              None. A permission that you decide for a whole task or plan is listed here.
            </p>
          ) : (
            <Rows permissions={rows} />
          )
        }
      </Loaded>
    </Section>
  )
}

/** Rows are drawn by as many: what is below them stays in reach. */
const ROWS = 8

function Rows({ permissions }: { readonly permissions: readonly Permission[] }) {
  const steps = useSteps(permissions.length, ROWS)
  return (
    <>
      <ul className="divide-y rounded-md border">
        {permissions.slice(0, steps.shown).map((permission) => (
          <Row key={`${permission.repo} ${permission.id}`} permission={permission} />
        ))}
      </ul>
      <ShowMore steps={steps} total={permissions.length} what="permissions" />
    </>
  )
}

function Row({ permission }: { readonly permission: Permission }) {
  const [isOpen, setOpen] = useState(false)
  const change = useChange('POST /api/permissions/{id}/revoke')
  const canAct = useCanAct()
  const name = usePersonName()
  const { id, plan, repo, decision, what, task, by, at } = permission
  const revoke = (): void =>
    change.mutate(
      {
        params: { id },
        body: { repo, ...(name.trim() === '' ? {} : { by: name.trim() }) },
      },
      {
        onSuccess: () => {
          setOpen(false)
          notifyDone('Revoked: the next equal request is asked')
        },
        onError: (error) => notifyFailed('Could not revoke it', error),
      },
    )
  return (
    <li className="flex flex-wrap items-start gap-x-4 gap-y-2 px-3 py-2.5">
      <div className="flex min-w-0 flex-1 basis-64 flex-col gap-0.5">
        <PlainText text={what} className="font-mono text-mono" />
        <span className="text-muted">
          <span className="text-text">{decision === 'allow' ? 'Allowed' : 'Denied'}</span> for{' '}
          {task === null ? 'the whole plan' : visibleText(`task ${task} of`)} <PlainText text={plan} /> by{' '}
          <PlainText text={by} />
          {at !== null && (
            <>
              {' · '}
              <Time at={at} />
            </>
          )}
        </span>
      </div>
      <Button disabled={!canAct} onClick={() => setOpen(true)} aria-label={`Revoke ${visibleText(what)}`}>
        Revoke…
      </Button>
      <ConfirmDialog
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        title="Revoke this permission?"
        description="What was decided by it stays as it is. The next equal request is asked in Needs you."
        action="Revoke"
        isBusy={change.isPending}
        onConfirm={revoke}
      />
    </li>
  )
}
