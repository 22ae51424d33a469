/** The parts of a task that open on demand: reviews, attempts, contract, decisions, record. */
import type { ReactNode } from 'react'
import type { TaskAnswer } from '../../../../src/protocol/task-answer.ts'
import { TaskLink, WorkerLink } from '../../shell/links.tsx'
import { Badge } from '../../ui/badge.tsx'
import { CopyText } from '../../ui/copy-text.tsx'
import { formatDuration } from '../../../../src/lib/text/format-time.ts'
import { counted, gateTitle } from '../../../../src/lib/text/counted.ts'
import { PlainText } from '../../ui/plain-text.tsx'
import { Time } from '../../ui/time.tsx'
import { visibleText } from '../../ui/visible-text.ts'
import { usageText } from '../../ui/format.ts'
import { Fold, Fact, FactLines } from '../../ui/list.tsx'

interface Part {
  readonly task: TaskAnswer
}

export function Reviews({ task }: Part) {
  const { reviews } = task
  const last = reviews.at(-1)
  if (last === undefined)
    return (
      <Fold title="Review" note="none yet">
        {<p className="text-muted">No review yet.</p>}
      </Fold>
    )
  return (
    <Fold title="Review" note={`${last.verdict.replaceAll('_', ' ')} by ${last.by}`} isOpen>
      <ol className="flex flex-col gap-4">
        {reviews.toReversed().map((review) => (
          <li key={review.round} className="flex flex-col gap-2">
            <p className="flex flex-wrap items-center gap-2">
              <Badge>round {review.round}</Badge>
              <span className={review.verdict === 'approved' ? 'text-ok' : 'text-bad'}>
                {review.verdict.replaceAll('_', ' ')}
              </span>
              <span className="text-muted">
                by <PlainText text={review.by} />
              </span>
            </p>
            <PlainText as="block" text={review.summary} />
            <ul className="flex flex-col gap-2">
              {review.issues.map((issue, place) => (
                <li key={place} className="border-l-2 border-line-strong pl-3">
                  <p>
                    <Badge>{visibleText(issue.severity)}</Badge> <PlainText text={issue.description} />
                  </p>
                  <p className="flex flex-wrap items-center gap-x-2 text-xs text-muted">
                    {issue.location !== '' && <CopyText text={issue.location} label="the place" />}
                    {issue.isFound === false && <span className="text-warn">this place was not found</span>}
                    {issue.how_to_fix !== '' && <PlainText text={issue.how_to_fix} />}
                  </p>
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ol>
    </Fold>
  )
}

export function Attempts({ task }: Part) {
  if (task.attempts.length === 0) return null
  return (
    <Fold title="Attempts" note={counted(task.attempts.length, 'launch', 'launches')}>
      <ol className="flex flex-col divide-y">
        {task.attempts.toReversed().map((one) => (
          <li key={one.worker} className="flex flex-col gap-0.5 py-2">
            <p className="flex flex-wrap items-center gap-x-2">
              <WorkerLink worker={one.worker} repo={task.repo} />
              <span>
                {one.role}, attempt {one.attempt}
              </span>
              <span className="ml-auto text-muted">
                <Time at={one.sent} />
                {one.ended !== null &&
                  `, took ${formatDuration(Date.parse(one.ended) - Date.parse(one.sent))}`}
              </span>
            </p>
            <p className="text-muted">
              <PlainText text={[one.why, one.end ?? 'still running'].join('; ')} />
            </p>
            <p className="flex flex-wrap gap-x-3 text-xs text-muted">
              {one.agent !== null && (
                <span>
                  <PlainText
                    text={[one.agent, one.model].filter((text) => typeof text === 'string').join(' · ')}
                  />
                </span>
              )}
              {usageText(one.usage) !== null && <span>{usageText(one.usage)}</span>}
            </p>
          </li>
        ))}
      </ol>
    </Fold>
  )
}

export function Contract({ task }: Part) {
  const { contract } = task
  const files = [
    ...contract.files.create.map((path) => `create ${path}`),
    ...contract.files.modify.map((path) => `modify ${path}`),
    ...contract.files.delete.map((path) => `delete ${path}`),
  ]
  return (
    <Fold title="Contract" note={counted(files.length, 'file')}>
      <div className="flex flex-col gap-3">
        <PlainText as="block" text={contract.description} />
        <Facts>
          <FactLines name="Files" lines={files} className={CODE} />
          {contract.depends_on.length > 0 && (
            <Fact name="Depends on">
              <span className="flex flex-wrap gap-2">
                {contract.depends_on.map((id) => (
                  <TaskLink key={id} plan={task.plan} task={id} repo={task.repo} />
                ))}
              </span>
            </Fact>
          )}
          <FactLines name="Requirements" lines={contract.requirements} />
          <FactLines name="Tests to add" lines={contract.tests_to_add} className={CODE} />
          <FactLines name="Tests to run" lines={contract.tests_to_run} className={CODE} />
          <FactLines name="Gates" lines={contract.gates.map(gateTitle)} />
          {contract.held_out > 0 && (
            <Fact name="Hidden checks">{contract.held_out}, which workers never see</Fact>
          )}
          <FactLines name="Not included" lines={contract.non_goals} />
          <FactLines name="Interfaces" lines={contract.interfaces} className={CODE} />
          <FactLines name="Tier" lines={[task.tier, ...contract.tier_reasons]} />
          <FactLines name="Owner" lines={contract.ownership === '' ? [] : [contract.ownership]} />
          <Fact name="Time limit">{formatDuration(contract.time_budget_ms)}</Fact>
          <FactLines name="Breaking change" lines={contract.breaking_change ? ['yes'] : []} />
          <FactLines name="Security" lines={contract.security_flags} />
          <FactLines name="Inferred" lines={contract.inferred} />
        </Facts>
      </div>
    </Fold>
  )
}

export function Decisions({ task }: Part) {
  const { decisions } = task
  if (decisions.length === 0) return null
  return (
    <Fold title="Decisions" note={counted(decisions.length, 'decision')}>
      <Log lines={decisions.map(({ at, text }) => ({ timestamp: at, text }))} />
    </Fold>
  )
}

export function RecordPart({ task }: Part) {
  const { record } = task
  const used = usageText(task.usage)
  return (
    <>
      <Fold
        title="Record"
        note={record.commit_sha === null ? 'not committed' : record.commit_sha.slice(0, 10)}
      >
        <div className="flex flex-col gap-3">
          <Facts>
            {record.commit_sha !== null && (
              <Fact name="Commit">
                <CopyText text={record.commit_sha} className="-ml-1" />
              </Fact>
            )}
            {record.duration_ms !== null && <Fact name="Duration">{formatDuration(record.duration_ms)}</Fact>}
            <Fact name="Retries">{record.retry_count}</Fact>
            {used !== null && <Fact name="Used">{used}</Fact>}
            <FactLines name="Artifacts" lines={record.artifacts} className={CODE} />
            <FactLines
              name="Known risks"
              lines={record.known_risks.map(
                ({ id, status, description }) => `${id} (${status}): ${description}`,
              )}
            />
          </Facts>
          {record.review_notes !== null && (
            <Facts>
              <Fact name="Claimed">
                <PlainText as="block" text={record.review_notes.summary} />
              </Fact>
              <FactLines name="Risks named" lines={record.review_notes.risks} />
              <Fact name="Rollback">
                <PlainText as="block" text={record.review_notes.rollback} />
              </Fact>
            </Facts>
          )}
        </div>
      </Fold>
      {task.history.length > 0 && (
        <Fold title="History" note={counted(task.history.length, 'line')}>
          <Log lines={task.history} />
        </Fold>
      )}
    </>
  )
}

function Log({
  lines,
}: {
  readonly lines: readonly { readonly timestamp: string; readonly text: string }[]
}) {
  return (
    <ol className="flex flex-col gap-1">
      {lines.toReversed().map(({ timestamp, text }, place) => (
        <li key={place} className="flex gap-3">
          <span className="w-24 shrink-0 text-xs leading-5 text-muted">
            <Time at={timestamp} />
          </span>
          <span className="min-w-0">
            <PlainText text={text} />
          </span>
        </li>
      ))}
    </ol>
  )
}

const CODE = 'font-mono text-mono'

const Facts = ({ children }: { readonly children: ReactNode }) => (
  <dl className="grid grid-cols-[104px_minmax(0,1fr)] gap-x-3 gap-y-1.5">{children}</dl>
)
