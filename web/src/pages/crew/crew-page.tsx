/** The agents that Bosun can use on this machine, and how each has done. */
import { type ReactNode } from 'react'
import type { CrewPageAnswer } from '../../../../src/protocol/machine-answer.ts'
import { useCrew } from '../../api/queries.ts'
import { Page } from '../../shell/page.tsx'
import { usePhone } from '../../shell/use-phone.ts'
import { Button } from '../../ui/button.tsx'
import { CopyText } from '../../ui/copy-text.tsx'
import { formatDuration } from '../../../../src/lib/text/format-time.ts'
import { Section, Table, Fact, type TableColumn } from '../../ui/list.tsx'
import { GateMark } from '../../ui/marks.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { EmptyState, Loaded } from '../../ui/states.tsx'
import { usageRule, usageText } from '../../ui/format.ts'

export function CrewPage() {
  const crew = useCrew()
  return (
    <Page title="Crew">
      <Loaded of={crew} what="the crew" skeleton={<Skeleton rows={8} />}>
        {(data) => (
          <>
            <Agents
              agents={data.agents}
              hasWorked={data.results.length > 0}
              isLooking={crew.isFetching}
              onLook={() => void crew.refetch()}
            />
            <Results results={data.results} />
          </>
        )}
      </Loaded>
    </Page>
  )
}

type Agent = CrewPageAnswer['agents'][number]

function Agents({
  agents,
  hasWorked,
  isLooking,
  onLook,
}: {
  readonly agents: readonly Agent[]
  /** Agents that bosun.yaml names itself work without being found. */
  readonly hasWorked: boolean
  readonly isLooking: boolean
  readonly onLook: () => void
}) {
  return (
    <Section title="Found on this machine" count={agents.length}>
      {agents.length === 0 ? (
        <EmptyState
          title="No coding agent was found"
          className="rounded-md border py-8!"
          action={
            <Button onClick={onLook} isBusy={isLooking}>
              Look again
            </Button>
          }
        >
          Install one, such as Claude Code, Codex, Gemini or opencode, and sign in; then look here again.{' '}
          {hasWorked
            ? 'Commands that bosun.yaml names as agents work without this; their results are below.'
            : 'Without one, plans run with a scripted dry-run agent.'}
        </EmptyState>
      ) : (
        <ul className="divide-y rounded-md border">
          {agents.map((agent) => (
            <AgentRow key={agent.name} agent={agent} />
          ))}
        </ul>
      )}
    </Section>
  )
}

/** Not known is not the same as signed in, nor as signed out. */
const SIGN_IN: Readonly<Record<Agent['sign_in']['by'], string>> = {
  subscription: 'passed',
  key: 'passed',
  configuration: 'passed',
  none: 'failed',
  unknown: 'inconclusive',
}

const PROTOCOL: Readonly<Record<Agent['protocol'], string>> = {
  acp: 'Agent Client Protocol',
  command: 'command line',
}

function AgentRow({ agent }: { readonly agent: Agent }) {
  return (
    <li className="grid gap-x-4 gap-y-1 px-3 py-2 sm:grid-cols-[minmax(0,1fr)_minmax(0,1.4fr)]">
      <div className="flex min-w-0 flex-col">
        <p className="flex flex-wrap items-baseline gap-x-2">
          <PlainText text={agent.title} className="font-medium" />
          <span className="font-mono text-mono text-muted">
            <PlainText text={agent.version ?? 'version not known'} />
          </span>
        </p>
        <CopyText text={agent.path} label="the path" className="-ml-1 self-start" />
      </div>
      <div className="flex min-w-0 flex-col gap-1">
        <p className="flex items-start gap-2">
          <span className="mt-0.5">
            <GateMark outcome={SIGN_IN[agent.sign_in.by]} isIconOnly />
          </span>
          <span>
            <PlainText text={agent.sign_in.text} />
            <span className="text-muted">, driven by the {PROTOCOL[agent.protocol]}</span>
            {agent.roles.length > 0 && <span className="text-muted">; {agent.roles.join(', ')}</span>}
          </span>
        </p>
        {agent.remedy !== null && <PlainText text={agent.remedy} className="text-muted" />}
        {agent.caution !== null && <PlainText text={agent.caution} className="text-warn" />}
      </div>
    </li>
  )
}

type Result = CrewPageAnswer['results'][number]

const COLUMNS: readonly TableColumn[] = [
  { name: 'Agent and model' },
  { name: 'Tasks', title: 'Tasks that it worked on', isFigure: true },
  {
    name: 'First pass',
    title: 'Of the tasks that it began and that are decided: those that landed without another attempt',
    isFigure: true,
  },
  { name: 'Workers', title: 'Workers that wrote, and that reviewed', isFigure: true },
  { name: 'Time', title: 'Of all its workers together', isFigure: true },
  { name: 'Used', title: 'Tokens first; money only where a price is known', isFigure: true },
]

function Results({ results }: { readonly results: readonly Result[] }) {
  const isPhone = usePhone()
  return (
    <Section title="Results">
      {results.length === 0 ? (
        <EmptyState title="No results yet" className="rounded-md border py-8!">
          They appear after the first task of an agent has ended.
        </EmptyState>
      ) : isPhone ? (
        <ul aria-label="Results by agent and model" className="divide-y rounded-md border">
          {results.map((row) => (
            <NarrowResult key={`${row.agent} ${row.model}`} row={row} />
          ))}
        </ul>
      ) : (
        <Table label="Results by agent and model" minWidth={560} columns={COLUMNS}>
          {results.map((row) => (
            <tr key={`${row.agent} ${row.model}`}>
              <td className="px-3 py-2">
                <WhoDid row={row} />
              </td>
              {figuresOf(row).map((figure, at) => (
                <td key={at} className="px-3 py-2 text-right whitespace-nowrap">
                  {figure}
                </td>
              ))}
            </tr>
          ))}
        </Table>
      )}
      <p className="flex flex-wrap items-center text-xs text-muted">
        The same in a terminal: <CopyText text="bosun crew" />
      </p>
    </Section>
  )
}

/** The same on a phone: a line each, so that nothing scrolls sideways. */
function NarrowResult({ row }: { readonly row: Result }) {
  const figures = figuresOf(row)
  return (
    <li className="flex flex-col gap-1 px-3 py-2">
      <p>
        <WhoDid row={row} />
      </p>
      <dl className="grid grid-cols-[88px_minmax(0,1fr)] gap-x-3 gap-y-0.5">
        {COLUMNS.slice(1).map(({ name }, at) => (
          <Fact key={name} name={name}>
            {figures[at]}
          </Fact>
        ))}
      </dl>
    </li>
  )
}

const WhoDid = ({ row }: { readonly row: Result }) => (
  <>
    <PlainText text={row.agent ?? 'agent not named'} className="font-medium" />{' '}
    <PlainText text={row.model ?? 'its own model'} className="text-muted" />
  </>
)

/** What stands in the columns after the first. */
const figuresOf = (row: Result): readonly ReactNode[] => [
  row.tasks,
  row.first_pass_rate === null ? (
    <None key="none" />
  ) : (
    `${Math.round(row.first_pass_rate * 100)} % of ${row.first_pass_of}`
  ),
  `${row.attempts} wrote${row.reviews > 0 ? `, ${row.reviews} reviewed` : ''}`,
  formatDuration(row.work_ms),
  <span key="used" title={usageRule(row.usage)}>
    {usageText(row.usage) ?? <None />}
  </span>,
]

const None = () => <span className="text-muted">not known</span>
