/**
 * Files for programs that do not use Bosun's commands or HTTP: requests and answers come in, alerts, workers and state go
 * out. Incoming files are untrusted; only Bosun writes the outgoing ones.
 */
import { z } from 'zod'
import { ENDED_HEALTHS, HEALTHS } from '../../event-schemas/watch.ts'
import { askedRequestSchema } from '../requests/asked-request.ts'
import { workerIdSchema as workerId } from './checkin.ts'

const moment = z.string().max(64)

export const requestFileSchema = askedRequestSchema
  .omit({ id: true })
  .extend({
    worker_id: workerId,
    token: z
      .string()
      .max(200)
      .optional()
      .describe("The worker's BOSUN_TOKEN. Requests without it are rejected."),
    timestamp: moment.optional(),
  })
  .meta({ title: 'Request file', description: 'pm-requests/pending/req-<id>.json: a request of a worker.' })
export type RequestFile = z.infer<typeof requestFileSchema>

/** Choices that a file may make. All others need the user's token. */
export const FILE_CHOICES = ['extend', 'nudge', 'restart', 'kill'] as const

export const alertAnswerSchema = z
  .strictObject({
    choice: z
      .string()
      .min(1)
      .max(100)
      .describe(`One of ${FILE_CHOICES.join(', ')}.`),
    feedback: z.string().max(2000).default(''),
    by: z.string().min(1).max(200).default('somebody'),
  })
  .meta({
    title: 'Alert answer',
    description: 'alert-….answer.json beside an alert, or the key "answer" in it.',
  })

export const alertSchema = z
  .object({
    worker_id: workerId,
    plan_id: z.string(),
    task_id: z.string(),
    item: z.string().describe('The inbox item: bosun answer ITEM CHOICE.'),
    about: z.enum(['worker', 'request']),
    issue: z
      .string()
      .optional()
      .describe(
        'What is wrong: stalled, zombie, blocked, no_progress, time_limit, too_many_requests, or the type of its request.',
      ),
    kind: z.string(),
    problem: z.string(),
    impact: z.string(),
    options: z.array(z.object({ key: z.string(), label: z.string() })),
    recommended: z.string(),
    created_at: moment,
    answer: z.unknown().optional().describe('Write your answer here or into alert-….answer.json.'),
    refused: z
      .object({
        choice: z.string(),
        by: z.string(),
        why: z.string(),
        remedy: z.string().optional(),
        at: moment,
      })
      .optional()
      .describe('The last rejected answer, the reason and the remedy.'),
    resolution: z
      .object({
        outcome: z.enum(['answered', 'withdrawn']),
        choice: z.string().optional(),
        by: z.string().optional(),
        at: moment,
      })
      .optional(),
  })
  .meta({
    title: 'Alert',
    description: 'pm-alerts/pending/alert-<worker-id>-<issue>.json: an open question about a worker.',
  })
export type Alert = z.infer<typeof alertSchema>

export const workerSpecSchema = z
  .object({
    worker_id: workerId,
    plan_id: z.string(),
    task_id: z.string(),
    title: z.string(),
    role: z.string(),
    attempt: z.int(),
    status: z.enum(['active', 'completed', 'failed']),
    started_at: moment,
    time_limit_at: moment.nullable(),
    ended_at: moment.optional(),
    reason: z.string().optional(),
  })
  .meta({ title: 'Worker spec', description: 'worker-specs/{active,completed,failed}/<worker-id>.json.' })
export type WorkerSpec = z.infer<typeof workerSpecSchema>

const count = z.int().nonnegative()
export const pmStateSchema = z
  .strictObject({
    pm_daemon: z.strictObject({
      pid: z.int(),
      started_at: moment,
      last_loop: moment,
      loops_completed: count,
      version: z.string(),
    }),
    monitored_workers: z.record(
      workerId,
      z.strictObject({
        registered_at: moment,
        last_checkin: moment.nullable(),
        checkin_count: count,
        health_state: z.enum([...HEALTHS, 'stopping', ...ENDED_HEALTHS]),
        time_limit_at: moment.nullable(),
        warnings_sent: count,
        interventions: z.array(z.string()),
      }),
    ),
    metrics: z.strictObject({
      total_workers_monitored: count,
      healthy_count: count,
      stalled_count: count,
      late_count: count,
      completed_today: count,
      failed_today: count,
      interventions_today: count,
      success_rate: z
        .number()
        .nullable()
        .describe('Percent over the last 24 hours; null if no worker ended.'),
    }),
  })
  .meta({
    title: 'PM state',
    description: 'pm-state.json: rewritten every loop; an old last_loop means the daemon is not running.',
  })
export type PmState = z.infer<typeof pmStateSchema>

export const activityLineSchema = z
  .object({
    timestamp: moment,
    event: z.string(),
    text: z.string().describe('What happened, in one sentence.'),
    worker_id: z.string().optional(),
    task_id: z.string().optional(),
    plan_id: z.string().optional(),
    data: z.record(z.string(), z.unknown()),
  })
  .meta({ title: 'Activity line', description: 'One line of pm-activity.jsonl.' })
