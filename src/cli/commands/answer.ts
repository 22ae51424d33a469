import type { AnsweredAnswer } from '../../protocol/answers.ts'
import type { Call, CommandDefinition } from '../command.ts'
import { idSegment } from '../id-segment.ts'

export const answerCommand: CommandDefinition = {
  name: 'answer',
  summary: 'answer something that waits for a person',
  arguments: [
    { syntax: '<id>', help: 'the item, as `bosun inbox` shows it' },
    { syntax: '<choice>', help: 'one of its options, or pause' },
  ],
  options: [
    { syntax: '--feedback <text>', help: 'what whoever goes on should know' },
    { syntax: '--reason <text>', help: 'why: needed to override a gate or to accept a risk' },
    { syntax: '--by <name>', help: 'in whose name (default: your git user.name)' },
  ],
  examples: [
    { line: 'bosun answer A-2 approve', what: 'let it pass' },
    { line: 'bosun answer E-1 revise --feedback "keep the old route"', what: 'send it back, with a word' },
    {
      line: 'bosun answer E-1 approve --reason "known flake" --by "Ann Lee"',
      what: 'override what failed, in your name: it stands in the review, the manifest and the release',
    },
    { line: 'bosun answer E-1 pause', what: 'pause the plan; the question stays open' },
  ],
  async run(call) {
    const { deciderName, repoHere } = await import('../caller.ts')
    const [id = '', choice = ''] = call.args
    const daemon = await call.parts.daemon()
    const said = {
      choice,
      feedback: saidWith(call),
      by: await deciderName(call),
      repo: await repoHere(call),
    }
    const answered = await daemon.post<AnsweredAnswer>(`/api/inbox/${idSegment(id)}/answer`, said)
    return {
      exit: 'ok',
      document: { ...answered },
      text: () =>
        answered.choice === 'pause'
          ? `${answered.plan} is paused, and ${answered.id} stays open. Go on: bosun resume ${answered.plan}\n`
          : `${answered.id} of ${answered.plan} is answered: ${answered.choice}\n`,
    }
  },
}

/** A reason and feedback are both what the answer says; whoever gives both means both. */
function saidWith(call: Call): string {
  const said = [call.option('reason'), call.option('feedback')]
  return said.filter((words) => words !== undefined && words.trim() !== '').join('\n')
}
