/** Facts of a worker, as its row and its page show them. */
import type { WorkerRow } from '../../../../src/protocol/answers.ts'
import { cx } from '../../ui/cx.ts'
import { PlainText } from '../../ui/plain-text.tsx'
import { Time } from '../../ui/time.tsx'
import { visibleText } from '../../ui/visible-text.ts'
import { timeLeft } from './sort-workers.ts'

interface Facts {
  readonly worker: WorkerRow
}

/** Two clocks, never one: what Bosun saw itself, and what the worker claims. */
export function Clocks({ worker }: Facts) {
  return (
    <p className="flex flex-wrap gap-x-3 text-muted">
      <span title="What Bosun saw itself: output, processor time, changed files, session events">
        Last activity{' '}
        {typeof worker.observed_at === 'string' ? (
          <Time at={worker.observed_at} className="text-text" />
        ) : (
          <span className="text-text">none since the daemon started</span>
        )}
      </span>
      <span title="What the worker claims; it proves nothing">
        Last check-in{' '}
        {worker.last_checkin === null ? (
          <span className="text-text">none</span>
        ) : (
          <Time at={worker.last_checkin} className="text-text" />
        )}
      </span>
    </p>
  )
}

/** `3 Add the basket`; the id alone where the title is not known. */
export function TaskName({
  task,
  title,
}: {
  readonly task: string
  readonly title: string | null | undefined
}) {
  return (
    <>
      <span className="font-mono text-mono text-muted">{visibleText(task)}</span>
      {typeof title === 'string' && title !== '' && (
        <>
          {' '}
          <PlainText text={title} />
        </>
      )}
    </>
  )
}

/** Its own words about how far it is. */
export function Progress({ worker }: Facts) {
  const percent = worker.progress_pct
  if (percent === null && worker.current_step === null)
    return <p className="text-muted">It has not reported any progress yet.</p>
  return (
    <>
      <p className="flex items-center gap-2">
        <Bar percent={percent ?? 0} label="Claimed progress" />
        <span className="w-10 text-right text-xs tabular-nums text-muted">
          {percent === null ? '' : `${percent} %`}
        </span>
      </p>
      {worker.current_step !== null && (
        <p className="line-clamp-2">
          <PlainText text={worker.current_step} />
        </p>
      )}
      {typeof worker.next_step === 'string' && worker.next_step !== '' && (
        <p className="line-clamp-1 text-muted">
          Next: <PlainText text={worker.next_step} />
        </p>
      )}
    </>
  )
}

export function TimeLeft({ worker, now }: Facts & { readonly now: number }) {
  const left = timeLeft(worker, now)
  if (left === null) return <p className="text-muted">Its time limit has not started.</p>
  return (
    <p className="flex items-center gap-2">
      <Bar
        percent={left.usedPercent}
        label="Used of its time limit"
        tone={left.usedPercent >= 90 ? 'warn' : 'muted'}
      />
      <span className={cx('whitespace-nowrap', left.isOver ? 'text-bad' : 'text-muted')}>{left.text}</span>
    </p>
  )
}

function Bar({
  percent,
  label,
  tone = 'run',
}: {
  readonly percent: number
  readonly label: string
  readonly tone?: 'run' | 'warn' | 'muted'
}) {
  const colour = { run: 'bg-run', warn: 'bg-warn', muted: 'bg-muted' }[tone]
  return (
    <span
      role="progressbar"
      aria-label={label}
      aria-valuenow={Math.round(percent)}
      aria-valuemin={0}
      aria-valuemax={100}
      title={`${label}: ${Math.round(percent)} %`}
      className="inline-block h-1 w-24 shrink-0 overflow-hidden rounded-full bg-line"
    >
      <span
        className={cx('block h-full rounded-full', colour)}
        style={{ width: `${Math.min(100, percent)}%` }}
      />
    </span>
  )
}
