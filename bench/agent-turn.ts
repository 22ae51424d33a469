/**
 * What Bosun adds to a turn of a real agent over the Agent Client Protocol, and what its supervisor takes of memory
 * meanwhile. The same agent (goose) asks the same scripted model, once through a bare client and once through the
 * supervisor as it is shipped: three steps, a file written and a file read among them, which the agent asks permission
 * for. A bare turn is from the prompt to its answer; one of Bosun from the prompt to the moment at which
 * Bosun, in another process, knows its end.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SupervisedAgent } from '../src/agents/supervised-agent.ts'
import { AcpClient } from '../test/agents/acp-client.ts'
import { labAgent, labJob, newTag, supervisorOf } from '../test/agents/lab.ts'
import { startModelServer } from '../test/agents/model-server/model-server.ts'
import { act, hang, play, read, reply, say, write, type Script } from '../test/agents/model-server/script.ts'
import { startScript } from '../test/real-agents/agent-home.ts'
import { acpLaunch, openGoose } from './lib/goose.ts'
import { median, report, round } from './lib/measure.ts'
import { memoryMb } from './lib/process-cost.ts'

const MARK_MS = 50
const MARK_FACTOR = 1.1
const MARK_MB = 80
const ROUNDS = 15
/** Models take longer; the shorter this is, the more Bosun's part weighs. */
const FIRST_TOKEN_MS = 200
const PROMPT = 'Write the file.'

const slow = (step: ReturnType<typeof act>) => reply({ ...step, firstTokenMs: FIRST_TOKEN_MS })
const turn = (): Script =>
  play([
    {
      steps: [
        slow(act(write('hello.txt', 'hello\n'))),
        slow(act(read('hello.txt'))),
        slow(say('I wrote the file.')),
      ],
    },
  ])

interface Timed {
  readonly turnMs: number
  /** From its start until nothing of it runs. */
  readonly wholeMs: number
}

const root = mkdtempSync(join(tmpdir(), 'bosun-agent-turn-'))
const server = await startModelServer(turn())
const home = await openGoose(server)
const launch = acpLaunch(home)
const startFile = join(root, 'start.sh')
writeFileSync(startFile, startScript(home, launch.argv, launch.env))
const bosun = await labAgent({
  root,
  tag: newTag(),
  supervise: [process.execPath, join(import.meta.dirname, '../dist/bosun.cjs'), 'supervise'],
  commandFor: () => ['sh', startFile],
  acp: { usage: 'last_step' },
  graceMs: 5000,
})
try {
  // In turns, so that whatever else the machine does hits both alike; the first turn warms up.
  const bare: Timed[] = []
  const supervised: Timed[] = []
  for (let nth = 0; nth <= ROUNDS; nth++) {
    const timed = [await runBare(), await runSupervised(bosun, `w-${nth}`)] as const
    if (nth === 0) continue
    bare.push(timed[0])
    supervised.push(timed[1])
  }
  const memory = await supervisorMemory(bosun)
  const [bareMs, bosunMs] = [median(bare.map(turnMsOf)), median(supervised.map(turnMsOf))]
  const [addedMs, factor] = [bosunMs - bareMs, bosunMs / bareMs]
  // How much a turn of the agent alone varies here: less than this cannot be told from nothing.
  const spreadMs = spread(bare.map(turnMsOf))
  const ok = addedMs <= MARK_MS && factor <= MARK_FACTOR && memory.rss <= MARK_MB
  const figures = {
    turns: ROUNDS,
    bare_ms: round(bareMs, 1),
    bosun_ms: round(bosunMs, 1),
    added_ms: round(addedMs, 1),
    factor: round(factor, 3),
    bare_spread_ms: round(spreadMs, 1),
    whole_bare_ms: round(median(bare.map(({ wholeMs }) => wholeMs)), 0),
    whole_bosun_ms: round(median(supervised.map(({ wholeMs }) => wholeMs)), 0),
    supervisor_pss_mb: round(memory.pss, 1),
    supervisor_private_mb: round(memory.private, 1),
    supervisor_rss_mb: round(memory.rss, 1),
    load: round(loadavg()[0] ?? 0, 1),
  }
  report('agent-turn', [figures], {
    mark_ms: MARK_MS,
    mark_factor: MARK_FACTOR,
    mark_mb: MARK_MB,
    ...figures,
    ok,
  })
  if (!ok) process.exitCode = 1
} finally {
  await bosun.close()
  await server.close()
  await home.dispose()
  rmSync(root, { recursive: true, force: true, maxRetries: 5 })
}

function turnMsOf({ turnMs }: Timed): number {
  return turnMs
}

/** Between the quarters. */
function spread(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (share: number): number => sorted[Math.floor(sorted.length * share)] ?? Number.NaN
  return at(0.75) - at(0.25)
}

async function runBare(): Promise<Timed> {
  server.play(turn())
  const start = performance.now()
  const client = new AcpClient({ ...launch, cwd: home.cwd })
  await client.initialize()
  const session = await client.newSession()
  const prompted = performance.now()
  const { stopReason } = await client.prompt(session, PROMPT)
  const turnMs = performance.now() - prompted
  await client.stop()
  if (stopReason !== 'end_turn') throw new Error(`the bare turn ended with ${String(stopReason)}`)
  return { turnMs, wholeMs: performance.now() - start }
}

async function runSupervised(agent: SupervisedAgent, worker: string): Promise<Timed> {
  server.play(turn())
  const { promise: ended, resolve, reject } = Promise.withResolvers<{ endedAt: number }>()
  let knownAt = Number.NaN
  const unlisten = agent.listen((event) => {
    if (event.worker !== worker) return
    if (event.kind === 'turn_ended') knownAt = Date.now()
    if (event.kind !== 'ended') return
    if (event.end.kind === 'done') resolve({ endedAt: performance.now() })
    else reject(new Error(`${worker} ended as ${JSON.stringify(event.end)}`))
  })
  const start = performance.now()
  await agent.start(labJob(worker, 'goose'))
  const { endedAt } = await ended
  unlisten()
  await agent.acknowledge(worker)
  return { turnMs: knownAt - promptedAt(worker), wholeMs: endedAt - start }
}

/** By the transcript, in whole milliseconds. */
function promptedAt(worker: string): number {
  const lines = readFileSync(join(root, 'workers', worker, 'transcript.jsonl'), 'utf8').split('\n')
  const first = lines.find((line) => line.includes('"kind":"prompt"'))
  if (first === undefined) throw new Error(`${worker} was never prompted`)
  return (JSON.parse(first) as { readonly at: number }).at
}

/** In the middle of a turn, after twenty tool calls. */
async function supervisorMemory(agent: SupervisedAgent): Promise<ReturnType<typeof memoryMb>> {
  const calls = Array.from({ length: 20 }, (_, nth) => act(write(`file${nth}.txt`, 'x'.repeat(2000))))
  server.play(play([{ steps: [...calls, hang()] }]))
  const worker = 'w-memory'
  await agent.start(labJob(worker, 'goose'))
  await server.until(({ step }) => step?.kind === 'hang')
  const memory = memoryMb(supervisorOf({ root, tag: '' }, worker))
  await agent.stop(worker, 'killed')
  return memory
}
