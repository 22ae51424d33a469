import { Refusal } from '../../lib/refusal.ts'
import type { AnsweredAnswer } from '../../protocol/answers.ts'
import type { Call, CommandDefinition } from '../command.ts'

export const answerCommand: CommandDefinition = {
  name: 'answer',
  summary: 'answer an inbox item',
  arguments: [
    { syntax: '<id>', help: 'the id of the item, see `bosun inbox`; of several with commas between' },
    { syntax: '<choice...>', help: 'one of its options, or pause; the answer itself where it asks for one' },
  ],
  options: [
    { syntax: '--feedback <text>', help: 'feedback for the next worker' },
    { syntax: '--reason <text>', help: 'required to override a gate or accept a risk' },
    { syntax: '--scope <scope>', help: 'of a permission: once (default), task or plan' },
    { syntax: '--by <name>', help: 'the name to record (default: your git user.name)' },
  ],
  examples: [
    { line: 'bosun answer A-2 approve', what: 'approve the work' },
    { line: 'bosun answer E-1 revise --feedback "keep the old route"', what: 'send it back with feedback' },
    {
      line: 'bosun answer E-1 approve --reason "known flake" --by "Ann Lee"',
      what: 'override a failed gate; review, manifest and release record it under your name',
    },
    { line: 'bosun answer Q-4 "cents, as in the database"', what: 'answer a question in words' },
    { line: 'bosun answer P-3 allow --scope plan', what: 'allow it to every worker of the plan' },
    { line: 'bosun answer E-1,E-2 revise', what: 'answer several items alike' },
    { line: 'bosun answer E-1 pause', what: 'pause the plan; the item stays open' },
  ],
  async run(call) {
    const { deciderName, repoHere } = await import('../caller.ts')
    const [given = '', ...words] = call.args
    const choice = words.join(' ')
    const daemon = await call.services.daemon()
    const body = {
      choice,
      feedback: feedbackOf(call),
      by: await deciderName(call),
      scope: call.option('scope'),
      repo: await repoHere(call),
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
    return {
      exit: 'ok',
      document: { ...first, id: done.map(({ id }) => id).join(',') },
      text: () => done.map((answered) => answeredText(call, answered)).join(''),
    }
  },
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
async function rethrowWithDetails(error: unknown, done: readonly AnsweredAnswer[]): Promise<never> {
  if (!(error instanceof Refusal) || (error.details === null && done.length === 0)) throw error
  const { conflictMessage } = await import('../views/answer-line.ts')
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
