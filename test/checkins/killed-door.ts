/** A door that is killed with -9 while workers check in, and what was acknowledged until then. */
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { eventCodec } from '../../src/core/events/codec.ts'
import { openStore } from '../../src/store/open-store.ts'
import { programPath } from '../helpers/program-path.ts'
import { CheckinClient } from './client.ts'
import { workerOf } from './door.ts'

const FIXTURE = programPath('test/fixtures/checkins/door.ts')
/** Check-ins that are on their way at any time. */
const AT_ONCE = 16
let rounds = 0

/** Answers with what was acknowledged: at least `answers` of them. */
export async function checkInUntilKilled(
  root: string,
  { workers, answers }: { readonly workers: number; readonly answers: number },
): Promise<readonly string[]> {
  const round = ++rounds
  const child = spawn(process.execPath, [FIXTURE, root, String(workers)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const gone = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const first = await lines.next()
  const { port, stream } = JSON.parse(String(first.value)) as { port: number; stream: string }
  const client = new CheckinClient({ root, port, stream })
  const acknowledged: string[] = []
  let sent = 0
  const speak = async (): Promise<void> => {
    for (;;) {
      const step = `round ${round} step ${sent}`
      const worker = workerOf(sent++ % workers)
      const checkin = { status: 'in_progress', progress_pct: sent % 100, current_step: step }
      const answer = await client.post(worker, JSON.stringify(checkin)).catch(() => null)
      if (answer === null) return
      const isKept = answer.status === 202 && (JSON.parse(answer.body) as { accepted: boolean }).accepted
      if (isKept) acknowledged.push(step)
      if (acknowledged.length >= answers) child.kill('SIGKILL')
      // More would be too many of one worker in an hour.
      if (sent >= workers * 19) return
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, speak))
  child.kill('SIGKILL')
  await gone
  client.close()
  return acknowledged
}

/** The step that a kept check-in tells of. */
export const stepIn = (body: string): string =>
  String((JSON.parse(body) as { current_step?: string }).current_step)

/** The steps of every check-in that was kept. */
export async function keptIn(root: string): Promise<readonly string[]> {
  const opened = await openStore({ root, codec: eventCodec })
  if (!opened.ok) throw new Error('the store is held')
  const { store } = opened
  try {
    const steps: string[] = []
    for (let after = 0; ;) {
      const page = await store.notes.tail(after, 1000)
      if (page.length === 0) return steps
      steps.push(...page.flatMap(({ event, data }) => (event === 'checkin_received' ? [stepIn(data)] : [])))
      after = page.at(-1)?.seq ?? after
    }
  } finally {
    await store.close()
  }
}
