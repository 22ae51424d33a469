/** The daemon, the machine, and what happens on it. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { followEvents, type Followed } from '../../app/activity/follow-events.ts'
import { metricsHistory } from '../../app/activity/metrics-history.ts'
import { readActivity } from '../../app/activity/read-activity.ts'
import { pulseOf, statusOfAll, withRecords, snapshotOf } from '../../app/plans/plan-status.ts'
import { cleanUpBeside } from '../../app/upkeep/clean-up.ts'
import { countsOf } from '../../app/workers/day-metrics.ts'
import { usageRefusal, refusal } from '../../lib/refusal.ts'
import { PACKAGE_ROOT } from '../../lib/system/package-root.ts'
import type { EventMessage, StatusReading, MetricsAnswer } from '../../protocol/answers.ts'
import { eventsQuery, statusQuery } from '../../protocol/requests.ts'
import type { Door } from '../app.ts'
import type { PageSessions } from '../page/page-sessions.ts'
import type { ReadingDoor } from '../reading-routes.ts'
import { jsonAnswer, jsonHandlers, readQuery, type Handlers } from '../routing.ts'

export const machineReadings = ({ host, facts }: ReadingDoor): Handlers => ({
  ...jsonHandlers({
    'GET /api/activity': async ({ query: { repo, ...query } }) =>
      readActivity(host, { ...query, repository: await host.repositoryAt(repo) }),
    'GET /api/metrics': () => countsOf(host),
    'GET /api/metrics/history': async ({ query: { repo, plan, days } }) => {
      // Of an unknown repository there is nothing; without one, everything counts.
      const repository = repo === undefined ? undefined : ((await host.repositoryAt(repo)) ?? '')
      return metricsHistory(host, { repository, plan, days })
    },
  }),
  // Without a daemon its facts are null.
  'GET /api/daemon': async () => jsonAnswer(facts),
  'GET /api/status': async (request) => {
    const { records } = readQuery(request, statusQuery)
    const seq = await host.parts.log.head()
    const interviews = await host.listInterviews()
    const unreadable = host.unloaded.all().map(({ stream, why }) => ({ plan: stream, why }))
    const found = records === undefined ? statusOfAll(host) : withRecords(host, statusOfAll(host))
    const status = { daemon: facts, pulse: pulseOf(host), ...found, interviews, unreadable, seq }
    return jsonAnswer(status satisfies StatusReading)
  },
})

/** What the page shows of this machine is looked at when it is asked for, with code that is loaded then. */
export const machineRoutes = (door: Door, pages: PageSessions): Handlers => {
  const { host, facts, stop } = door
  const answers = () => import('../../app/upkeep/machine-answers.ts')
  const settings = () => import('../../config/show-settings.ts')
  return {
    ...jsonHandlers({
      'GET /api/snapshot': async () => ({ daemon: facts, ...(await snapshotOf(host)) }),
      'GET /api/crew': async ({ query: { repo = null } }) =>
        (await answers()).crewPage(host, await (await settings()).rolesIn(repo)),
      'GET /api/brain': async ({ query: { repo } }) => {
        const { brainAnswerOf } = await answers()
        const { brainFor } = host.parts
        if (repo === undefined || brainFor === undefined)
          return brainAnswerOf({ who: null, why: 'no repository was asked about' })
        const { readSettings } = await import('../../config/read-settings.ts')
        const found = await readSettings((await settings()).existing(repo))
        const brain = await brainFor({ repository: repo, settings: found, variables: {} })
        return brainAnswerOf(await brain.describe())
      },
      'GET /api/settings': async ({ query: { repo = null } }) => {
        const shown = await (await settings()).showSettings(repo, process.env)
        const starts = pages.startTimes()
        const since = starts[0] === undefined ? null : new Date(starts[0]).toISOString()
        const sessions = { count: starts.length, since }
        return { repo, ...shown, home: host.parts.root, version: facts.version, sessions }
      },
      'GET /api/doctor': async ({ query: { repo } }) =>
        (await answers()).doctorPage(
          host,
          repo === undefined ? undefined : (await settings()).existing(repo),
        ),
      'POST /api/clean': async ({ body: { older_than_ms: olderThanMs } }) => ({
        repositories: await cleanUpBeside(host, olderThanMs),
      }),
      'POST /api/daemon/stop': () => {
        stop()
        return { stopping: true }
      },
    }),
    'GET /metrics': async () => ({
      status: 200,
      headers: { 'Content-Type': OPEN_METRICS },
      body: openMetrics(await countsOf(host)),
    }),
    'GET /openapi.json': openapi,
    'GET /api/events': events(door),
  }
}

/** The API as OpenAPI, as the build left it. */
const openapi: NonNullable<Handlers['GET /openapi.json']> = async () => ({
  status: 200,
  headers: { 'Content-Type': 'application/json' },
  body: await readFile(join(PACKAGE_ROOT, 'dist/openapi.json'), 'utf8').catch((cause: unknown) => {
    throw refusal('not_found', 'this build has no openapi.json', 'Build it: npm run build', cause)
  }),
})

/** Plenty for people, and few enough to be cheap. */
const MOST_STREAMS = 100
const HEARTBEAT_MS = 15_000
const NOTICES_FOR = { true: 'page', terminal: 'terminal', false: undefined } as const

/** Everything that happens. Each message carries its place in the log, so that a client can resume without a gap. */
function events({ host, ending, onError }: Door): NonNullable<Handlers['GET /api/events']> {
  const streams = { open: 0 }
  return async (request) => {
    const { repo, plan, after, notices = 'false' } = readQuery(request, eventsQuery)
    const repository = await host.repositoryAt(repo)
    const from = lastEventId(request.headers.get('last-event-id')) ?? after ?? (await host.parts.log.head())
    if (streams.open >= MOST_STREAMS) {
      throw refusal('conflict', 'too many event streams are open', 'Close some of them.')
    }
    const until = AbortSignal.any([request.gone(), ending])
    const noticesFor = NOTICES_FOR[notices]
    const followed = followEvents(host, {
      after: from,
      repository,
      plan,
      until,
      idleMs: HEARTBEAT_MS,
      noticesFor,
    })
    const headers = { 'Content-Type': 'text/event-stream', Connection: 'keep-alive' }
    return { status: 200, headers, body: blocksOf(followed, streams, onError) }
  }
}

/** The text of the stream, one block per event. */
async function* blocksOf(
  all: AsyncIterable<Followed>,
  streams: { open: number },
  onError: Door['onError'],
): AsyncGenerator<string> {
  streams.open++
  try {
    yield 'retry: 1000\n\n'
    for await (const followed of all)
      yield followed === 'nothing' ? ': here\n\n' : followed.map(blockOf).join('')
  } catch (error) {
    // The client resumes from its last event.
    onError('the event stream', error)
  } finally {
    streams.open--
  }
}

function blockOf(message: EventMessage): string {
  const id = message.seq === null ? '' : `id: ${message.seq}\n`
  return `event: happened\ndata: ${JSON.stringify(message)}\n${id}\n`
}

function lastEventId(header: string | undefined): number | undefined {
  if (header === undefined || header === '') return undefined
  if (/^\d{1,15}$/.test(header)) return Number(header)
  throw usageRefusal('Last-Event-ID is not a sequence number', 'Send the id of the last message received.')
}

/** Metrics as text for scrapers: OpenMetrics 1.0. */
export const OPEN_METRICS = 'application/openmetrics-text; version=1.0.0; charset=utf-8'

type Values = Readonly<Record<string, number | null>>
/** Without a label there is one value. */
type Family = readonly [name: string, help: string, values: Values, label?: string]

export function openMetrics(counts: MetricsAnswer): string {
  const { watch } = counts
  const one = (value: number | null): Values => ({ '': value })
  const families: readonly Family[] = [
    ['bosun_plans', 'Plans by state.', counts.plans, 'state'],
    ['bosun_tasks', 'Tasks by status.', counts.tasks, 'status'],
    ['bosun_workers', 'Running workers by health.', counts.workers, 'health'],
    ['bosun_inbox_items', 'Open inbox items by kind.', counts.inbox, 'kind'],
    ['bosun_repositories', 'Repositories known.', one(counts.repositories)],
    ['bosun_events', 'Events in the log.', one(counts.events)],
    ['bosun_workers_started_day', 'Workers started within 24 hours.', one(watch.workers)],
    ['bosun_work_completed_day', 'Work that landed within 24 hours.', one(watch.completed)],
    ['bosun_workers_failed_day', 'Workers lost within 24 hours.', one(watch.failed)],
    [
      'bosun_success_ratio',
      'Share of landed work in landed work and lost workers within 24 hours.',
      one(ratio(watch.success_rate)),
    ],
    [
      'bosun_completion_seconds',
      'Mean running time of workers that finished within 24 hours.',
      one(seconds(watch.mean_completion_ms)),
    ],
    [
      'bosun_interventions_day',
      'Interventions of the watch within 24 hours by kind.',
      watch.interventions,
      'kind',
    ],
    [
      'bosun_interventions_active',
      'Interventions in effect for running workers by kind.',
      watch.interventions_active,
      'kind',
    ],
    ['bosun_work_completed_today', 'Work that landed since midnight.', one(watch.completed_today)],
    ['bosun_workers_failed_today', 'Workers lost since midnight.', one(watch.failed_today)],
  ]
  return `${families.flatMap(linesOf).join('\n')}\n# EOF\n`
}

const ratio = (percent: number | null): number | null => (percent === null ? null : percent / 100)
const seconds = (ms: number | null): number | null => (ms === null ? null : ms / 1000)

/** Metrics without a value are left out. */
function linesOf([name, help, values, label]: Family): readonly string[] {
  const samples = Object.entries(values).flatMap(([word, value]) => {
    if (value === null) return []
    const labels = label === undefined ? '' : `{${label}=${JSON.stringify(word)}}`
    return [`${name}${labels} ${value}`]
  })
  return samples.length === 0 ? [] : [`# TYPE ${name} gauge`, `# HELP ${name} ${help}`, ...samples]
}
