/** `bosun run PLAN --dry-run FILE`: the same run in a throw-away clone with scripted agents, gates and people. */
import { stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { makeDryRun, type DryRunPlace } from '../../app/plans/dry-run.ts'
import { readDryRun, refuseStrayNames } from '../../config/read-dry-run.ts'
import { PACKAGE_ROOT } from '../../lib/system/package-root.ts'
import { usageRefusal, refusal } from '../../lib/refusal.ts'
import { shellWord } from '../../lib/text/counted.ts'
import { readCalledPlan } from './show-plan.ts'
import type { Call, CommandResult } from '../command.ts'
import { repoHere } from '../caller.ts'
import { runPlan, type RunResult } from './run-plan.ts'

export async function runDry(call: Call, file: string): Promise<CommandResult> {
  const { cwd, env } = call.terminal
  const read = await readDryRun(resolve(cwd, file), file)
  const root = await repoHere(call)
  if (root === undefined) {
    throw usageRefusal('not in a git repository', 'Change to the repository the plan is for.')
  }
  const plan = await planFile(call)
  const input = readOnce(call)
  refuseStrayNames(read, file, (await readCalledPlan(input)).plan)
  const files = [
    join(root, 'bosun.yaml'),
    ...[plan, call.option('design')].filter((path) => path !== undefined),
  ]
  const place = await makeDryRun({ root, cwd, env, script: read.text, files })
  const services = call.services.elsewhere({ cwd: place.cwd, env: place.env })
  call.terminal.printMessage(`dry run in a throw-away clone, ${place.repository}; ${root} is not changed\n`)
  const terminal = { ...input.terminal, cwd: place.cwd, env: place.env }
  let isDetached = false
  try {
    const result = await runPlan({ ...call, terminal, services })
    isDetached = result.exit === 'interrupted'
    return withDryRunNote(result, place)
  } finally {
    // A detached dry run still needs its daemon.
    if (!isDetached) await services.stopDaemon()
  }
}

/** Keeps standard input, since the plan is read twice: before the dry run and in it. */
function readOnce(call: Call): Call {
  let bytes: Promise<Uint8Array> | undefined
  const readInput = (maxBytes: number): Promise<Uint8Array> => (bytes ??= call.terminal.readInput(maxBytes))
  return { ...call, terminal: { ...call.terminal, readInput } }
}

/** The plan as the user named it; undefined for standard input. */
async function planFile(call: Call): Promise<string | undefined> {
  const [path = ''] = call.args
  if (path === '-') return undefined
  const found = await stat(resolve(call.terminal.cwd, path)).catch(() => null)
  if (found?.isFile() === true) return path
  throw refusal(
    'not_found',
    `no plan file ${path}`,
    'A dry run always starts from scratch, so it needs a plan file, not the id of a running plan.',
  )
}

function withDryRunNote(result: RunResult, { folder, repository, home }: DryRunPlace): CommandResult {
  const bosun = `BOSUN_HOME=${shellWord(home)} ${shellWord(join(PACKAGE_ROOT, 'bin/bosun'))}`
  const { branch } = result.document
  const lines = [
    '',
    'This was a dry run: workers, gates, people and models were scripted, so nothing was verified.',
    ...(branch !== null
      ? [`  git -C ${shellWord(repository)} log ${branch}   # its commits, in the clone`]
      : []),
    `  cd ${shellWord(repository)} && ${bosun} log   # what happened; status, inbox and answer work the same way`,
    `  ${bosun} stop; rm -rf ${shellWord(folder)}   # remove it`,
  ]
  return {
    ...result,
    document: { ...result.document, dry_run: { folder, repository, home } },
    text: (style) => `${result.text(style)}${lines.join('\n')}\n`,
  }
}
