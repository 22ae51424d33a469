/** The daemon, the machine, and what happens on it. */
import { z } from 'zod'
import * as answers from '../answers.ts'
import {
  brainAnswer,
  crewAnswer,
  doctorAnswer,
  settingsAnswer,
  historyAnswer,
  snapshotAnswer,
} from '../machine-answer.ts'
import * as requests from '../requests.ts'
import { changes, reads, type RouteTable } from './route-document.ts'

export const MACHINE_ROUTES = {
  'GET /api/snapshot': reads('What every screen shows, with its place in the event stream', snapshotAnswer),
  'GET /api/status': reads('Plans, tasks, workers and inbox, all of them', answers.statusAnswer),
  'GET /api/events': {
    summary: 'Everything that happens, as server-sent events; Last-Event-ID resumes without a gap',
    query: requests.eventsQuery,
    answer: answers.eventMessage,
    content: 'text/event-stream',
  },
  'GET /api/activity': reads(
    'What happened, the newest lines',
    answers.activityAnswer,
    requests.activityQuery,
  ),
  'GET /api/crew': reads('Agents found, and what they did', crewAnswer, requests.repoQuery),
  'GET /api/brain': reads(
    "Who answers Bosun's own questions, what that costs and how long it takes",
    brainAnswer,
    requests.repoQuery,
  ),
  'GET /api/metrics': reads('Figures of this moment', answers.metricsAnswer),
  'GET /api/metrics/history': reads('Figures over time', historyAnswer, requests.historyQuery),
  'GET /api/settings': reads('The settings in effect', settingsAnswer, requests.repoQuery),
  'GET /api/doctor': reads('What is missing on this machine', doctorAnswer, requests.repoQuery),
  'GET /api/daemon': reads('The daemon itself', answers.daemonFacts),
  'POST /api/daemon/stop': changes(
    'Stop the daemon; workers go on',
    requests.stopRequest,
    answers.stoppingAnswer,
  ),
  'POST /api/clean': changes(
    'Clean up after plans that have ended',
    requests.cleanRequest,
    answers.cleanedAnswer,
  ),
  'GET /metrics': {
    summary: 'Figures of this moment for scrapers, in OpenMetrics',
    answer: z.string(),
    content: 'application/openmetrics-text',
  },
  'GET /openapi.json': reads('This document', z.record(z.string(), z.json())),
} as const satisfies RouteTable
