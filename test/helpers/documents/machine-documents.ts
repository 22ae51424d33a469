/** What commands about this machine print with `--json`. */
import { z } from 'zod'
import { brainAnswer, crewAnswer, doctorAnswer } from '../../../src/protocol/machine-answer.ts'
import { usageRow } from '../../../src/protocol/rows.ts'

const texts = z.array(z.string())
const count = z.int().nonnegative()

const adapter = z.strictObject({ package: z.string(), version: z.string(), installed: z.boolean() })
const { by: signInBy } = crewAnswer.shape.agents.element.shape.sign_in.shape

/** As `/api/crew` answers, with more of each agent, and `records`: the results with all counts in one row. */
export const crewDocument = crewAnswer.extend({
  agents: z.array(
    crewAnswer.shape.agents.element.extend({
      tried: z.string(),
      folders: texts,
      adapter: adapter.nullable(),
      fix: z.string().nullable(),
      signed_in: z.strictObject({ by: signInBy, detail: z.string().nullable() }),
    }),
  ),
  /** The agents of bosun.yaml. */
  configured: z.array(
    z.strictObject({ name: z.string(), path: z.string().nullable(), problem: z.string().nullable() }),
  ),
  /** Who answers Bosun's own questions; null where bosun.yaml is invalid. */
  brain: brainAnswer.nullable(),
  records: z.array(
    z.strictObject({
      agent: z.string().nullable(),
      model: z.string().nullable(),
      tasks: count,
      first_pass: z.strictObject({ passed: count, of: count }),
      first_pass_rate: z.number().min(0).max(1).nullable(),
      attempts: count,
      reviews: count,
      work_ms: z.number().nonnegative(),
      ...usageRow.shape,
    }),
  ),
})

export const adaptersDocument = z.strictObject({
  adapters: z.array(
    z.strictObject({
      agent: z.string(),
      package: z.string(),
      version: z.string(),
      folder: z.string(),
      outcome: z.enum(['installed', 'present']),
    }),
  ),
})

/** As `/api/doctor` answers, with `checks`: the same with other names, and those that run the repository's commands. */
export const doctorDocument = doctorAnswer.extend({
  checks: z.array(
    z.strictObject({
      id: z.string(),
      status: z.enum(['ok', 'warning', 'problem']),
      message: z.string(),
      remedy: z.string(),
    }),
  ),
})

const tried = z.array(
  z.strictObject({
    check: z.enum(['setup', 'test', 'lint', 'typecheck', 'build']),
    command: z.string(),
    outcome: z.enum(['passed', 'failed', 'unnamed', 'cannot_run', 'not_tried']),
    insteadOf: z.string().optional(),
    byExitCode: z.strictObject({ failsWith: z.string().nullable() }).optional(),
    why: z.string(),
  }),
)
const command = z.union([z.string(), texts]).nullable()

export const initDocument = z.strictObject({
  file: z.string(),
  commands: z.strictObject({
    setup: command,
    test: command,
    lint: command,
    typecheck: command,
    build: command,
  }),
  agents: z.array(
    z.strictObject({
      name: z.string(),
      title: z.string(),
      path: z.string(),
      version: z.string().nullable(),
      tried: z.string(),
      folders: texts,
      signIn: z.strictObject({ by: signInBy, detail: z.string().nullable() }),
      protocol: z.enum(['command', 'acp']),
      adapter: z
        .strictObject({ package: z.string(), version: z.string(), isInstalled: z.boolean() })
        .nullable(),
      fix: z.string().nullable(),
      caution: z.string().nullable(),
    }),
  ),
  warnings: texts,
  tried,
})
export const initCutDocument = z.strictObject({ file: z.null(), tried })
export const skillDocument = z.strictObject({
  files: z.array(
    z.strictObject({
      agent: z.string(),
      path: z.string(),
      call: z.string(),
      outcome: z.enum(['written', 'unchanged', 'conflict']),
      why: z.string().nullable(),
    }),
  ),
})

export const exportDocument = z.strictObject({
  file: z.string(),
  events: count,
  sha256: z.string(),
  /** Why the file does not hold the whole log; null if it does. */
  stopped: z.string().nullable(),
})
export const importDocument = z.strictObject({
  file: z.string(),
  written: count,
  skipped: count,
  stopped: z.string().nullable(),
})

const manager = z.enum(['systemd', 'launchd'])
const serviceProblem = z.strictObject({ why: z.string(), command: z.string() }).nullable()

export const servicePrintDocument = z.strictObject({
  action: z.literal('print'),
  manager,
  file: z.string(),
  text: z.string(),
})
export const serviceInstallDocument = z.strictObject({
  action: z.literal('install'),
  manager,
  file: z.string(),
  how: z.enum(['written', 'replaced', 'unchanged']),
  started: z.boolean(),
  problem: serviceProblem,
})
export const serviceUninstallDocument = z.strictObject({
  action: z.literal('uninstall'),
  manager,
  file: z.string(),
  removed: z.boolean(),
  problem: serviceProblem,
})
export const serviceStatusDocument = z.strictObject({
  action: z.literal('status'),
  manager,
  file: z.string(),
  installed: z.boolean(),
  edited: z.boolean(),
  current: z.boolean(),
  enabled: z.boolean().nullable(),
  active: z.boolean().nullable(),
  pid: z.int().nullable(),
})

/** Of `clean --unknown-workers`. */
export const putAsideDocument = z.strictObject({
  workers: z.array(
    z.strictObject({
      worker: z.string(),
      repository: z.string(),
      plan: z.string(),
      folder: z.string(),
    }),
  ),
})
