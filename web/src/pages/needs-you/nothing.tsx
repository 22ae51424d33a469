/** Nothing needs the person: what goes on without them, or how to begin. */
import { Link, useNavigate } from '@tanstack/react-router'
import { CircleCheck } from 'lucide-react'
import type { SnapshotAnswer } from '../../../../src/protocol/snapshot.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { CopyText } from '../../ui/copy-text.tsx'
import { useDraft } from '../../ui/draft.ts'
import { TextArea } from '../../ui/field.tsx'
import { counted } from '../../../../src/lib/text/counted.ts'
import { StartLink } from '../../shell/links.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { TEXT_DRAFT } from '../start/use-start-draft.ts'

export function Nothing({ snapshot }: { readonly snapshot: SnapshotAnswer }) {
  if (snapshot.plans.length === 0) return <FirstSteps />
  const busy = snapshot.workers.length
  const open = snapshot.plans.filter(({ state }) => state !== 'done')
  const [plan] = open
  return (
    <EmptyState
      icon={<CircleCheck size={24} aria-hidden="true" />}
      title={`Nothing needs you. ${busy === 0 ? idleWords(open) : `${counted(busy, 'worker')} busy.`}`}
      action={
        plan === undefined ? (
          <StartLink />
        ) : (
          <Link
            to="/p/$plan"
            params={{ plan: plan.id }}
            search={{ repo: plan.repo }}
            className={buttonClass()}
          >
            Open the plan
          </Link>
        )
      }
    >
      {open.length === 0 ? 'Every plan is done.' : 'Bosun asks here when it needs a decision.'}
    </EmptyState>
  )
}

/** Without workers, gates may run and work may land. */
const idleWords = (open: SnapshotAnswer['plans']): string =>
  open.some(({ state, counts }) => state === 'running' && (counts['in_progress'] ?? 0) > 0)
    ? 'Finished work is being checked.'
    : 'No workers are running.'

function FirstSteps() {
  const [text] = useDraft(TEXT_DRAFT)
  const navigate = useNavigate()
  return (
    <div className="mx-auto flex w-full max-w-xl flex-col gap-4 py-12">
      <h2 className="text-center text-lg font-semibold">What should be built?</h2>
      <TextArea
        draft={TEXT_DRAFT}
        rows={4}
        aria-label="What should be built?"
        placeholder="A sentence, an issue, a spec, a plan: anything goes."
      />
      <Button
        kind="primary"
        className="self-end max-sm:w-full"
        disabled={text.trim() === ''}
        onClick={() => void navigate({ to: '/start' })}
      >
        Start
      </Button>
      <dl className="grid grid-cols-[max-content_1fr] items-center gap-x-4 gap-y-1 border-t pt-4 text-sm">
        <dt className="text-muted">Open a plan</dt>
        <dd>
          <CopyText text="bosun run PLAN.md" />
        </dd>
        <dt className="text-muted">Try the demo</dt>
        <dd>
          <CopyText text="bosun demo --open" />
        </dd>
      </dl>
    </div>
  )
}
