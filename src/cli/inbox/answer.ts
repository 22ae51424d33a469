/** `bosun answer`: answers one item or several alike. */
import { Refusal } from '../../lib/refusal.ts'
import type { AnsweredAnswer } from '../../protocol/answers.ts'
import { resultOf, type Call, type CommandResult } from '../command.ts'
import { decider } from '../caller.ts'
import { conflictMessage } from './inbox-view.ts'

export async function answerItems(call: Call): Promise<CommandResult> {
  const [given = '', ...words] = call.args
  const daemon = await call.services.daemon()
  const body = {
    choice: words.join(' '),
    feedback: feedbackOf(call),
    scope: call.option('scope'),
    ...(await decider(call)),
  }
  const done: AnsweredAnswer[] = []
  for (const id of given.split(',')) {
    const answered = await daemon
      .post('/api/inbox/{id}/answer', body, { id })
      .catch((error: unknown) => rethrowWithDetails(error, done))
    done.push(answered)
    // It is the whole plan that is paused.
    if (answered.choice === 'pause') break
  }
  const [first] = done
  if (first === undefined) throw new Error('there is no answer')
  const document = { ...first, id: done.map(({ id }) => id).join(',') }
  return resultOf(document, done.map((answered) => answeredText(call, answered)).join(''))
}

const answeredText = (call: Call, { id, plan, choice }: AnsweredAnswer): string =>
  choice === 'pause'
    ? `paused ${plan}; ${id} stays open (resume with: bosun resume ${plan})\n`
    : `answered ${id} of ${plan}: ${choice}${reachText(call, id)}\n`

/** How far a permission reaches, and how to take that back; empty for this once. */
function reachText(call: Call, id: string): string {
  const scope = call.option('scope')
  if (scope === undefined || scope === 'once') return ''
  return `, for the whole ${scope} (forget it with: bosun inbox ${id} --revoke)`
}

/** A refusal says when another person answered, if one did, and which items were answered before it. */
function rethrowWithDetails(error: unknown, done: readonly AnsweredAnswer[]): never {
  if (!(error instanceof Refusal) || (error.details === null && done.length === 0)) throw error
  const { code, remedy, details } = error
  const before = done.length === 0 ? '' : `${done.map(({ id }) => id).join(', ')} answered, but `
  const message = `${before}${conflictMessage(error, Date.now())}`
  throw new Refusal({ code, message, remedy, details, cause: error })
}

/** Reason and feedback together. */
function feedbackOf(call: Call): string {
  const given = [call.option('reason'), call.option('feedback')]
  return given.filter((text) => text !== undefined && text.trim() !== '').join('\n')
}
