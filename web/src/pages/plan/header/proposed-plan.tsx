/** A plan that waits for its person's agreement, where it is looked at: it is started, edited or refused here too. */
import type { InboxEntry } from '../../../../../src/protocol/answers.ts'
import { keyOf } from '../../../shell/needs-you.ts'
import { sentence } from '../../../ui/format.ts'
import { PlainText } from '../../../ui/plain-text.tsx'
import { ErrorState } from '../../../ui/states.tsx'
import { EditPlan } from '../../needs-you/edit-plan.tsx'
import { OptionList } from '../../needs-you/option-list.tsx'
import { useAnswer, type AnswerListener } from '../../needs-you/use-answer.ts'

/** Whatever comes of the answer, the plan shows it. */
const NOTHING = (): void => undefined
const LISTENER: AnswerListener = { sending: NOTHING, answered: NOTHING, failed: NOTHING, conflict: NOTHING }

export function ProposedPlan({ item }: { readonly item: InboxEntry }) {
  const key = keyOf(item)
  const answer = useAnswer(item, key, LISTENER)
  return (
    <section
      aria-label="Proposed plan"
      className="mb-3 flex max-h-[60dvh] shrink-0 flex-col gap-3 overflow-y-auto rounded-md border border-line-strong p-4"
    >
      <PlainText as="block" className="font-medium" text={sentence(item.problem)} />
      <OptionList item={item} itemKey={key} answer={answer} />
      {answer.error !== null && <ErrorState what="your answer" verb="send" error={answer.error} />}
      <EditPlan item={item} />
    </section>
  )
}
