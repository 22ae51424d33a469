/** Every command, in the order of the help. */
import type { CommandDefinition } from './command.ts'
import { answerCommand } from './commands/answer.ts'
import { cancelCommand } from './commands/cancel.ts'
import { checkinCommand } from './commands/checkin.ts'
import { cleanCommand } from './commands/clean.ts'
import { crewCommand } from './commands/crew.ts'
import { demoCommand } from './commands/demo.ts'
import { doctorCommand } from './commands/doctor.ts'
import { exportCommand } from './commands/export.ts'
import { importCommand } from './commands/import.ts'
import { inboxCommand } from './commands/inbox.ts'
import { initCommand } from './commands/init.ts'
import { interviewCommand } from './commands/interview.ts'
import { logCommand } from './commands/log.ts'
import { mcpCommand } from './commands/mcp.ts'
import { openCommand } from './commands/open.ts'
import { pauseCommand } from './commands/pause.ts'
import { planCommand } from './commands/plan.ts'
import { releaseCommand } from './commands/release.ts'
import { reportCommand } from './commands/report.ts'
import { requestCommand } from './commands/request.ts'
import { resumeCommand } from './commands/resume.ts'
import { runCommand } from './commands/run.ts'
import { serveCommand } from './commands/serve.ts'
import { serviceCommand } from './commands/service.ts'
import { simulateCommand } from './commands/simulate.ts'
import { specCommand } from './commands/spec.ts'
import { startCommand } from './commands/start.ts'
import { statusCommand } from './commands/status.ts'
import { stopCommand } from './commands/stop.ts'
import { taskCommand } from './commands/task.ts'
import { traceCommand } from './commands/trace.ts'
import { watchCommand } from './commands/watch.ts'
import { workerCommand } from './commands/worker.ts'

export const ALL_COMMANDS: readonly CommandDefinition[] = [
  demoCommand,
  startCommand,
  specCommand,
  interviewCommand,
  planCommand,
  simulateCommand,
  runCommand,
  openCommand,
  statusCommand,
  watchCommand,
  logCommand,
  inboxCommand,
  answerCommand,
  pauseCommand,
  resumeCommand,
  cancelCommand,
  workerCommand,
  taskCommand,
  traceCommand,
  releaseCommand,
  crewCommand,
  serveCommand,
  stopCommand,
  serviceCommand,
  doctorCommand,
  initCommand,
  cleanCommand,
  exportCommand,
  importCommand,
  mcpCommand,
  checkinCommand,
  reportCommand,
  requestCommand,
]
