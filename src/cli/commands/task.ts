import { Refusal } from '../../lib/refusal.ts'
import type { TaskAnswer } from '../../protocol/task-answer.ts'
import type { CommandDefinition } from '../command.ts'
import { idSegment } from '../id-segment.ts'

export const taskCommand: CommandDefinition = {
  name: 'task',
  summary: 'one task whole: contract, attempts, gates, decisions, record',
  arguments: [
    { syntax: '<action>', help: 'show' },
    { syntax: '<id>', help: 'the task, or PLAN/ID where several plans have one of that id' },
  ],
  examples: [
    { line: 'bosun task show 7', what: 'what was asked, who tried, what the gates said, what was decided' },
    { line: 'bosun task show shop/7 --json', what: 'of one plan, as JSON' },
  ],
  insideWorker: true,
  async run(call) {
    const [action = '', said = ''] = call.args
    if (action !== 'show') {
      throw new Refusal({
        code: 'usage',
        message: `task cannot ${action}`,
        remedy: 'Use: bosun task show ID',
      })
    }
    const [{ repoHere }, { offlineDocument, reading }, { taskText }] = await Promise.all([
      import('../caller.ts'),
      import('../reading.ts'),
      import('../views/task-view.ts'),
    ])
    const slash = said.indexOf('/')
    const plan = slash === -1 ? undefined : said.slice(0, slash)
    const id = said.slice(slash + 1)
    const repo = await repoHere(call)
    return reading(call, async (from) => {
      const task = await from.get<TaskAnswer>(`/api/tasks/${idSegment(id)}`, { plan, repo })
      return {
        exit: 'ok',
        document: { ...task, ...offlineDocument(from) },
        text: (style) => taskText(task, style),
      }
    })
  },
}
