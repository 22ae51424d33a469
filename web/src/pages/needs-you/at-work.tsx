/** Who works on what, the worst health first: enough to know whether anything goes on. */
import { Link, useNavigate } from '@tanstack/react-router'
import type { SnapshotAnswer } from '../../../../src/protocol/machine-answer.ts'
import { TaskLink, StartLink } from '../../shell/links.tsx'
import { sentence } from '../../ui/format.ts'
import { List, Row, Section } from '../../ui/list.tsx'
import { HealthMark } from '../../ui/marks.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { healthRank, isHealthy } from '../../ui/signs.ts'
import { visibleText } from '../../ui/visible-text.ts'
import { CircleCheck } from 'lucide-react'
import { Button, buttonClass } from '../../ui/button.tsx'
import { CopyText } from '../../ui/copy-text.tsx'
import { useDraft } from '../../ui/draft.ts'
import { TextArea } from '../../ui/field.tsx'
import { counted } from '../../../../src/lib/text/counted.ts'
import { EmptyState } from '../../ui/states.tsx'
import { TEXT_DRAFT } from '../start/use-start-draft.ts'

const MOST = 6

export function AtWork({ workers }: { readonly workers: SnapshotAnswer['workers'] }) {
  const worst = workers.toSorted((a, b) => healthRank(a.health) - healthRank(b.health)).slice(0, MOST)
  return (
    <Section
      title="At work"
      count={workers.length}
      actions={
        <Link to="/workers" className="text-xs text-muted hover:text-text">
          All workers
        </Link>
      }
    >
      {worst.length === 0 ? (
        <p className="text-sm text-muted">No workers are running.</p>
      ) : (
        <List>
          {worst.map((worker) => (
            <Row key={worker.id} className="items-start">
              <div className="flex min-w-0 flex-1 flex-col">
                <div className="flex items-center gap-2">
                  <HealthMark health={worker.health} />
                  {worker.plan !== null && worker.task !== null && (
                    <TaskLink
                      plan={worker.plan}
                      task={worker.task}
                      repo={worker.repo}
                      className="ml-auto text-xs text-muted hover:text-text"
                    >
                      Task {visibleText(worker.task)}
                    </TaskLink>
                  )}
                </div>
                {typeof worker.task_title === 'string' && (
                  <PlainText text={worker.task_title} className="truncate text-sm" />
                )}
                <PlainText
                  text={sentence(
                    isHealthy(worker.health) ? (worker.current_step ?? worker.reason) : worker.reason,
                  )}
                  className="line-clamp-2 text-xs text-muted"
                />
              </div>
            </Row>
          ))}
        </List>
      )}
    </Section>
  )
}

/** Nothing needs the person: what goes on without them, or how to begin. */
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
