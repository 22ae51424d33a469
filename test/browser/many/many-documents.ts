/**
 * What a store cannot reasonably be filled with, as documents of the protocol in the place of the daemon's: a long interview,
 * remembered permissions, and workers that were silent for longer than a test takes.
 */
import type { BrowserContext } from 'playwright-core'
import { conversationAnswer, outlineAnswer, pmStatus } from '../../../src/protocol/interview.ts'
import { metricsAnswer, type MetricsAnswer, type WorkerRow } from '../../../src/protocol/answers.ts'
import { permissionsAnswer } from '../../../src/protocol/task-answer.ts'
import { snapshotAnswer, type SnapshotAnswer } from '../../../src/protocol/machine-answer.ts'
import { MINUTE } from '../../helpers/plan-builder.ts'
import { countIn, isIn, LATE, ZOMBIES } from './many-ports.ts'

export const INTERVIEW = '1.1'

const iso = (at: number): string => new Date(at).toISOString()

const QUESTION = {
  id: 'Q-1',
  text: 'Who may see the pictures?',
  options: [
    { key: 'a', label: 'Everybody', consequence: 'A picture needs no sign-in.' },
    { key: 'b', label: 'Signed-in users', consequence: 'A picture is served after a check of the session.' },
  ],
  default: 'b',
}

function conversation(count: number, now: number) {
  const messages = Array.from({ length: count }, (_, at) => {
    const isUser = at % 2 === 0
    const isLast = at === count - 1
    return {
      position: at + 1,
      from: isUser ? ('user' as const) : ('pm' as const),
      text: isUser
        ? `${at / 2 + 1}. Pictures of up to ${at + 2} MB, and a smaller one for the list.`
        : `Noted as requirement ${(at + 1) / 2}. ${isLast ? 'One question is left.' : 'What else should hold?'}`,
      questions: isLast ? [QUESTION] : [],
      answers: {},
      at: iso(now - (count - at) * MINUTE),
    }
  })
  return conversationAnswer.parse({ session_id: INTERVIEW, state: 'AWAIT_USER', messages, next: count })
}

function outline(count: number) {
  const lines = Array.from(
    { length: count },
    (_, at) => `- **R-${String(at + 1).padStart(3, '0')}** Pictures of up to ${at + 2} MB`,
  )
  const markdown = ['# Pictures', '', '## Requirements', '', ...lines, ''].join('\n')
  return outlineAnswer.parse({ session_id: INTERVIEW, markdown })
}

const MESSAGES = 400

function status() {
  return pmStatus.parse({
    session_id: INTERVIEW,
    state: 'AWAIT_USER',
    suspended_from: null,
    open_question: { text: 'One question is left.', questions: [QUESTION] },
    spec_sha: null,
    expertise: 'basic',
    messages: MESSAGES,
    spent_usd: 4.1,
    why: null,
    parked_until: null,
    recoverable: null,
    kept: [],
    plan: null,
    damaged: null,
  })
}

function permissions(repo: string, now: number) {
  const rows = Array.from({ length: 1000 }, (_, at) => ({
    id: `P-${at + 1}`,
    plan: 'shop',
    repo,
    item: `P-${at + 1}`,
    decision: at % 5 === 0 ? ('deny' as const) : ('allow' as const),
    what: `run “npx vitest run test/${at + 1}.test.ts” in its workspace`,
    scope: at % 3 === 0 ? ('plan' as const) : ('task' as const),
    task: at % 3 === 0 ? null : String(at + 1),
    by: 'Ana',
    at: iso(now - at * MINUTE),
  }))
  return permissionsAnswer.parse({ permissions: rows })
}

/** The strip over the workers counts what is in their rows. */
function withSilentCounts(metrics: MetricsAnswer): MetricsAnswer {
  const { healthy = 0, ...rest } = metrics.workers
  const [zombie, late] = [countIn(ZOMBIES), countIn(LATE)]
  return metricsAnswer.parse({
    ...metrics,
    workers: { ...rest, healthy: healthy - zombie - late, zombie, late },
  })
}

/** Of the fleet a few never showed a sign of life, and a few are late. */
function withSilentWorkers(snapshot: SnapshotAnswer): SnapshotAnswer {
  const workers = snapshot.workers.map((worker) => {
    const silent = worker.plan === 'fleet' ? silenceOf(Number(worker.task)) : null
    return silent === null ? worker : { ...worker, ...silent }
  })
  return snapshotAnswer.parse({ ...snapshot, workers })
}

function silenceOf(task: number): Pick<WorkerRow, 'health' | 'reason'> | null {
  if (isIn(ZOMBIES, task))
    return { health: 'zombie', reason: 'it runs but never gave a sign of life: no output for 41m' }
  if (isIn(LATE, task)) return { health: 'late', reason: 'no output for 16m, no file changed for 17m' }
  return null
}

export async function answerDocuments(context: BrowserContext, repo: string): Promise<void> {
  const now = Date.now()
  const answers: readonly (readonly [string, unknown])[] = [
    ['**/api/pm/status*', status()],
    ['**/api/pm/chat*', conversation(MESSAGES, now)],
    ['**/api/pm/preview/outline*', outline(MESSAGES / 2)],
    ['**/api/permissions', permissions(repo, now)],
  ]
  for (const [path, json] of answers) await context.route(path, (route) => route.fulfill({ json }))
  await context.route('**/api/snapshot', async (route) => {
    const response = await route.fetch()
    const snapshot = snapshotAnswer.parse(await response.json())
    await route.fulfill({ response, json: withSilentWorkers(snapshot) })
  })
  await context.route('**/api/metrics', async (route) => {
    const response = await route.fetch()
    const metrics = metricsAnswer.parse(await response.json())
    await route.fulfill({ response, json: withSilentCounts(metrics) })
  })
}
