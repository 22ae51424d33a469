/** From each requirement to its tasks, tests and commits; what is missing shows as a hole. */
import type { TraceAnswer } from '../../../../src/protocol/plan-views.ts'
import { useTrace } from '../../api/queries.ts'
import { TaskLink } from '../../shell/links.tsx'
import { CopyText } from '../../ui/copy-text.tsx'
import { Section, Table } from '../../ui/list.tsx'
import { GateMark, StageMark } from '../../ui/marks.tsx'
import { ShowMore, useSteps } from '../../ui/show-more.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Loaded } from '../../ui/states.tsx'

export function TraceTable({ plan, repo }: { readonly plan: string; readonly repo: string | undefined }) {
  const trace = useTrace(plan, repo)
  return (
    <Section title="Requirements" count={trace.data === undefined ? null : trace.data.requirements.length}>
      <Loaded of={trace} what="the requirements" skeleton={<Skeleton rows={3} />}>
        {(data) => <Rows trace={data} />}
      </Loaded>
    </Section>
  )
}

const COLUMNS = ['Requirement', 'Task', 'Criteria', 'Tests', 'Commit'].map((name) => ({ name }))

/** Requirements are drawn by as many. */
const ROWS = 20

function Rows({ trace }: { readonly trace: TraceAnswer }) {
  const steps = useSteps(trace.requirements.length, ROWS)
  if (trace.requirements.length === 0) {
    return (
      <p className="rounded-md border px-3 py-3 text-muted">
        This plan names no requirements. A plan that was made from a spec traces each of them.
      </p>
    )
  }
  return (
    <>
      <Table label="Requirements" minWidth={720} columns={COLUMNS}>
        {trace.requirements.slice(0, steps.shown).flatMap((requirement) =>
          requirement.tasks.length === 0
            ? [<HoleRow key={requirement.id} requirement={requirement} />]
            : requirement.tasks.map((task, at) => (
                <tr key={`${requirement.id} ${task.id}`} className="align-top">
                  <td className="px-3 py-2">{at === 0 && <Requirement requirement={requirement} />}</td>
                  <td className="px-3 py-2">
                    <span className="flex items-start gap-2">
                      <span className="mt-0.5">
                        <StageMark status={task.status} stage={task.status} isIconOnly />
                      </span>
                      <TaskLink plan={trace.plan} task={task.id} repo={trace.repo}>
                        <span className="font-mono text-mono text-muted">{task.id}</span>{' '}
                        <PlainText text={task.title} />
                      </TaskLink>
                    </span>
                  </td>
                  <td className="px-3 py-2">
                    {task.criteria_total === 0 ? (
                      <Hole text="none named" />
                    ) : (
                      `${task.criteria_confirmed} of ${task.criteria_total}`
                    )}
                  </td>
                  <td className="px-3 py-2">
                    <Tests task={task} />
                  </td>
                  <td className="px-3 py-2">
                    {task.commit_sha === null ? (
                      <Hole text="no commit" />
                    ) : (
                      <CopyText
                        text={task.commit_sha}
                        shown={task.commit_sha.slice(0, 10)}
                        className="-ml-1"
                      />
                    )}
                  </td>
                </tr>
              )),
        )}
      </Table>
      <ShowMore steps={steps} total={trace.requirements.length} what="requirements" />
    </>
  )
}

type RequirementRow = TraceAnswer['requirements'][number]

function HoleRow({ requirement }: { readonly requirement: RequirementRow }) {
  return (
    <tr className="align-top">
      <td className="px-3 py-2">
        <Requirement requirement={requirement} />
      </td>
      <td className="px-3 py-2" colSpan={4}>
        <Hole text="no task covers it" />
      </td>
    </tr>
  )
}

function Requirement({ requirement }: { readonly requirement: RequirementRow }) {
  return (
    <>
      <span className="font-mono text-mono text-muted">
        <PlainText text={requirement.id} />
      </span>{' '}
      {requirement.title !== null && <PlainText text={requirement.title} />}
    </>
  )
}

function Tests({ task }: { readonly task: RequirementRow['tasks'][number] }) {
  if (task.tests.length === 0) return <Hole text="no tests of its own" />
  const outcome = task.tests_pass === null ? 'inconclusive' : task.tests_pass ? 'passed' : 'failed'
  return (
    <span className="flex flex-col">
      <GateMark outcome={outcome} />
      {task.tests.map((test) => (
        <PlainText key={test} text={test} className="font-mono text-mono text-muted" />
      ))}
    </span>
  )
}

const Hole = ({ text }: { readonly text: string }) => (
  <span className="inline-block rounded-sm border border-dashed border-line-strong px-1.5 text-xs leading-5 text-warn">
    {text}
  </span>
)
