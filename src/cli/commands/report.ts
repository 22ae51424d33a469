import { Refusal } from '../../lib/refusal.ts'
import type { CommandDefinition } from '../command.ts'

const MAX_BYTES = 256 * 1024

export const reportCommand: CommandDefinition = {
  name: 'report',
  summary: 'for workers: report what was done, as JSON',
  arguments: [{ syntax: '[file]', help: 'the report; - or nothing for stdin' }],
  options: [],
  examples: [{ line: 'bosun report report.json', what: 'hand it in' }],
  insideWorker: true,
  async run(call) {
    const [{ sendToDaemon, workerHere }, { saidResult }, { atomicWriteSync }] = await Promise.all([
      import('../../client/worker-call.ts'),
      import('../views/worker-messages.ts'),
      import('../../lib/atomic-write.ts'),
    ])
    const worker = workerHere(call.terminal.env)
    const [file = '-'] = call.args
    const text =
      file === '-'
        ? Buffer.from(await call.terminal.readInput(MAX_BYTES)).toString('utf8')
        : process.getBuiltinModule('node:fs').readFileSync(file, 'utf8')
    const report = objectIn(text)
    const told = await sendToDaemon<Parameters<typeof saidResult>[0]>(worker, 'reports', report)
    if (worker.reportPath !== null) atomicWriteSync(worker.reportPath, `${JSON.stringify(report)}\n`)
    return saidResult(told, worker.reportPath)
  },
}

function objectIn(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return value as Record<string, unknown>
  } catch {
    // Said below: it makes no difference what else it is.
  }
  throw new Refusal({
    code: 'usage',
    message: 'the report is not a JSON object',
    remedy: 'Hand in something like {"explanation": "…", "files": {"created": []}}',
  })
}
