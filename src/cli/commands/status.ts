import type { MetricsAnswer, ProgressAnswer, StatusReading } from '../../protocol/answers.ts'
import type { CommandDefinition } from '../command.ts'

export const statusCommand: CommandDefinition = {
  name: 'status',
  summary: 'where every plan stands, who works on what, what waits for you',
  options: [
    { syntax: '--all', help: 'every open task, however many there are' },
    { syntax: '--progress', help: 'a progress report of every plan that is not done' },
  ],
  examples: [
    { line: 'bosun status', what: 'plans, tasks, workers and the inbox, once' },
    {
      line: 'bosun status --all',
      what: 'every open task; without it the first 20 of a plan, the stuck ones first',
    },
    { line: 'bosun status --progress', what: 'completed, in progress, blocked, risks and what is left' },
    { line: 'bosun status --json', what: 'the same as JSON' },
  ],
  insideWorker: true,
  async run(call) {
    const [{ progressText, statusDocument, statusText }, { forecastLine }, { quietReading }] =
      await Promise.all([
        import('../views/status-view.ts'),
        import('../views/forecast-view.ts'),
        import('../reading.ts'),
      ])
    return quietReading(call, async (from) => {
      const { offline } = from
      const isWhole = call.flag('all')
      const progress = call.flag('progress')
        ? (await from.get<ProgressAnswer>('/api/progress')).progress
        : null
      const [status, metrics] = await Promise.all([
        from.get<StatusReading>('/api/status'),
        from.get<MetricsAnswer>('/api/metrics'),
      ])
      const { width } = call.terminal
      const lines = call.json ? [] : await Promise.all(status.plans.map((plan) => forecastLine(from, plan)))
      const forecasts = new Map(status.plans.map((plan, at) => [plan, lines[at] ?? null]))
      return {
        exit: 'ok',
        document: { ...statusDocument(status, offline), ...(progress === null ? {} : { progress }) },
        text: (style) =>
          progress === null
            ? statusText(status, { style, width, now: Date.now(), forecasts, metrics, offline, isWhole })
            : progressText(progress, offline, style),
      }
    })
  },
}
