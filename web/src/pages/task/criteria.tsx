/** Acceptance criteria: whether each was confirmed, where, and by what. */
import type { TaskAnswer } from '../../../../src/protocol/task-answer.ts'
import { CopyText } from '../../ui/copy-text.tsx'
import { GateMark } from '../../ui/marks.tsx'
import { ShowMore } from '../../ui/long-lists/show-more.tsx'
import { useSteps } from '../../ui/long-lists/use-steps.ts'
import { PlainText } from '../../ui/plain-text.tsx'

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
