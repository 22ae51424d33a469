import { describe, expect, test } from 'vitest'
import type { Daemon } from '../../client/daemon.ts'
import type { EventMessage, PlanAnswer } from '../../protocol/answers.ts'
import type { Call } from '../command.ts'
import { runPlan } from './run-plan.ts'
import { styleOf } from '../terminal/terminal.ts'

type Outcome = PlanAnswer['outcome']

interface Scenario {
  /** The outcome in each message, in order; undefined for a daemon too old to send it. */
  readonly outcomes: readonly (Outcome | undefined)[]
  readonly output?: 'terminal' | 'other'
  /** Ctrl-C after the last message. */
  readonly isInterrupted?: boolean
}

/** `bosun run shop --json`, or in a terminal, with a daemon that sends these outcomes. */
async function run({ outcomes, output = 'other', isInterrupted = false }: Scenario) {
  const interruption = new AbortController()
  let version = 1
  let asked = 0
  const report = (): Pick<PlanAnswer, 'plans' | 'tasks' | 'inbox' | 'commits' | 'outcome' | 'version'> => ({
    plans: [],
    tasks: [],
    inbox: [],
    commits: Array.from({ length: version }, (_, place) => ({ task: `${place}`, sha: 'ab' })),
    outcome: version === outcomes.length + 1 && !isInterrupted ? 'released' : 'moving',
    version,
  })
  const daemon: Pick<Daemon, 'get' | 'events'> = {
    get: async <T>() => {
      asked++
      return report() as T
    },
    async *events() {
      for (const outcome of outcomes) {
        version++
        yield message(version, outcome)
      }
      if (isInterrupted) interruption.abort()
    },
  }
  const terminal = {
    cwd: '/',
    env: {},
    input: 'other',
    output,
    width: 80,
    height: 20,
    style: styleOf('plain'),
    print: async () => 'written',
    printMessage: () => undefined,
  }
  const services = { interruption: () => interruption.signal, daemon: async () => daemon }
  const call = { terminal, services, args: ['shop'], json: output === 'other', mayAsk: false }
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

describe('bosun run without a terminal', () => {
  test('requests a report only once the plan has come to rest', async () => {
    expect(await run({ outcomes: ['moving', 'moving', 'released'] })).toEqual({
      exit: 'ok',
      commits: 4,
      asked: 2,
    })
  })

  test('requests a report after every message without an outcome', async () => {
    expect(await run({ outcomes: [undefined, undefined] })).toEqual({ exit: 'ok', commits: 3, asked: 3 })
  })

  test('reports the work done until it detached', async () => {
    expect(await run({ outcomes: ['moving', 'moving'], isInterrupted: true })).toEqual({
      exit: 'interrupted',
      commits: 3,
      asked: 2,
    })
  })
})

test('a terminal shows every report', async () => {
  expect(await run({ outcomes: ['moving', 'released'], output: 'terminal' })).toMatchObject({ asked: 3 })
})
