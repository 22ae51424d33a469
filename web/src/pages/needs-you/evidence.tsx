/** All that an item rests on: criteria, gates with their runs, the review, what the worker says. */
import type { InboxEntry } from '../../../../src/protocol/answers.ts'
import type { ReviewAnswer } from '../../../../src/protocol/review-answer.ts'
import { useInboxItem } from '../../api/queries.ts'
import { CopyText } from '../../ui/copy-text.tsx'
import { GateMark } from '../../ui/marks.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { ErrorState } from '../../ui/states.tsx'
import { visibleText } from '../../ui/visible-text.ts'

export function Evidence({ item }: { readonly item: InboxEntry }) {
  const { data, error, refetch } = useInboxItem(item.id, item.repo === '' ? undefined : item.repo)
  if (data === undefined && error !== null)
    return <ErrorState what="the evidence" error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <Skeleton rows={4} className="h-6" />
  const isEmpty =
    data.gates.length === 0 && data.task === null && data.risks.length === 0 && data.overrides.length === 0
  if (isEmpty) return <p className="text-sm text-muted">There is no further evidence.</p>
  const { review = null, claim = null } = data.task ?? {}
  return (
    <div className="flex flex-col gap-4 border-t pt-4">
      <Gates gates={data.gates} />
      {data.task !== null && <Criteria criteria={data.task.criteria} />}
      {review !== null && <Review review={review} />}
      {claim !== null && (
        <Block title="What the worker says (not checked)">
          <PlainText text={claim.explanation} as="block" className="text-muted" />
        </Block>
      )}
      {data.risks.length > 0 && (
        <Block title="Open risks">
          <ul className="flex flex-col gap-1">
            {data.risks.map((risk) => (
              <li key={risk.id}>
                <PlainText
                  text={`${risk.id} (${risk.severity}): ${risk.description}`}
                  className="text-muted"
                />
              </li>
            ))}
          </ul>
        </Block>
      )}
      {data.diff !== null && (
        <p className="flex flex-wrap items-center gap-2 text-sm text-muted">
          The whole diff: <CopyText text={data.diff.command} />
        </p>
      )}
    </div>
  )
}

function Block({ title, children }: { readonly title: string; readonly children: React.ReactNode }) {
  return (
    <section className="flex flex-col gap-1.5">
      <h3 className="text-xs font-medium text-muted">{title}</h3>
      {children}
    </section>
  )
}

function Gates({ gates }: { readonly gates: ReviewAnswer['gates'] }) {
  if (gates.length === 0) return null
  return (
    <Block title="Gates">
      <ul className="divide-y rounded-md border">
        {gates.map((gate) => (
          <li key={gate.gate} className="flex flex-col gap-1 px-3 py-2">
            <div className="grid grid-cols-[120px_140px_1fr] items-start gap-3 max-sm:grid-cols-1 max-sm:gap-0.5">
              <span className="font-medium first-letter:uppercase">{visibleText(gate.title)}</span>
              <GateMark outcome={gate.outcome} />
              <PlainText text={gate.summary} className="text-muted" />
            </div>
            {gate.findings
              .filter(({ blocks }) => blocks)
              .map((finding, at) => (
                <PlainText
                  key={at}
                  text={`${finding.file === null ? '' : `${finding.file}${finding.line === null ? '' : `:${finding.line}`} `}${finding.text}`}
                  className="text-sm text-bad"
                />
              ))}
            {gate.runs
              .filter(({ key_lines }) => gate.outcome !== 'passed' && key_lines.length > 0)
              .map((run, at) => (
                <PlainText
                  key={at}
                  as="mono"
                  text={`$ ${run.command}   (${run.ended})\n${run.key_lines.join('\n')}`}
                />
              ))}
          </li>
        ))}
      </ul>
    </Block>
  )
}

const PROOF = { PASS: 'passed', FAIL: 'failed', UNTESTED: 'inconclusive' } as const

function Criteria({ criteria }: { readonly criteria: NonNullable<ReviewAnswer['task']>['criteria'] }) {
  if (criteria.length === 0) return null
  return (
    <Block title="Acceptance criteria">
      <ul className="flex flex-col gap-1">
        {criteria.map((one, at) => (
          <li key={at} className="flex gap-2">
            <GateMark outcome={PROOF[one.word]} isIconOnly />
            <span className="min-w-0">
              <PlainText text={one.criterion} /> <PlainText text={one.why} className="text-muted" />
            </span>
          </li>
        ))}
      </ul>
    </Block>
  )
}

function Review({ review }: { readonly review: NonNullable<NonNullable<ReviewAnswer['task']>['review']> }) {
  return (
    <Block title={`Review by ${review.by}`}>
      <PlainText text={review.summary} as="block" />
      <ul className="flex flex-col gap-1">
        {review.issues.map((issue, at) => (
          <li key={at}>
            <PlainText
              text={`${issue.severity}: ${issue.description} (${issue.location})`}
              className="text-muted"
            />
          </li>
        ))}
      </ul>
    </Block>
  )
}
