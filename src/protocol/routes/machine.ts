/** The daemon, the machine, and what happens on it. */
import { z } from 'zod'
import * as answers from '../answers.ts'
import { brainAnswer, crewAnswer, doctorAnswer, settingsAnswer } from '../machine-answer.ts'
import { historyAnswer } from '../metrics-history.ts'
import * as requests from '../requests.ts'
import { snapshotAnswer } from '../snapshot.ts'
import type { RouteTable } from './route-document.ts'

export const MACHINE_ROUTES = {
  'GET /api/snapshot': {
    summary: 'What every screen shows, with its place in the event stream',
    caller: 'user',
    answer: snapshotAnswer,
  },
  'GET /api/status': {
    summary: 'Plans, tasks, workers and inbox, all of them',
    caller: 'user',
    answer: answers.statusAnswer,
  },
  'GET /api/events': {
    summary: 'Everything that happens, as server-sent events; Last-Event-ID resumes without a gap',
    caller: 'user',
    query: requests.eventsQuery,
    answer: answers.eventMessage,
    content: 'text/event-stream',
  },
  'GET /api/activity': {
    summary: 'What happened, the newest lines',
    caller: 'user',
    query: requests.activityQuery,
    answer: answers.activityAnswer,
  },
  'GET /api/crew': {
    summary: 'Agents found, and what they did',
    caller: 'user',
    query: requests.repoQuery,
    answer: crewAnswer,
  },
  'GET /api/brain': {
    summary: "Who answers Bosun's own questions, what that costs and how long it takes",
    caller: 'user',
    query: requests.repoQuery,
    answer: brainAnswer,
  },
  'GET /api/metrics': { summary: 'Figures of this moment', caller: 'user', answer: answers.metricsAnswer },
  'GET /api/metrics/history': {
    summary: 'Figures over time',
    caller: 'user',
    query: requests.historyQuery,
    answer: historyAnswer,
  },
  'GET /api/settings': {
    summary: 'The settings in effect',
    caller: 'user',
    query: requests.repoQuery,
    answer: settingsAnswer,
  },
  'GET /api/doctor': {
    summary: 'What is missing on this machine',
    caller: 'user',
    query: requests.repoQuery,
    answer: doctorAnswer,
  },
  'GET /api/daemon': { summary: 'The daemon itself', caller: 'user', answer: answers.daemonFacts },
  'POST /api/daemon/stop': {
    summary: 'Stop the daemon; workers go on',
    caller: 'user',
    body: requests.stopRequest,
    answer: answers.stoppingAnswer,
  },
  'POST /api/clean': {
    summary: 'Clean up after plans that have ended',
    caller: 'user',
    body: requests.cleanRequest,
    answer: answers.cleanedAnswer,
  },
  'GET /metrics': {
    summary: 'Figures of this moment for scrapers, in OpenMetrics',
    caller: 'user',
    answer: z.string(),
    content: 'application/openmetrics-text',
  },
  'GET /openapi.json': {
    summary: 'This document',
    caller: 'user',
    answer: z.record(z.string(), z.json()),
  },
} as const satisfies RouteTable
