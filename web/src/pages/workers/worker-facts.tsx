/** Facts of a worker, as its row and its page show them. */
import type { WorkerRow, WorkerAnswer } from '../../../../src/protocol/answers.ts'
import { cx } from '../../ui/cx.ts'
import { PlainText } from '../../ui/plain-text.tsx'
import { Time } from '../../ui/time.tsx'
import { visibleText } from '../../ui/visible-text.ts'
import { timeLeft } from './sort-workers.ts'
import { Link } from '@tanstack/react-router'
import { Ban, CircleCheck, CircleX, Hourglass, Plug, Square, type LucideIcon } from 'lucide-react'
import { WorkerLink } from '../../shell/links.tsx'
import { TONE, type Tone } from '../../ui/badge.tsx'
import { buttonClass } from '../../ui/button.tsx'

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

/** How a worker ended, and what followed. */
export type End = NonNullable<WorkerAnswer['end']>

const SIGN: Readonly<Record<End['how'], { readonly icon: LucideIcon; readonly tone: Tone }>> = {
  reported: { icon: CircleCheck, tone: 'ok' },
  blocked: { icon: Ban, tone: 'warn' },
  crashed: { icon: CircleX, tone: 'bad' },
  killed: { icon: CircleX, tone: 'bad' },
  limit: { icon: Hourglass, tone: 'warn' },
  stopped: { icon: Square, tone: 'muted' },
  interrupted: { icon: Plug, tone: 'warn' },
  provider: { icon: Hourglass, tone: 'warn' },
}

/** Beside its name: that it ended, and how. */
export function EndMark({ end }: { readonly end: End }) {
  const { icon: Icon, tone } = SIGN[end.how]
  return (
    <span className="inline-flex items-center gap-1.5">
      <Icon size={14} aria-hidden="true" className={cx('shrink-0', TONE[tone])} />
      <span className="text-muted">Ended:</span>
      <PlainText text={end.title} />
    </span>
  )
}

export function EndCard({
  end,
  plan,
  repo,
}: {
  readonly end: End
  readonly plan: string | null
  readonly repo: string | undefined
}) {
  return (
    <section aria-label="How it ended" className="flex flex-col gap-3 rounded-md border p-4">
      <p className="flex flex-wrap items-baseline gap-x-2">
        <PlainText text={sentenceCase(end.title)} className="font-medium" />
        <Time at={end.at} className="text-xs text-muted" />
      </p>
      {end.why !== '' && <PlainText as="block" text={end.why} className="line-clamp-4" />}
      <div className="flex flex-col gap-1">
        <h2 className="text-xs text-muted">What happened next</h2>
        {end.followed.length === 0 ? (
          <p>Nothing yet: Bosun saves its work and decides what comes next.</p>
        ) : (
          <ol className="flex flex-col">
            {end.followed.map((step, place) => (
              <li key={place} className="flex min-h-8 items-baseline gap-x-2 py-1.5">
                <Time at={step.at} className="w-16 shrink-0 text-xs text-muted" />
                <div className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1.5">
                  <PlainText text={sentenceCase(step.text)} className="min-w-0" />
                  {step.worker !== null && <WorkerLink worker={step.worker} repo={repo} />}
                  {step.item !== null && step.is_open && (
                    <Link
                      to="/"
                      search={{
                        item: step.item,
                        ...(plan === null ? {} : { plan }),
                        ...(repo === undefined ? {} : { repo }),
                      }}
                      className={buttonClass('default', 'sm')}
                    >
                      Answer it
                    </Link>
                  )}
                </div>
              </li>
            ))}
          </ol>
        )}
      </div>
    </section>
  )
}

const sentenceCase = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
