/**
 * What a warm think call adds to the provider's own time: prompt, schema, the AI SDK, reading and checking the answer.
 * The same request goes to the same scripted provider on 127.0.0.1, once through the brain and once as a bare `fetch` of
 * the recorded body. Then, in simulated plans, how often the brain is asked while workers merely run.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { configuredBrain } from '../src/brain/configured-brain.ts'
import { eventCodec } from '../src/core/events/codec.ts'
import { handleFailure } from '../src/core/thinking/questions/handle-failure.ts'
import { settingsSchema } from '../src/core/settings/settings.ts'
import { systemClock } from '../src/lib/system/system-clock.ts'
import { faultRates, NO_FAULTS, type FaultRates } from '../src/simulation/faults.ts'
import { Random } from '../src/simulation/random.ts'
import { samplePlan } from '../src/simulation/sample-plans.ts'
import { simulate } from '../src/simulation/simulation.ts'
import { MemoryEventLog } from '../src/store/memory-event-log.ts'
import { startModelServer } from '../test/agents/model-server/model-server.ts'
import { always, say } from '../test/agents/model-server/script.ts'
import { aTask } from '../test/helpers/plan-builder.ts'
import { median, report, round, timeMs } from './lib/measure.ts'

const MARK_MS = 10
const ROUNDS = 60
const WARM_UP = 10
const SEEDS = 20
const PROVIDERS = {
  anthropic: { path: '/v1', model: 'claude-sonnet-4-5', key: 'ANTHROPIC_API_KEY' },
  openai: { path: '/v1', model: 'gpt-5.5', key: 'OPENAI_API_KEY' },
  google: { path: '/v1beta', model: 'gemini-3.8-flash', key: 'GOOGLE_GENERATIVE_AI_API_KEY' },
  compatible: { path: '/v1', model: 'qwen3:8b', key: 'OPENAI_COMPATIBLE_API_KEY' },
} as const
type Provider = keyof typeof PROVIDERS

/** As large as a real one: a contract and the output of a failed suite. */
const input = (attempt: number) => ({
  spec: aTask('1', { description: 'Work through the list of prices. '.repeat(60) }),
  attempt,
  cause: { kind: 'refused' as const, reason: 'expected 3 to be 4\n'.repeat(200) },
  failed: [],
  attemptsLeft: 2,
})

const folder = mkdtempSync(join(tmpdir(), 'bosun-think-'))
const server = await startModelServer(always(say('{"move":"retry","note":"it can be fixed","advice":null}')))
const { signal } = new AbortController()

async function overhead(provider: Provider): Promise<{ readonly brainMs: number; readonly bareMs: number }> {
  const { path, model, key } = PROVIDERS[provider]
  const brain = configuredBrain({
    settings: settingsSchema.parse({
      brain: { provider, base_url: `${server.url}${path}`, large: model, budget_usd: 100 },
      prices: { [model]: { input: 1, output: 1 } },
    }),
    env: { [key]: 'a-key' },
    folder,
    clock: systemClock,
    usageFile: join(folder, 'usage.jsonl'),
    agent: () => Promise.reject(new Error('there is no agent')),
  })
  const think = async (attempt: number): Promise<void> => {
    const thought = await brain.think(handleFailure, input(attempt), {
      about: { plan: provider },
      signal,
      outage: 'throw',
    })
    if (thought.by !== `${provider}/${model}` || thought.cached) throw new Error(`answered by ${thought.by}`)
  }
  const bare = async (): Promise<void> => {
    const asked = server.requests.at(-1)
    if (asked === undefined) throw new Error('nothing was asked yet')
    const response = await fetch(`${server.url}${asked.path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(asked.body),
    })
    await response.json()
  }
  const [brainMs, bareMs]: [number[], number[]] = [[], []]
  for (let turn = 0; turn < WARM_UP + ROUNDS; turn++) {
    const times = [await timeMs(() => think(turn + 1)), await timeMs(bare)] as const
    if (turn < WARM_UP) continue
    brainMs.push(times[0])
    bareMs.push(times[1])
  }
  return { brainMs: median(brainMs), bareMs: median(bareMs) }
}

interface Asked {
  readonly workers: number
  /** Without the reviews. */
  readonly calls: number
  /** Of low work that has passed its gates: its worker has ended. */
  readonly reviews: number
}

/** How often the brain was asked in plans that would ask it after a failure and about low work, and how many workers ran. */
async function asked(rates: FaultRates): Promise<Asked> {
  let [workers, calls, reviews] = [0, 0, 0]
  for (let seed = 1; seed <= SEEDS; seed++) {
    const plan = samplePlan(new Random(seed, 'plan'), 10)
    const registered = { ...plan, settings: { ...plan.settings, brainAssesses: true, brainReviews: true } }
    const done = await simulate({ registered, seed, rates, log: new MemoryEventLog(eventCodec) })
    if (done.violation !== null) throw new Error(`seed ${seed}: ${done.violation.what}`)
    const types = done.entries.map(({ event }) => event.type)
    workers += types.filter((type) => type === 'worker.started').length
    const questions = done.entries.flatMap(({ event }) =>
      event.type === 'brain.answered' ? [event.question] : [],
    )
    reviews += questions.filter((question) => question === 'review_artifact').length
    calls += questions.filter((question) => question !== 'review_artifact').length
  }
  return { workers, calls, reviews }
}

const rows: Record<string, string | number>[] = []
const overheads: number[] = []
for (const provider of Object.keys(PROVIDERS) as Provider[]) {
  const { brainMs, bareMs } = await overhead(provider)
  overheads.push(brainMs - bareMs)
  rows.push({
    what: provider,
    'think ms': round(brainMs),
    'bare ms': round(bareMs),
    'overhead ms': round(brainMs - bareMs),
  })
}
const calm = await asked(NO_FAULTS)
const failing = await asked(faultRates(['gate_once'], 1))
rows.push(
  { what: 'workers merely run', workers: calm.workers, calls: calm.calls, reviews: calm.reviews },
  { what: 'gates fail once', workers: failing.workers, calls: failing.calls, reviews: failing.reviews },
)
await server.close()
rmSync(folder, { recursive: true, force: true })
const worst = Math.max(...overheads)
const ok = worst <= MARK_MS && calm.workers > 0 && calm.calls === 0 && failing.calls > 0
report('think', rows, {
  mark: MARK_MS,
  ok,
  overhead_ms: round(worst),
  calls_while_running: calm.calls,
  workers: calm.workers,
  load: round(loadavg()[0] ?? 0, 1),
})
if (!ok) process.exitCode = 1
