import { describe, expect, test } from 'vitest'
import type { Daemon } from '../client/daemon.ts'
import type { EventMessage, PlanAnswer } from '../protocol/answers.ts'
import type { Call } from './command.ts'
import { runPlan } from './run-plan.ts'
import { styleOf } from './terminal/style.ts'

type Outcome = PlanAnswer['outcome']

interface Happening {
  /** What its messages say of the plan, in order; undefined where the daemon is too old to say it. */
  readonly told: readonly (Outcome | undefined)[]
  readonly output?: 'terminal' | 'other'
  /** Ctrl-C after the last message. */
  readonly isInterrupted?: boolean
}

/** `bosun run shop --json`, or in a terminal, with a daemon that tells this. */
async function run({ told, output = 'other', isInterrupted = false }: Happening) {
  const interruption = new AbortController()
  let version = 1
  let asked = 0
  const report = (): Pick<PlanAnswer, 'plans' | 'tasks' | 'inbox' | 'commits' | 'outcome' | 'version'> => ({
    plans: [],
    tasks: [],
    inbox: [],
    commits: Array.from({ length: version }, (_, place) => ({ task: `${place}`, sha: 'ab' })),
    outcome: version === told.length + 1 && !isInterrupted ? 'released' : 'moving',
    version,
  })
  const daemon: Pick<Daemon, 'get' | 'events'> = {
    get: async <T>() => {
      asked++
      return report() as T
    },
    async *events() {
      for (const outcome of told) {
        version++
        yield message(version, outcome)
      }
      if (isInterrupted) interruption.abort()
    },
  }
  const terminal = {
    cwd: '/',
    input: 'other',
    output,
    width: 80,
    height: 20,
    style: styleOf('plain'),
    print: async () => 'written',
    say: () => undefined,
  }
  const parts = { interruption: () => interruption.signal, daemon: async () => daemon }
  const call = { terminal, parts, args: ['shop'], json: output === 'other', mayAsk: false }
  const { exit, document } = await runPlan(call as unknown as Call)
  return { exit, commits: (document['commits'] as readonly unknown[]).length, asked }
}

const message = (version: number, outcome: Outcome | undefined): EventMessage => ({
  seq: version,
  version,
  timestamp: '2026-01-05T09:00:00.000Z',
  plan: 'shop',
  task: null,
  text: null,
  details: [],
  activity: [],
  ...(outcome === undefined ? {} : { outcome }),
})

describe('whoever runs a plan without a terminal', () => {
  test('asks for a report when the plan has come to rest, and not before', async () => {
    expect(await run({ told: ['moving', 'moving', 'released'] })).toEqual({
      exit: 'ok',
      commits: 4,
      asked: 2,
    })
  })

  test('asks after every message of a daemon that does not say how the plan is', async () => {
    expect(await run({ told: [undefined, undefined] })).toEqual({ exit: 'ok', commits: 3, asked: 3 })
  })

  test('hears what was done until it detached', async () => {
    expect(await run({ told: ['moving', 'moving'], isInterrupted: true })).toEqual({
      exit: 'interrupted',
      commits: 3,
      asked: 2,
    })
  })
})

test('a terminal is shown every report', async () => {
  expect(await run({ told: ['moving', 'released'], output: 'terminal' })).toMatchObject({ asked: 3 })
})
