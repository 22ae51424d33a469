/** Acceptance criteria: whether each was confirmed, where, and by what. */
import type { TaskAnswer } from '../../../../src/protocol/task-answer.ts'
import { CopyText } from '../../ui/copy-text.tsx'
import { GateMark } from '../../ui/marks.tsx'
import { ShowMore, useSteps } from '../../ui/show-more.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { ChevronRight } from 'lucide-react'
import { gateTitle } from '../../../../src/lib/text/counted.ts'

type Criterion = NonNullable<TaskAnswer['criteria']>[number]

const OUTCOME: Readonly<Record<Criterion['word'], string>> = {
  PASS: 'passed',
  FAIL: 'failed',
  UNTESTED: 'inconclusive',
}

const BY: Readonly<Record<NonNullable<Criterion['by']>, string>> = {
  worker: 'place named by the worker',
  rules: 'place found by the rules',
}

/** Rows are drawn by as many. */
const ROWS = 12

export function Criteria({ task }: { readonly task: Pick<TaskAnswer, 'criteria' | 'contract' | 'attempt'> }) {
  // Before the first attempt there is nothing that could confirm them.
  const rows = task.attempt === 0 ? [] : (task.criteria ?? [])
  const { acceptance_criteria: texts } = task.contract
  const total = rows.length === 0 ? texts.length : rows.length
  const steps = useSteps(total, ROWS)
  const more = <ShowMore steps={steps} total={total} what="criteria" className="mt-2" />
  if (rows.length === 0) {
    if (texts.length === 0) return <p className="text-muted">The contract has no acceptance criteria.</p>
    return (
      <div>
        <ul className="divide-y rounded-md border">
          {texts.slice(0, steps.shown).map((text, place) => (
            <li key={place} className="px-3 py-2">
              <PlainText text={text} />
              <p className="text-xs text-muted">Not checked yet</p>
            </li>
          ))}
        </ul>
        {more}
      </div>
    )
  }
  return (
    <div>
      <ul className="divide-y rounded-md border">
        {rows.slice(0, steps.shown).map((row, place) => (
          <li key={place} className="flex items-start gap-2 px-3 py-2">
            <span className="mt-0.5">
              <GateMark outcome={OUTCOME[row.word]} isIconOnly />
            </span>
            <div className="min-w-0 flex-1">
              <PlainText text={row.criterion} />
              <p className="flex flex-wrap items-center gap-x-2 text-xs text-muted">
                <span>{WORD[row.word]}</span>
                {row.place !== null && <CopyText text={row.place} label="the place" />}
                {row.why !== '' ? <PlainText text={row.why} /> : row.by !== null && <span>{BY[row.by]}</span>}
              </p>
            </div>
          </li>
        ))}
      </ul>
      {more}
    </div>
  )
}

const WORD: Readonly<Record<Criterion['word'], string>> = {
  PASS: 'Confirmed',
  FAIL: 'Not met',
  UNTESTED: 'Not confirmed',
}

/** Gates with what they rest on: the command, how it ended, what it counted and its key lines. */
type Gate = TaskAnswer['gates'][number]
type Run = Gate['runs'][number]

/** What does not pass comes first. */
const ORDER = ['failed', 'inconclusive', 'passed', 'not_applicable']

export function Gates({ gates }: { readonly gates: readonly Gate[] }) {
  if (gates.length === 0) return <p className="text-muted">They run when a worker has delivered.</p>
  const sorted = gates.toSorted((a, b) => ORDER.indexOf(a.outcome) - ORDER.indexOf(b.outcome))
  return (
    <ul className="divide-y rounded-md border">
      {sorted.map((gate, place) => (
        <li key={`${gate.gate} ${place}`}>
          <GateEntry gate={gate} />
        </li>
      ))}
    </ul>
  )
}

function GateEntry({ gate }: { readonly gate: Gate }) {
  const hasMore = gate.runs.length > 0 || gate.findings.length > 0
  const line = (
    <>
      <span className="w-32 shrink-0 max-sm:hidden">
        <GateMark outcome={gate.outcome} />
      </span>
      <span className="mt-0.5 sm:hidden">
        <GateMark outcome={gate.outcome} isIconOnly />
      </span>
      <span className="min-w-0 flex-1">
        <span className="font-medium first-letter:uppercase inline-block">{gateTitle(gate.gate)}</span>{' '}
        <span className="text-muted">
          <PlainText text={gate.summary} />
        </span>
      </span>
    </>
  )
  if (!hasMore) return <div className="flex items-start gap-2 px-3 py-2 pl-8.5">{line}</div>
  return (
    <details open={gate.outcome === 'failed'} className="group/gate">
      <summary className="flex cursor-pointer list-none items-start gap-2 px-3 py-2 hover:bg-sub [&::-webkit-details-marker]:hidden">
        <ChevronRight
          size={14}
          aria-hidden="true"
          className="mt-0.5 shrink-0 text-muted transition-transform group-open/gate:rotate-90"
        />
        {line}
      </summary>
      <div className="flex flex-col gap-3 px-3 pt-1 pb-3 pl-8.5">
        {gate.findings.length > 0 && <Findings findings={gate.findings} />}
        {gate.runs.map((run, place) => (
          <RunEvidence key={place} run={run} />
        ))}
      </div>
    </details>
  )
}

/** Rows are drawn by as many; what blocks comes first. */
const FINDINGS = 10

function Findings({ findings }: { readonly findings: Gate['findings'] }) {
  const steps = useSteps(findings.length, FINDINGS)
  const sorted = findings.toSorted((a, b) => Number(b.blocks) - Number(a.blocks))
  return (
    <>
      <ul className="flex flex-col gap-1">
        {sorted.slice(0, steps.shown).map((finding, place) => (
          <li key={place} className="flex flex-wrap gap-x-2">
            <span className={finding.blocks ? 'text-bad' : 'text-muted'}>
              {finding.blocks ? 'Blocks' : 'Note'}
            </span>
            {finding.file !== null && (
              <span className="font-mono text-mono text-muted">
                <PlainText text={finding.line === null ? finding.file : `${finding.file}:${finding.line}`} />
              </span>
            )}
            <span className="min-w-0">
              <PlainText text={finding.text} />
            </span>
          </li>
        ))}
      </ul>
      <ShowMore steps={steps} total={findings.length} what="findings" />
    </>
  )
}

function RunEvidence({ run }: { readonly run: Run }) {
  const { counts } = run
  return (
    <div className="flex flex-col gap-1" data-testid="run">
      <div className="flex min-w-0 flex-wrap items-center gap-x-2">
        <CopyText text={run.command} label="the command" className="-ml-1 text-text" />
        <span className="text-xs text-muted">
          {run.ended}
          {run.on === 'base' ? ', on the base' : ''}
          {run.must_fail ? ', must fail' : ''}
        </span>
      </div>
      {counts !== null && (
        <p className="text-xs text-muted">
          {counts.run} tests run: {counts.passed} passed, {counts.failed} failed, {counts.skipped} skipped
        </p>
      )}
      {run.key_lines.length > 0 && (
        <PlainText as="mono" text={run.key_lines.join('\n')} className="max-h-56 overflow-y-auto" />
      )}
      <p className="flex flex-wrap items-center gap-x-3 text-xs text-muted">
        {run.output_sha256 !== null && (
          <span className="inline-flex items-center">
            output sha256{' '}
            <CopyText text={run.output_sha256} shown={run.output_sha256.slice(0, 12)} label="the hash" />
          </span>
        )}
        {run.output !== null && (
          <CopyText text={run.output} shown="path of the whole output" label="the path" className="-ml-1" />
        )}
      </p>
    </div>
  )
}

/** Criteria in a line each, with why: where they are a part of something else. */
export function CriteriaLines({ criteria }: { readonly criteria: readonly Criterion[] }) {
  return (
    <ul className="flex flex-col gap-1">
      {criteria.map((one, at) => (
        <li key={at} className="flex gap-2">
          <GateMark outcome={OUTCOME[one.word]} isIconOnly />
          <span className="min-w-0">
            <PlainText text={one.criterion} /> <PlainText text={one.why} className="text-muted" />
          </span>
        </li>
      ))}
    </ul>
  )
}
