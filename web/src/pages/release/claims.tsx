/** The claims of a release: unproven first, then waived, then proven. */
import type { ReleaseProof } from '../../../../src/protocol/plan-views.ts'
import { TaskLink } from '../../shell/links.tsx'
import { CopyText } from '../../ui/copy-text.tsx'
import { counted, gateTitle } from '../../../../src/lib/text/counted.ts'
import { sentence } from '../../ui/format.ts'
import { Section } from '../../ui/list.tsx'
import { GateMark } from '../../ui/marks.tsx'
import { ShowMore, useSteps } from '../../ui/show-more.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { Time } from '../../ui/time.tsx'

type Claim = ReleaseProof['unproven'][number]

interface Place {
  readonly plan: string
  readonly repo: string | undefined
}

/** Rows are drawn by as many. */
const ROWS = 20

export function UnprovenList({ claims, ...place }: Place & { readonly claims: readonly Claim[] }) {
  const [idle, open] = partition(claims, isNotApplicable)
  return (
    <Section title="Unproven" count={open.length}>
      {open.length === 0 ? (
        <p className="rounded-md border px-3 py-2 text-muted">
          Nothing: every claim that applies has a proof or a waiver.
        </p>
      ) : (
        <div className="rounded-md border">
          <Claims claims={open} {...place} isProven={false} />
        </div>
      )}
      {idle.length > 0 && (
        <details className="rounded-md border">
          <summary className="px-3 py-2 text-muted hover:bg-sub">
            {counted(idle.length, 'check does', 'checks do')} not apply: <PlainText text={namesOf(idle)} />
          </summary>
          <div className="border-t">
            <Claims claims={idle} {...place} isProven={false} />
          </div>
        </details>
      )}
    </Section>
  )
}

export function ProvenList({ claims, ...place }: Place & { readonly claims: readonly Claim[] }) {
  return (
    <Section title="Proven" count={claims.length}>
      {claims.length === 0 ? (
        <p className="rounded-md border px-3 py-2 text-muted">Nothing yet.</p>
      ) : (
        <div className="rounded-md border">
          <Claims claims={claims} {...place} isProven />
        </div>
      )}
    </Section>
  )
}

/** There was nothing to check, such as types where there is no type checker. */
export const isNotApplicable = ({ why }: Pick<Claim, 'why'>): boolean => why.startsWith('did not apply')

const partition = (
  claims: readonly Claim[],
  isFirst: (claim: Claim) => boolean,
): readonly [readonly Claim[], readonly Claim[]] => [
  claims.filter(isFirst),
  claims.filter((claim) => !isFirst(claim)),
]

const nameOf = ({ kind, what }: Claim): string =>
  kind === 'gate' || kind === 'tests' ? gateTitle(what) : what

const NAMED = 5

/** The first of their names, each once. */
function namesOf(claims: readonly Claim[]): string {
  const names = [...new Set(claims.map(nameOf))]
  const rest = names.length - NAMED
  return `${names.slice(0, NAMED).join(', ')}${rest > 0 ? ` and ${counted(rest, 'other')}` : ''}`
}

function Claims({
  claims,
  isProven,
  ...place
}: Place & { readonly claims: readonly Claim[]; readonly isProven: boolean }) {
  const steps = useSteps(claims.length, ROWS)
  return (
    <>
      <ul className="divide-y">
        {claims.slice(0, steps.shown).map((claim, at) => (
          <ClaimRow key={at} claim={claim} isProven={isProven} {...place} />
        ))}
      </ul>
      <ShowMore steps={steps} total={claims.length} what="claims" className="border-t px-3 py-2" />
    </>
  )
}

function ClaimRow({
  claim,
  isProven,
  plan,
  repo,
}: Place & { readonly claim: Claim; readonly isProven: boolean }) {
  // A claim about one task is called by its title, which leads there.
  const own = claim.kind === 'task' ? (claim.tasks[0] ?? null) : null
  const others = own === null ? claim.tasks : claim.tasks.slice(1)
  return (
    <li className="flex items-start gap-3 px-3 py-1.5 hover:bg-sub">
      <span className="mt-[3px] flex">
        <GateMark outcome={outcomeOf(claim, isProven)} isIconOnly />
      </span>
      <div className="grid min-w-0 flex-1 gap-x-4 sm:grid-cols-2">
        <p className="min-w-0">
          <span className="text-muted">{KIND[claim.kind]} </span>
          {own === null ? (
            <PlainText text={nameOf(claim)} className="font-medium" />
          ) : (
            <TaskLink plan={plan} task={own} repo={repo} className="font-medium">
              <PlainText text={nameOf(claim)} />
            </TaskLink>
          )}
        </p>
        <p className="flex min-w-0 flex-wrap items-baseline gap-x-2 self-start text-xs leading-5 text-muted">
          {/* Of a command it begins with that command. */}
          <PlainText text={claim.command === null ? sentence(claim.why) : claim.why} />
          {claim.command !== null && <CopyText text={claim.command} label="the command" />}
          {claim.exit_code !== null && <span>exit {claim.exit_code}</span>}
          {claim.output_sha256 !== null && (
            <CopyText
              text={claim.output_sha256}
              shown={claim.output_sha256.slice(0, 12)}
              label="the hash of its output"
            />
          )}
        </p>
      </div>
      <span className="-my-0.5 flex max-w-44 flex-wrap sm:min-w-16 justify-end gap-x-1">
        {others.slice(0, 4).map((task) => (
          <TaskLink key={task} plan={plan} task={task} repo={repo} />
        ))}
        {others.length > 4 && <span className="text-xs text-muted">+{others.length - 4}</span>}
      </span>
    </li>
  )
}

const KIND: Readonly<Record<Claim['kind'], string>> = {
  task: 'Task',
  criterion: 'Criterion',
  gate: 'Gate',
  tests: 'Tests',
  milestone: 'Milestone',
  risk: 'Risk',
}

/** What is unproven is never green, and failed only where a command failed. */
function outcomeOf(claim: Claim, isProven: boolean): string {
  const { kind, exit_code: code } = claim
  if (isProven) return 'passed'
  if (isNotApplicable(claim)) return 'not_applicable'
  if ((kind === 'gate' || kind === 'milestone') && code !== null && code !== 0) return 'failed'
  return 'inconclusive'
}

export function WaivedList({ waivers, plan, repo }: Place & { readonly waivers: ReleaseProof['waived'] }) {
  const steps = useSteps(waivers.length, ROWS)
  if (waivers.length === 0) return null
  return (
    <Section title="Waived" count={waivers.length}>
      <ul className="divide-y rounded-md border">
        {waivers.slice(0, steps.shown).map((waiver, at) => (
          <li key={at} className="flex items-start gap-3 px-3 py-2">
            <div className="min-w-0 flex-1">
              <p>
                <PlainText text={gateTitle(waiver.what)} className="font-medium" />
              </p>
              <p className="text-muted">
                by <PlainText text={waiver.by} className="text-text" />{' '}
                {waiver.at !== null && <Time at={waiver.at} />}
                {waiver.reason === '' ? ', without a reason' : ': '}
                <PlainText text={waiver.reason} />
              </p>
            </div>
            {waiver.tasks.map((task) => (
              <TaskLink key={task} plan={plan} task={task} repo={repo} />
            ))}
          </li>
        ))}
      </ul>
      <ShowMore steps={steps} total={waivers.length} what="waivers" />
    </Section>
  )
}
