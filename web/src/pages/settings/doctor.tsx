/** What is missing on this machine. It takes a few seconds, so it runs when it is asked for. */
import { useState } from 'react'
import type { DoctorPageAnswer } from '../../../../src/protocol/machine-answer.ts'
import { useDoctor } from '../../api/queries.ts'
import { Button } from '../../ui/button.tsx'
import { sentence } from '../../ui/format.ts'
import { Section } from '../../ui/list.tsx'
import { GateMark } from '../../ui/marks.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { ErrorState } from '../../ui/states.tsx'

type Finding = DoctorPageAnswer['findings'][number]

export function Doctor({ repo }: { readonly repo: string | undefined }) {
  const [isAsked, setAsked] = useState(false)
  const doctor = useDoctor(repo, isAsked)
  const run = (): void => {
    if (isAsked) void doctor.refetch()
    else setAsked(true)
  }
  return (
    <Section
      title="Doctor"
      actions={
        <Button onClick={run} isBusy={isAsked && doctor.isFetching}>
          {doctor.data === undefined ? 'Check this machine' : 'Check again'}
        </Button>
      }
    >
      {!isAsked && <p className="text-muted">Checks git, Node, agents, their sign-in and this repository.</p>}
      {isAsked && doctor.isPending && <Skeleton rows={6} className="h-8" />}
      {doctor.isLoadingError && (
        <ErrorState what="the findings" error={doctor.error} onRetry={() => void doctor.refetch()} />
      )}
      {doctor.data !== undefined && <Findings findings={doctor.data.findings} />}
    </Section>
  )
}

const ORDER: readonly Finding['state'][] = ['problem', 'warning', 'ok']
const OUTCOME: Readonly<Record<Finding['state'], string>> = {
  ok: 'passed',
  warning: 'inconclusive',
  problem: 'failed',
}
const NAME: Readonly<Record<string, string>> = { sqlite: 'SQLite', state_root: 'State folder' }
const WORD: Readonly<Record<Finding['state'], string>> = {
  ok: 'Fine',
  warning: 'Warning',
  problem: 'Problem',
}

function Findings({ findings }: { readonly findings: readonly Finding[] }) {
  const sorted = findings.toSorted((a, b) => ORDER.indexOf(a.state) - ORDER.indexOf(b.state))
  return (
    <ul className="divide-y rounded-md border">
      {sorted.map(({ what, state, text, remedy }, place) => (
        <li
          key={place}
          className="grid items-start gap-x-4 gap-y-0.5 px-3 py-1.5 hover:bg-sub sm:grid-cols-[112px_144px_minmax(0,1fr)]"
        >
          <span className="inline-flex items-center gap-2">
            <GateMark outcome={OUTCOME[state]} isIconOnly /> {WORD[state]}
          </span>
          <PlainText text={NAME[what] ?? sentence(what.replaceAll('_', ' '))} className="font-medium" />
          <div className="min-w-0">
            <PlainText text={text} className="text-muted" />
            {remedy !== null && (
              <p>
                <PlainText text={remedy} />
              </p>
            )}
          </div>
        </li>
      ))}
    </ul>
  )
}
