/**
 * The schema of bosun.yaml, with the defaults. Unknown keys are errors that name the key.
 * The schemas are lazy: creating them takes longer than reading a plan, and most starts need none of them
 * (bench/cold-start).
 */
import { z } from 'zod'
import { DURATION, durationMs } from './duration.ts'

export { durationMs } from './duration.ts'

const durationText = () => z.string().regex(DURATION, 'invalid duration (use 90s, 15m or 2h)')
const duration = (fallback: string) =>
  durationText()
    .default(fallback)
    .transform((text) => durationMs(text) ?? 0)

/** For delays before an intervention, which must not be zero. */
const someTime = (fallback: string) =>
  duration(fallback).refine((ms) => ms > 0, 'must be longer than 0, such as 90s')

/** A limit that may be lacking. */
const limit = () =>
  durationText()
    .transform((text) => durationMs(text) ?? 0)
    .refine((ms) => ms > 0, 'must be longer than 0, such as 90s')
    .nullable()
    .default(null)

const count = (fallback: number, least = 0) => z.int().min(least).default(fallback)
const command = () => z.union([z.string().min(1), z.array(z.string().min(1)).min(1)])
const testCommand = () =>
  z.union([
    command(),
    z.strictObject({
      command: command(),
      report: z.string().regex(/^(auto|tap|exit|junit:.+)$/, 'report must be auto, junit:PATH, tap or exit'),
    }),
  ])
const permission = () => z.enum(['allow', 'ask', 'deny'])
const money = () => z.number().nonnegative().nullable().default(null)
const tokens = () => z.int().nonnegative().nullable().default(null)
/** In US dollars per million tokens. */
const price = () =>
  z.strictObject({
    input: z.number().nonnegative(),
    output: z.number().nonnegative(),
    cached: z.number().nonnegative().optional(),
  })
const tier = () => z.enum(['critical', 'normal', 'low'])
const choice = () =>
  z
    .string()
    .regex(/^[\w.:/@[\]+-]{1,200}$/, 'letters, digits and . : / @ + - _ [ ] only')
    .refine((text) => !text.startsWith('-'), 'must not begin with a dash')
const role = () =>
  z
    .union([
      z.string().min(1),
      z.strictObject({
        agent: z.string().min(1).optional(),
        model: choice().optional(),
        effort: choice().optional(),
        inherit: z.boolean().optional(),
      }),
    ])
    .optional()
const variable = () =>
  z
    .string()
    .regex(/^[A-Za-z_]\w*$/, 'a variable name consists of letters, digits and underscores')
    .refine((name) => !/^(BOSUN_|PATH$)/.test(name), 'PATH and BOSUN_ variables are set by Bosun')
/** Plain HTTP would show what is worked on to the network. */
const webhookAddress = () =>
  z
    .string()
    .max(2000)
    .refine(isWebhookAddress, 'use an https address, or http on this machine (127.0.0.1 or localhost)')
const webhookSecret = () =>
  z
    .string()
    .regex(
      /^whsec_[A-Za-z0-9+/]{32,88}={0,2}$/,
      'use whsec_ and 24 to 64 random bytes in base64: echo whsec_$(openssl rand -base64 32)',
    )
/** The workflows of one type of request, by scope. */
const workflows = () => {
  const name = () => z.enum(['fix', 'direct', 'light', 'planned', 'project']).optional()
  return z.strictObject({ trivial: name(), small: name(), medium: name(), large: name() }).optional()
}
/** An optional section with all its defaults. */
const section = <T extends z.core.$ZodLooseShape>(shape: T) => z.strictObject(shape).prefault({} as never)

const migrationsSchema = z.lazy(() => z.strictObject({ up: command(), down: command().nullable() }))

export const environmentSchema = z.lazy(() =>
  z
    .strictObject({
      setup: command().nullable(),
      test: testCommand().nullable(),
      lint: command().nullable(),
      typecheck: command().nullable(),
      build: command().nullable(),
      migrations: migrationsSchema.nullable(),
      env_files: z.array(z.string().min(1)),
      ports: z.int().min(0).max(64),
      /** `false`: checks in a sandbox reach only what they start themselves. */
      network: z.boolean(),
    })
    .partial(),
)

/** The keys of `environment`, or of a key below it. */
export function environmentKeys(under: string | number | undefined): readonly string[] {
  if (under === undefined) return Object.keys(environmentSchema.unwrap().shape)
  return under === 'migrations' ? Object.keys(migrationsSchema.unwrap().shape) : ['command', 'report']
}

export const settingsSchema = z.lazy(() =>
  z.strictObject({
    agents: z
      .record(
        z.string().regex(/^[a-z0-9-]+$/, 'an agent name consists of lower-case letters, digits and dashes'),
        z.strictObject({
          protocol: z.enum(['command', 'acp']),
          command: z.array(z.string().min(1)).min(1),
          env: z.record(variable(), z.string()).optional(),
          env_from: z.array(variable()).optional(),
          inherit: z.boolean().optional(),
        }),
      )
      .default({}),
    roles: section({
      architect: role(),
      designer: role(),
      developer: role(),
      fixer: role(),
      reviewer: role(),
      tester: role(),
    }),
    models: section({
      small: choice().nullable().default(null),
      large: choice().nullable().default(null),
    }),
    environment: environmentSchema.default({}),
    pm: section({
      max_parallel_agents: count(3, 1),
      retry_budget: count(2),
      anti_starvation_interval: count(3, 1),
      progress_report_task_interval: count(3, 1),
      progress_report_time_interval_min: count(30, 1),
      patch_size_limit_files: count(15, 1),
      checkpoint_tags: z.boolean().default(true),
      review_artifacts_dir: z.string().min(1).default('docs/reviews'),
      release_manifest_dir: z.string().min(1).default('docs/releases'),
    }),
    approval: z.enum(['each_task', 'critical', 'release']).default('release'),
    review: section({
      max_iterations: count(2),
      skip_minor_in_feedback: z.boolean().default(true),
      require_tests_pass: z.boolean().default(true),
      low: z.enum(['quick', 'checks']).default('quick'),
    }),
    proof: section({
      mutation: z.enum(['critical', 'all', 'off']).default('critical'),
      mutation_time: someTime('2m'),
      reruns: z.int().min(0).max(10).default(1),
    }),
    sandbox: section({
      mode: z.enum(['contain', 'off']).default('contain'),
      /** Paths that workers may read although they are private; one that ends with `:rw` may be written too. */
      allow: z
        .array(z.string().regex(/^(?:\/|~\/)[^\0]+$/, 'use an absolute path, or one that begins with ~/'))
        .default([]),
    }),
    scheduling: section({
      parallel_tiers: z.array(tier()).default(['low']),
      max_waiting_for_review: count(4, 1),
    }),
    watch: section({
      mode: z.enum(['act', 'monitor']).default('act'),
      loop: someTime('15s'),
      first_checkin: someTime('5m'),
      late: someTime('15m'),
      stalled: someTime('20m'),
      silence: someTime('5m'),
      no_progress: someTime('30m'),
      after_report: duration('30s'),
      time_limit: someTime('60m'),
      warnings: z.array(z.int().min(1).max(100)).default([50, 75, 90]),
      terminate_at: count(110, 100),
      tool_warn: someTime('30m'),
      tool_end: someTime('2h'),
      /** How long a specialist may take to answer a worker's question before a person is asked; `0s`: it is not asked. */
      specialist: duration('10m'),
    }),
    brain: section({
      provider: z
        .enum(['auto', 'none', 'anthropic', 'openai', 'google', 'compatible', 'agent'])
        .default('auto'),
      base_url: z.string().nullable().default(null),
      small: choice().nullable().default(null),
      large: choice().nullable().default(null),
      /** Null: a minute for a model by API, five for an agent, which reads files. */
      timeout: limit(),
      budget_usd: money(),
      /** Prints the key. */
      key_command: command().nullable().default(null),
      /** By the name of a model. */
      prices: z.record(z.string().min(1).max(200), price()).nullable().default(null),
    }),
    interview: section({
      /** After it an interview that waits for the user ends with an error; null: it waits for ever. */
      await_user_timeout: limit(),
    }),
    /** Overrides the default of a pair of type and scope. */
    workflows: section({
      new_project: workflows(),
      feature_request: workflows(),
      bug_fix: workflows(),
    }),
    permissions: section({
      outside_workspace: permission().default('ask'),
      network: permission().default('ask'),
      git_push: permission().default('deny'),
      agent_settings: permission().default('deny'),
    }),
    budgets: section({ plan_usd: money(), task_usd: money(), plan_tokens: tokens(), task_tokens: tokens() }),
    /** By the name of a model or of an agent. */
    prices: z.record(z.string().min(1).max(200), price()).default({}),
    notify: section({
      on: z
        .array(z.enum(['needs_you', 'finished', 'went_wrong', 'progress']))
        .max(4)
        .default(['needs_you']),
      desktop: z.boolean().default(true),
      webhook: z
        .union([
          webhookAddress(),
          z.strictObject({ url: webhookAddress(), secret: webhookSecret().optional() }),
        ])
        .nullable()
        .default(null),
      command: command().nullable().default(null),
      /** In local time. */
      quiet: z
        .string()
        .regex(/^([01]\d|2[0-3]):[0-5]\d-([01]\d|2[0-3]):[0-5]\d$/, 'use 22:00-07:00')
        .nullable()
        .default(null),
      /** How long an item may block before its notice is sent again, once; `0s`: it is not. */
      repeat: duration('30m'),
    }),
    store: section({ url: z.string().nullable().default(null) }),
  }),
)

/** Parsed settings: every default filled in, durations in milliseconds. */
export type Settings = z.infer<typeof settingsSchema>
export const defaultSettings = (): Settings => settingsSchema.parse({})

/** Where notices may be sent to: over TLS, or to this machine. */
function isWebhookAddress(text: string): boolean {
  const url = URL.parse(text)
  if (url === null || url.username !== '' || url.password !== '') return false
  return url.protocol === 'https:' || (url.protocol === 'http:' && isThisMachine(url.hostname))
}

const isThisMachine = (host: string): boolean =>
  host === 'localhost' || host === '[::1]' || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(host)
