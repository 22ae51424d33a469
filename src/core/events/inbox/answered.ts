/** A person answers an inbox item, or settles a risk unasked. */
import { z } from 'zod'
import { answerRefusal, noAnswer } from '../../answers/answer-rules.ts'
import { answerItem, answerNote } from '../../fold/answers.ts'
import { cut, planLine } from '../activity-lines.ts'
import { eventShape, type EventDefinition } from '../define.ts'
import { PERMISSION_SCOPES } from '../../event-schemas/requests.ts'
import { by, itemKind, text } from '../../event-schemas/schemas.ts'

const answeredShape = eventShape('inbox.answered', 1, () => ({
  id: text,
  choice: text,
  feedback: text,
  by,
  /** Of a permission; absent: this once, and in older logs. */
  scope: z.enum(PERMISSION_SCOPES).optional(),
  /** Of an approval of critical work: whether the person had the diff open; absent where that is not known. */
  diffOpened: z.boolean().optional(),
}))

export const inboxAnswered: EventDefinition<typeof answeredShape> = {
  shape: answeredShape,
  rejectionReason: (state, event) =>
    noAnswer(event) ?? answerRefusal(state, { ...event, proof: 'token' })?.why ?? null,
  apply: answerItem,
  activity: ({ id, choice, feedback, by, scope, diffOpened }) => [
    planLine(`${itemKind(id)}_answered`, {
      id,
      choice,
      by,
      feedback: cut(feedback),
      ...(scope === undefined ? {} : { scope }),
      ...(diffOpened === undefined ? {} : { diff_opened: diffOpened }),
    }),
  ],
  timeline: (answer) => ({
    task: null,
    text: `${answer.by} answered ${answer.id}: ${answer.choice}${answerNote(answer)}`,
  }),
}

const settledShape = eventShape('risk.settled', 1, () => ({
  risk: text,
  status: z.enum(['mitigated', 'accepted']),
  by,
  reason: text,
}))

export const riskSettled: EventDefinition<typeof settledShape> = {
  shape: settledShape,
  rejectionReason: ({ risks }, { risk }) =>
    risks.get(risk)?.status === 'open' ? null : `risk ${risk} is not open`,
  apply(state, { risk: id, status, by, reason }, at) {
    const risk = state.risks.get(id)
    if (risk === undefined) throw new Error(`no risk ${id}`)
    state.risks.set(risk.id, { ...risk, status, acceptedBy: by, acceptedAt: at, reason })
  },
  activity: ({ risk, status, by, reason }) => [
    planLine('risk_settled', { risk, status, by, reason: cut(reason) }),
  ],
  timeline: ({ risk, status, by }) => ({ task: null, text: `${risk} ${status} by ${by}` }),
}
