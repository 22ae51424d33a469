/** A release: what is unproven, then what is proven and what was waived; the sign-off last. Bosun never merges. */
import { useParams } from '@tanstack/react-router'
import { ArrowDown } from 'lucide-react'
import type { ReleaseAnswer } from '../../../../src/protocol/plan-views.ts'
import { usePlanForecast, usePlanRelease, useSnapshot } from '../../api/queries.ts'
import { PlanLink, MissingPlan } from '../../shell/links.tsx'
import { SectionBoundary } from '../../shell/page-states.tsx'
import { Page } from '../../shell/page.tsx'
import { useRepo } from '../../shell/use-search.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { CopyText } from '../../ui/copy-text.tsx'
import { counted, shellArgument } from '../../../../src/lib/text/counted.ts'
import { forecastText } from '../../../../src/lib/text/format-forecast.ts'
import { Section, Fold } from '../../ui/list.tsx'
import { GateMark } from '../../ui/marks.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Loaded } from '../../ui/states.tsx'
import { visibleText } from '../../ui/visible-text.ts'
import { isNotApplicable, ProvenList, UnprovenList, WaivedList } from './claims.tsx'
import { SignOff } from './sign-off.tsx'
import { TraceTable } from './trace-table.tsx'

const STATE: Readonly<Record<ReleaseAnswer['state'], string>> = {
  open: 'Not released yet: work is still going on.',
  failed: 'The release gate failed.',
  passed: 'The release gate passed; the manifest is being written.',
  prepared: 'Released on its branch. It waits for your signature.',
  signed: 'Signed off. Merge it when you are ready.',
}

export function ReleasePage() {
  const { plan = '' }: { readonly plan?: string } = useParams({ strict: false })
  const repo = useRepo()
  const release = usePlanRelease(plan, repo)
  if (release.data !== undefined) return <Release release={release.data} repo={repo} />
  return (
    <Page title={`Release of ${plan}`}>
      <Loaded
        of={release}
        what="the release"
        missing={<MissingPlan plan={plan} />}
        skeleton={<Skeleton rows={8} />}
      >
        {() => null}
      </Loaded>
    </Page>
  )
}

function Release({ release, repo }: { readonly release: ReleaseAnswer; readonly repo: string | undefined }) {
  const { proof, state } = release
  const { data: snapshot } = useSnapshot()
  const row = snapshot?.plans.find(
    (plan) => plan.id === release.plan && (repo === undefined || plan.repo === repo),
  )
  const title = `Release of ${visibleText(row?.title ?? release.plan)}`
  return (
    <Page
      title={title}
      actions={state === 'prepared' && <ToSignOff />}
      heading={
        <span className="flex flex-col gap-1">
          <span className="text-xs font-normal text-muted">
            <PlanLink plan={release.plan} repo={repo} /> / release
          </span>
          {title}
        </span>
      }
    >
      <div className="-mt-2 flex flex-wrap items-center gap-x-4 gap-y-1" data-testid="release-state">
        <span className="text-lg">{STATE[state]}</span>
        {release.signed_by !== null && (
          <span className="text-muted">
            by <PlainText text={release.signed_by} />
          </span>
        )}
        {release.branch !== null && <CopyText text={release.branch} label="the branch" />}
        {release.sha !== null && (
          <CopyText text={release.sha} shown={release.sha.slice(0, 10)} label="the commit" />
        )}
        <Badge>{counted(release.commits.length, 'commit')}</Badge>
      </div>
      <InShort proof={proof} />
      {release.summary !== null && (
        <Section title="Summary">
          <PlainText as="mono" text={release.summary} className="overflow-x-auto rounded-md border p-3" />
        </Section>
      )}
      <SectionBoundary what="the proof">
        <UnprovenList claims={proof.unproven} plan={release.plan} repo={repo} />
        <WaivedList waivers={proof.waived} plan={release.plan} repo={repo} />
        <ProvenList claims={proof.proven} plan={release.plan} repo={repo} />
      </SectionBoundary>
      <SectionBoundary what="the requirements">
        <TraceTable plan={release.plan} repo={repo} />
      </SectionBoundary>
      <div>
        <Fold title="Breaking changes" note={countNote(proof.breaking_changes)}>
          <Lines lines={proof.breaking_changes} />
        </Fold>
        <Fold title="Migration" note={countNote(proof.migration_steps)}>
          <Lines lines={proof.migration_steps} />
        </Fold>
        <Fold title="Rollback">
          <PlainText as="mono" text={proof.rollback_plan} />
        </Fold>
        {release.text !== null && (
          <Fold title="Manifest" note={release.manifest ?? ''}>
            <PlainText as="mono" text={release.text} className="max-h-[60vh] overflow-y-auto" />
          </Fold>
        )}
      </div>
      <MergeCommands release={release} repo={repo} />
      <div id="sign-off">
        <SignOff release={release} repo={repo} />
      </div>
    </Page>
  )
}

/** The sign-off stands at the end, below all that it is about. */
function ToSignOff() {
  return (
    <Button
      onClick={() => {
        const section = document.querySelector('#sign-off')
        section?.scrollIntoView({ block: 'end' })
        section?.querySelector('button')?.focus({ preventScroll: true })
      }}
    >
      Go to the sign-off
      <ArrowDown size={14} aria-hidden="true" />
    </Button>
  )
}

/** The whole of it in a line, as long as the lists below are. */
function InShort({ proof }: { readonly proof: NonNullable<ReleaseAnswer['proof']> }) {
  const idle = proof.unproven.filter(isNotApplicable).length
  const unproven = proof.unproven.length - idle
  const parts = [
    { text: `${unproven} unproven`, outcome: unproven === 0 ? 'not_applicable' : 'inconclusive' },
    { text: `${proof.waived.length} waived`, outcome: 'not_applicable' },
    { text: `${proof.proven.length} proven`, outcome: 'passed' },
    { text: `${counted(idle, 'does', 'do')} not apply`, outcome: 'not_applicable' },
  ].filter(({ text }) => !text.startsWith('0 ') || text === '0 unproven')
  return (
    <ul aria-label="In short" className="-mt-2 flex flex-wrap gap-x-5 gap-y-1">
      {parts.map(({ text, outcome }) => (
        <li key={text} className="inline-flex items-center gap-1.5">
          <span aria-hidden="true" className="inline-flex">
            <GateMark outcome={outcome} isIconOnly />
          </span>
          {text}
        </li>
      ))}
    </ul>
  )
}

const countNote = (lines: readonly string[]): string => (lines.length === 0 ? 'none' : String(lines.length))

function Lines({ lines }: { readonly lines: readonly string[] }) {
  if (lines.length === 0) return <p className="text-muted">None.</p>
  return (
    <ul className="list-disc pl-4">
      {lines.map((line, place) => (
        <li key={place}>
          <PlainText text={line} />
        </li>
      ))}
    </ul>
  )
}

/** How many conflicts are named. */
const FILES = 5

function MergeCommands({
  release,
  repo,
}: {
  readonly release: ReleaseAnswer
  readonly repo: string | undefined
}) {
  const forecast = usePlanForecast(release.plan, repo)
  if (release.branch === null || (release.state !== 'prepared' && release.state !== 'signed')) return null
  const found = forecast.data?.forecast ?? null
  const base = found?.branch ?? 'main'
  const merge = `git switch ${shellArgument(base)} && git merge --no-ff ${shellArgument(release.branch)}`
  const request = `git push -u origin ${shellArgument(release.branch)} && gh pr create --base ${shellArgument(base)} --head ${shellArgument(release.branch)} --fill`
  return (
    <Section title="To merge it yourself">
      <p className="text-muted">
        {forecast.isPending && 'Looking at the base branch…'}
        {forecast.isError && 'Could not check whether it would merge.'}
        {forecast.data !== undefined &&
          (found === null
            ? 'Could not check whether it would merge.'
            : (forecastText(found, FILES) ?? `${base} has not moved since the plan began`))}
      </p>
      <dl className="flex flex-col divide-y rounded-md border">
        <Command name="Merge here" text={merge} />
        <Command name="Open a pull request" text={request} />
      </dl>
    </Section>
  )
}

function Command({ name, text }: { readonly name: string; readonly text: string }) {
  return (
    <div className="flex flex-wrap items-center gap-x-3 px-3 py-2">
      <dt className="w-36 shrink-0 text-muted">{name}</dt>
      <dd className="min-w-0 flex-1">
        <CopyText text={text} label="the command" className="text-text" />
      </dd>
    </div>
  )
}
