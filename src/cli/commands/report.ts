import { usageRefusal } from '../../lib/refusal.ts'
import type { CommandDefinition } from '../command.ts'
import type { DaemonAnswer } from '../deliver.ts'

const MAX_BYTES = 256 * 1024

export const reportCommand: CommandDefinition = {
  name: 'report',
  summary: 'for workers: submit the report as JSON',
  arguments: [{ syntax: '[file]', help: 'the report (default: -, stdin)' }],
  examples: [{ line: 'bosun report report.json', what: 'submit it' }],
  insideWorker: true,
  async run(call) {
    const [{ sendToDaemon, workerHere }, { deliveryResult }, { atomicWriteSync }] = await Promise.all([
      import('../../client/worker-call.ts'),
      import('../deliver.ts'),
      import('../../lib/files/atomic-write.ts'),
    ])
    const worker = workerHere(call.terminal.env)
    const [file = '-'] = call.args
    const text =
      file === '-'
        ? Buffer.from(await call.terminal.readInput(MAX_BYTES)).toString('utf8')
        : process.getBuiltinModule('node:fs').readFileSync(file, 'utf8')
    const report = objectIn(text)
    const answer = await sendToDaemon<DaemonAnswer>(worker, 'reports', report)
    if (worker.reportPath !== null) atomicWriteSync(worker.reportPath, `${JSON.stringify(report)}\n`)
    return deliveryResult(answer, worker.reportPath)
  },
}

function objectIn(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return value as Record<string, unknown>
  } catch {
    // Refused below, like any other value that is not an object.
  }
  throw usageRefusal(
    'the report is not a JSON object',
    'Submit an object such as {"explanation": "…", "files": {"created": []}}',
  )
}
