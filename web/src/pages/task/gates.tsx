/** Gates with what they rest on: the command, how it ended, what it counted and its key lines. */
import { ChevronRight } from 'lucide-react'
import type { TaskAnswer } from '../../../../src/protocol/task-answer.ts'
import { CopyText } from '../../ui/copy-text.tsx'
import { GateMark } from '../../ui/marks.tsx'
import { ShowMore } from '../../ui/long-lists/show-more.tsx'
import { useSteps } from '../../ui/long-lists/use-steps.ts'
import { PlainText } from '../../ui/plain-text.tsx'
import { gateTitle } from '../../../../src/lib/text/gate-title.ts'

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
