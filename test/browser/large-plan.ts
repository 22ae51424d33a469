/** A plan of many tasks in every stage, as the daemon would answer it: for pages that have to stay smooth with it. */
import type { BrowserContext } from 'playwright-core'
import {
  graphAnswer,
  timelineAnswer,
  type GraphAnswer,
  type TimelineAnswer,
} from '../../src/protocol/plan-views.ts'

type PlanTask = GraphAnswer['tasks'][number]

const MINUTE = 60_000
/** Tasks are done in order up to here. */
const DONE_PART = 0.45
/** A task depends on tasks at most this far before it. */
const REACH = 40
const SUBJECTS = ['cart', 'order', 'search', 'login', 'profile', 'export', 'invoice', 'theme', 'upload']
const VERBS = ['Add', 'Fix', 'Rename', 'Test', 'Document', 'Split', 'Validate', 'Log', 'Secure']

/** The same numbers for the same seed. */
function numbersFrom(seed: number): () => number {
  let state = seed
  return () => (state = (state * 1_103_515_245 + 12_345) % 2_147_483_648) / 2_147_483_648
}

export function largeGraph(plan: string, repo: string, count: number, now: number): GraphAnswer {
  const random = numbersFrom(7)
  const completed = new Set<string>()
  const tasks = Array.from({ length: count }, (_, at): PlanTask => {
    const id = `T-${at + 1}`
    const wanted = at < 4 ? 0 : random() < 0.5 ? 1 : 2
    const depends_on = [
      ...new Set(Array.from({ length: wanted }, () => `T-${Math.max(1, at - Math.floor(random() * REACH))}`)),
    ]
    const blocked_by = depends_on.filter((other) => !completed.has(other))
    const stage = at < count * DONE_PART ? DONE : blocked_by.length > 0 ? PENDING : openStage(at)
    if (stage === DONE) completed.add(id)
    const subject = SUBJECTS[(at * 7) % SUBJECTS.length]
    return {
      id,
      title: `${VERBS[at % VERBS.length]} the ${subject} of the ${SUBJECTS[(at * 3) % SUBJECTS.length]} page`,
      tier: at % 17 === 0 ? 'critical' : at % 3 === 0 ? 'low' : 'normal',
      attempt: at % 5 === 0 ? 2 : 1,
      since: new Date(now - ((at * 13) % 300) * MINUTE).toISOString(),
      depends_on,
      blocked_by,
      ...stage,
    }
  })
  return graphAnswer.parse({ plan, repo, title: 'A large shop', tasks, left_out: 0, seq: 1 })
}

type Stage = Pick<PlanTask, 'status' | 'stage' | 'worker' | 'item' | 'commit_sha' | 'note'>

const NOTHING = { worker: null, item: null, commit_sha: null, note: null }
const DONE: Stage = {
  ...NOTHING,
  status: 'completed',
  stage: 'completed',
  commit_sha: 'a1b2c3d'.padEnd(40, '0'),
}
const PENDING: Stage = { ...NOTHING, status: 'pending', stage: 'pending' }
const worker = (health: string, reason: string) => ({ id: `w-${health}`, health, reason })

function openStage(at: number): Stage {
  const working = { ...NOTHING, status: 'in_progress', stage: 'working' } as const
  switch (at % 10) {
    case 0:
      return { ...NOTHING, status: 'escalated', stage: 'escalated', item: `E-${at}` }
    case 1:
      return { ...working, worker: worker('stalled', 'no output for 16m; a nudge had no effect') }
    case 2:
    case 3:
      return { ...working, worker: worker('healthy', 'edited src/cart.ts 12s ago') }
    case 4:
      return { ...working, stage: 'gating', note: 'runs npm test: 148 tests, last time 12 s' }
    case 5:
      return { ...working, stage: 'reviewing', worker: worker('healthy', 'started 2m ago') }
    case 6:
      return { ...working, stage: 'committing', note: 'second in the landing queue' }
    default:
      return { ...NOTHING, status: 'ready', stage: 'ready' }
  }
}

/** Two sittings with a night between them. */
export function largeTimeline({ plan, tasks }: GraphAnswer, now: number): TimelineAnswer {
  const from = now - 12 * 60 * MINUTE
  const moment = (at: number): string => new Date(at).toISOString()
  const rows = tasks.map(({ id, title, status, stage }, at) => {
    let reached =
      from +
      (at % 2 === 0 && stage !== 'working'
        ? ((at * 37) % 80) * MINUTE
        : 10.4 * 60 * MINUTE + ((at * 23) % 60) * MINUTE)
    const span = (kind: 'waiting' | 'work' | 'gates' | 'review' | 'person' | 'landing', minutes: number) => {
      const begun = reached
      reached += minutes * MINUTE
      return { kind, from: moment(begun), to: moment(reached), label: kind === 'work' ? `w-${id}-1` : '' }
    }
    if (status === 'pending' || status === 'ready') return { task: id, title, spans: [] }
    if (stage === 'working')
      return { task: id, title, spans: [span('waiting', 4), { ...span('work', 6), to: null }] }
    const spans = [span('waiting', 4), span('work', 6 + (at % 9)), span('gates', 3), span('review', 3)]
    if (at % 7 === 0) spans.push(span('person', 12))
    return { task: id, title, spans: status === 'completed' ? [...spans, span('landing', 1)] : spans }
  })
  return timelineAnswer.parse({ plan, from: moment(from), to: moment(now), rows, left_out: 0 })
}

/** Answers the graph and the timeline of a plan in the place of the daemon. */
export async function answerLargePlan(
  context: BrowserContext,
  plan: string,
  count: number,
): Promise<GraphAnswer> {
  const now = Date.now()
  const graph = largeGraph(plan, '/home/ann/shop', count, now)
  const timeline = largeTimeline(graph, now)
  await context.route(`**/api/plans/${plan}/graph*`, (route) => route.fulfill({ json: graph }))
  await context.route(`**/api/plans/${plan}/timeline*`, (route) => route.fulfill({ json: timeline }))
  return graph
}
