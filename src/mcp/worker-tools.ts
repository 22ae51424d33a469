/** The tools of a worker. Which worker it is follows from its token alone, never from what it says. */
import { z } from 'zod'
import { type ChannelAnswer, type WorkerChannel, schemaProblem } from '../app/checkins/worker-channel.ts'
import type { Role } from '../core/event-schemas/schemas.ts'
import { Refusal } from '../lib/refusal.ts'
import { workerReport } from '../protocol/requests.ts'
import { meaningOf, pmMessageSchema, type Meant } from '../app/checkins/pm-message.ts'
import { tool, type Tool, type ToolAnswer } from './tool.ts'

const line = z.string().max(2000)
const name = z.string().min(1).max(100)

/** `role` is the worker's own. */
export function workerTools(channel: WorkerChannel, role: Role | null): readonly Tool[] {
  return [
    tool({
      name: 'report_to_pm',
      description:
        'Report to the project manager. payload: the report for work_completed ({explanation, files, tests, criteria, risks…}) ' +
        'and review_* ({summary, critical, major, minor}); {passed, failed, failing: [names], command} for tests_*; {text} for all others.',
      input: pmMessageSchema,
      call: async (message) => toolAnswer(await deliver(channel, meaningOf(message, role))),
    }),
    tool({
      name: 'checkin',
      description: 'Report your progress. Returns messages for you.',
      input: z.object({
        status: z.enum(['starting', 'in_progress', 'blocked', 'completed', 'failed']),
        progress_pct: z.number().min(0).max(100),
        current_step: line.optional(),
        next_step: line.optional(),
        issues: z.array(line).max(20).optional(),
      }),
      call: async (body) => toolAnswer(await channel.checkin(body)),
    }),
    tool({
      name: 'request_help',
      description:
        'Ask for help, an answer, time (minutes) or resources (tokens). The answer comes as a message.',
      input: z.object({
        type: z
          .enum(['need_help', 'need_clarification', 'need_time', 'need_resources', 'blocked'])
          .default('need_help'),
        text: line,
        minutes: z.int().min(1).optional(),
        tokens: z.int().min(1).optional(),
        to: name.optional().describe('a role, or human'),
      }),
      call: async ({ type, text, ...data }) => toolAnswer(await channel.request({ type, text, data })),
    }),
    tool({
      name: 'get_instructions',
      description: 'Messages that wait for you.',
      input: z.object({}),
      call: async () => toolAnswer(await channel.instructions()),
    }),
  ]
}

async function deliver(channel: WorkerChannel, meant: Meant): Promise<ChannelAnswer> {
  switch (meant.kind) {
    case 'report':
      return channel.report(checkedReport(meant.data))
    case 'checkin':
      return channel.checkin(meant.body)
    case 'request':
      return channel.request(meant)
  }
}

function checkedReport(data: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { data: report, error } = workerReport.safeParse(data)
  if (report !== undefined) return report
  const remedy = 'Send a JSON object such as {"explanation": "…"}.'
  throw new Refusal({ code: 'usage', message: schemaProblem(error, 'payload'), remedy })
}

function toolAnswer({ instructions, ...answer }: Partial<ChannelAnswer>): ToolAnswer {
  const messages = (instructions ?? []).map(({ kind, text }) => ({ kind, text }))
  return { text: JSON.stringify({ ...answer, instructions: messages }) }
}
