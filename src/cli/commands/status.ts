import type { MetricsAnswer, StatusAnswer } from '../../protocol/answers.ts'
import type { CommandDefinition } from '../command.ts'

export const statusCommand: CommandDefinition = {
  name: 'status',
  summary: 'where every plan stands, who works on what, what waits for you',
  examples: [
    { line: 'bosun status', what: 'plans, tasks, workers and the inbox, once' },
    { line: 'bosun status --json', what: 'the same as JSON' },
  ],
  insideWorker: true,
  async run(call) {
    const [{ statusDocument, statusText }, { forecastLine }] = await Promise.all([
      import('../status-view.ts'),
      import('../forecast-view.ts'),
    ])
    const daemon = await call.parts.daemon()
    const [status, metrics] = await Promise.all([
      daemon.get<StatusAnswer>('/api/status'),
      daemon.get<MetricsAnswer>('/api/metrics'),
    ])
    const { width } = call.terminal
    const lines = call.json ? [] : await Promise.all(status.plans.map((plan) => forecastLine(daemon, plan)))
    const forecasts = new Map(status.plans.map((plan, at) => [plan, lines[at] ?? null]))
    return {
      exit: 'ok',
      document: statusDocument(status),
      text: (style) => statusText(status, { style, width, now: Date.now(), forecasts, metrics }),
    }
  },
}
