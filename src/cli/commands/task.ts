import { usageRefusal } from '../../lib/refusal.ts'
import type { CommandDefinition } from '../command.ts'

export const taskCommand: CommandDefinition = {
  name: 'task',
  summary: 'show one task: contract, attempts, gates, decisions, record',
  arguments: [
    { syntax: '<action>', help: 'show' },
    { syntax: '<id>', help: 'the task id, or PLAN/ID if several plans use it' },
  ],
  examples: [
    { line: 'bosun task show 7', what: 'contract, attempts, gate results and decisions' },
    { line: 'bosun task show shop/7 --json', what: 'a task of one plan, as JSON' },
  ],
  insideWorker: true,
  async run(call) {
    const [action = '', name = ''] = call.args
    if (action !== 'show') {
      throw usageRefusal(`unknown action "${action}"`, 'Use: bosun task show ID')
    }
    const [{ repoHere }, { readAnswer }, { taskText }] = await Promise.all([
      import('../caller.ts'),
      import('../reading.ts'),
      import('../views/task-view.ts'),
    ])
    const slash = name.indexOf('/')
    const plan = slash === -1 ? undefined : name.slice(0, slash)
    const id = name.slice(slash + 1)
    const repo = await repoHere(call)
    const { answer, document } = await readAnswer(call, '/api/tasks/{id}', { id, plan, repo })
    return { exit: 'ok', document, text: (style) => taskText(answer, style) }
  },
}
