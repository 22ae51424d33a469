/** How a worker ended, and what followed. */
import { Link } from '@tanstack/react-router'
import { Ban, CircleCheck, CircleX, Hourglass, Plug, Square, type LucideIcon } from 'lucide-react'
import type { WorkerAnswer } from '../../../../src/protocol/answers.ts'
import { WorkerLink } from '../../shell/links.tsx'
import { TONE, type Tone } from '../../ui/badge.tsx'
import { buttonClass } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { PlainText } from '../../ui/plain-text.tsx'
import { Time } from '../../ui/time.tsx'

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
