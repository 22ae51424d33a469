import { Refusal } from '../../lib/refusal.ts'
import type { Call, CommandDefinition } from '../command.ts'

export const crewCommand: CommandDefinition = {
  name: 'crew',
  summary: 'show the coding agents found here, and how each has done',
  examples: [
    { line: 'bosun crew', what: 'version, path and sign-in of each; tasks, first-pass rate, time and cost' },
    { line: 'bosun crew --json', what: 'the same as JSON' },
  ],
  insideWorker: true,
  async run(call) {
    const { crewDocument, crewText } = await import('../views/crew-view.ts')
    const [agents, records] = await Promise.all([foundAgents(call), recordsOf(call)])
    return {
      exit: 'ok',
      document: crewDocument(agents, records),
      text: (style) => crewText(agents, records, { style, width: call.terminal.width }),
    }
  },
}

const foundAgents = async (call: Call) => (await call.services.machine()).agents()

/** None where there is no log yet. */
async function recordsOf(call: Call) {
  const { crewRecords } = await import('../../app/workers/crew.ts')
  try {
    await using store = await call.services.openLogToRead()
    return await crewRecords(store.log)
  } catch (error) {
    if (error instanceof Refusal && error.code === 'not_found') return []
    throw error
  }
}
