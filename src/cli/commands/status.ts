import type { CommandDefinition } from '../command.ts'

export const statusCommand: CommandDefinition = {
  name: 'status',
  summary: 'show plans, tasks, workers and what needs you',
  options: [
    { syntax: '--all', help: 'list every open task, and cancelled plans' },
    { syntax: '--progress', help: 'a progress report of every open plan' },
  ],
  examples: [
    { line: 'bosun status', what: 'plans, tasks, workers and inbox, once' },
    {
      line: 'bosun status --all',
      what: 'every open task (default: 20 per plan, stuck ones first), and cancelled plans',
    },
    { line: 'bosun status --progress', what: 'completed, in progress, blocked, risks and remaining work' },
    { line: 'bosun status --json', what: 'the same as JSON' },
  ],
  insideWorker: true,
  async run(call) {
    const [{ progressText, statusDocument, statusText }, { forecastLine }] = await Promise.all([
      import('../views/status-view.ts'),
      import('../views/forecast-view.ts'),
    ])
    await using from = await call.services.reading()
    const { offline } = from
    const isWhole = call.flag('all')
    const progress = call.flag('progress') ? (await from.get('/api/progress')).progress : null
    const [status, metrics] = await Promise.all([
      from.get('/api/status', { records: call.json ? 'true' : undefined }),
      from.get('/api/metrics'),
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
  },
}
