/** Names of the documents that become components of OpenAPI, so that clients made from it have types with names. */
import { z } from 'zod'
import * as answers from '../src/protocol/answers.ts'
import { diffAnswer, taskAnswer } from '../src/protocol/task-answer.ts'
import { conflictDetails, errorAnswer } from '../src/protocol/error-answer.ts'
import { intakeAnswer, intakeRequest } from '../src/protocol/intake.ts'
import * as pm from '../src/protocol/interview.ts'
import {
  crewAnswer,
  doctorAnswer,
  settingsAnswer,
  historyAnswer,
  snapshotAnswer,
} from '../src/protocol/machine-answer.ts'
import * as views from '../src/protocol/plan-views.ts'
import { forecastAnswer, releaseAnswer, signedAnswer, traceAnswer } from '../src/protocol/plan-views.ts'
import * as requests from '../src/protocol/requests.ts'
import * as review from '../src/protocol/task-answer.ts'
import * as session from '../src/protocol/machine-answer.ts'
import { transcriptAnswer } from '../src/protocol/worker-views.ts'
import { thinkingRow, usageRow, workerMessage, inboxEntry } from '../src/protocol/rows.ts'
import * as worker from '../src/protocol/worker-views.ts'

const NAMED: Readonly<Record<string, z.ZodType>> = {
  Activity: answers.activityAnswer,
  ActivityLine: answers.activityLine,
  AdoptRequest: requests.adoptRequest,
  AnswerRequest: requests.answerRequest,
  Answered: answers.answeredAnswer,
  CallerEnvironment: requests.callerEnvironment,
  CheckinReceipt: answers.checkinAnswer,
  CleanedUp: answers.cleanedAnswer,
  Conflict: conflictDetails,
  Conversation: pm.conversationAnswer,
  Crew: crewAnswer,
  Criterion: review.criterionRow,
  Daemon: answers.daemonFacts,
  Decision: review.decision,
  Diff: diffAnswer,
  Doctor: doctorAnswer,
  Error: errorAnswer,
  Event: answers.eventMessage,
  ExtendRequest: requests.extendRequest,
  Figures: answers.metricsAnswer,
  FiguresOverTime: historyAnswer,
  Forecast: forecastAnswer,
  Gate: review.gateRow,
  Inbox: views.inboxAnswer,
  InboxItem: inboxEntry,
  InboxReview: review.reviewAnswer,
  InstructRequest: requests.instructRequest,
  InstructedWorker: worker.instructedAnswer,
  Intake: intakeAnswer,
  IntakeRequest: intakeRequest,
  Interview: pm.pmStatus,
  KillRequest: requests.killRequest,
  Plan: answers.planRow,
  PlanBudget: views.budgetAnswer,
  PlanGraph: views.graphAnswer,
  PlanReport: answers.planAnswer,
  PlanTasks: views.planTasksAnswer,
  PlanTimeline: views.timelineAnswer,
  Plans: views.plansAnswer,
  PmActionRequest: pm.pmActionRequest,
  PmChatRequest: pm.pmChatRequest,
  PmStartRequest: pm.pmStartRequest,
  PmUploadRequest: pm.pmUploadRequest,
  Progress: answers.progressAnswer,
  Pulse: answers.pulse,
  RegisterRequest: requests.registerRequest,
  RegisteredPlan: answers.registeredAnswer,
  Release: releaseAnswer,
  ReviewRound: review.reviewRound,
  Session: session.sessionAnswer,
  SessionCode: session.codeAnswer,
  Settings: settingsAnswer,
  SignedRelease: signedAnswer,
  Snapshot: snapshotAnswer,
  SpecPreview: pm.previewAnswer,
  Status: answers.statusAnswer,
  SteerRequest: requests.steerRequest,
  SteeredPlan: answers.steeredAnswer,
  Task: answers.taskRow,
  TaskReport: taskAnswer,
  Tasks: views.tasksAnswer,
  Thinking: thinkingRow,
  Timestamp: answers.timestamp,
  Trace: traceAnswer,
  Transcript: transcriptAnswer,
  Usage: usageRow,
  Worker: answers.workerRow,
  WorkerAction: worker.workerActionAnswer,
  WorkerFigures: answers.watchMetrics,
  WorkerJournal: worker.journalAnswer,
  WorkerMessage: workerMessage,
  WorkerReceipt: worker.channelAnswer,
  WorkerReport: answers.workerAnswer,
  Workers: views.workersAnswer,
}

/** For `z.toJSONSchema`, which refers to a document with an id instead of repeating it. */
export const COMPONENTS = z.registry<{ id: string }>()
for (const [id, schema] of Object.entries(NAMED)) COMPONENTS.add(schema, { id })
