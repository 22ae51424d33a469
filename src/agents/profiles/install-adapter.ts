/**
 * Fetches the adapter of an agent with the user's npm: an exact version with the hash that was tried, without install
 * scripts and without the agent that it could bring along. What it needs is held by npm against the registry. It is installed beside its place and moved there once it is whole. Only called where the
 * user asked for it.
 */
import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { errorCode } from '../../lib/files/system-error.ts'
import { Refusal } from '../../lib/refusal.ts'
import { findOnPath } from '../../lib/process/find-program.ts'
import { identify } from '../../lib/process/processes.ts'
import { runProgram, type ProgramOutcome } from '../../lib/process/run-program.ts'
import { terminalLine } from '../../lib/text/terminal-text.ts'
import type { InstalledAdapter } from '../../ports/machine.ts'
import type { AcpAdapter } from './agent-row.ts'
import {
  adapterNamed,
  adapterOf,
  adapterFolder,
  adapterIn,
  adaptersFolder,
  foreignPackage,
  installedAdapter,
  specOf,
} from './profile-of.ts'
import { AGENT_ROWS } from './rows.ts'

export interface Installation {
  /** The state root. */
  readonly root: string
  /** Its name in bosun.yaml. */
  readonly agent: string
  readonly adapter: AcpAdapter
  /** Of the user: npm takes its registry and its proxy from it and from the user's own settings. */
  readonly env: Readonly<Record<string, string | undefined>>
  readonly timeoutMs?: number
}

const TIMEOUT_MS = 600_000
const MAX_OUTPUT_BYTES = 4 * 1024 * 1024

const OPTIONS = [
  '--omit=optional',
  '--ignore-scripts',
  '--save-exact',
  '--no-audit',
  '--no-fund',
  '--omit-lockfile-registry-resolved',
  // A machine without a network should say so soon.
  '--fetch-retries=2',
  '--fetch-retry-mintimeout=1000',
  '--fetch-retry-maxtimeout=5000',
  '--loglevel=error',
]

/** By the name of the agent. */
export async function installAdapterOf(
  agent: string,
  place: Pick<Installation, 'root' | 'env'>,
): Promise<InstalledAdapter> {
  const adapter = adapterNamed(agent)
  if (adapter !== null) return installAdapter({ ...place, agent, adapter })
  const names = AGENT_ROWS.flatMap((row) => (adapterOf(row) === null ? [] : [row.name])).join(', ')
  const isKnown = AGENT_ROWS.some(({ name }) => name === agent)
  throw new Refusal({
    code: isKnown ? 'usage' : 'not_found',
    message: isKnown ? `${agent} needs no adapter` : `no agent named ${agent}`,
    remedy: `Agents with an adapter: ${names}.`,
  })
}

export async function installAdapter(installation: Installation): Promise<InstalledAdapter> {
  const { root, agent, adapter, env, timeoutMs = TIMEOUT_MS } = installation
  const folder = adapterFolder(root, adapter)
  const installed = { agent, package: adapter.package, version: adapter.version, folder }
  if (installedAdapter(root, adapter) !== null) return { ...installed, outcome: 'present' }
  const npm = findOnPath('npm', env['PATH'] ?? '')
  if (npm === null) {
    throw new Refusal({
      code: 'failed',
      message: `cannot fetch ${specOf(adapter)}: npm is not on the PATH`,
      remedy: `Install npm (it comes with Node), then run \`bosun crew install ${agent}\`. Until then ${agent} runs as a plain command.`,
    })
  }
  await mkdir(adaptersFolder(root), { recursive: true, mode: 0o700 })
  await removeAbandoned(adaptersFolder(root))
  const staged = await mkdtemp(join(adaptersFolder(root), `${STAGED}${process.pid}-`))
  try {
    // With a package.json of its own it is no part of a project in a folder above.
    await writeFile(join(staged, 'package.json'), '{ "private": true }\n')
    const outcome = await runProgram({
      command: npm,
      args: ['install', '--global=false', '--prefix', staged, ...OPTIONS, specOf(adapter)],
      cwd: staged,
      env,
      timeoutMs,
      maxBytes: MAX_OUTPUT_BYTES,
    })
    const failure = failureOf(outcome)
    if (failure !== null) throw notFetched(installation, failure)
    const found = adapterIn(staged, adapter)
    const foreign = found.ok ? foreignPackage(staged, adapter) : found.why
    if (foreign !== null) throw notFetched(installation, `npm installed something else: ${foreign}`)
    await moveTo(folder, staged)
  } finally {
    await rm(staged, { recursive: true, force: true })
  }
  if (installedAdapter(root, adapter) === null)
    throw notFetched(installation, `it is not in ${folder} after the installation`)
  return { ...installed, outcome: 'installed' }
}

const STAGED = '.staged-'

/** Of installations that were killed. */
async function removeAbandoned(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const [, pid] = /^\.staged-(\d+)-/.exec(name) ?? []
    const isAbandoned = name.startsWith(STAGED) && identify(Number(pid)) === null
    if (isAbandoned) await rm(join(folder, name), { recursive: true, force: true })
  }
}

/** What lies in its place and is not whole is of no use; another process may have put a whole one there. */
async function moveTo(folder: string, staged: string): Promise<void> {
  try {
    await rename(staged, folder)
  } catch (error) {
    const code = errorCode(error)
    if (code !== 'ENOTEMPTY' && code !== 'EEXIST') throw error
    await rm(folder, { recursive: true, force: true })
    await rename(staged, folder)
  }
}

const MAX_LINE = 300
const NO_NETWORK =
  /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ENOTCACHED|ERR_SOCKET_TIMEOUT)\b/

/** Null where npm was successful. */
function failureOf(outcome: ProgramOutcome): string | null {
  switch (outcome.kind) {
    case 'exited': {
      if (outcome.code === 0) return null
      const lines = `${outcome.stderr}\n${outcome.stdout}`.split('\n').map((line) => line.trim())
      const network = NO_NETWORK.exec(lines.join('\n'))
      if (network !== null) return `the npm registry cannot be reached (${network[0]})`
      const [complaint = ''] = lines.filter(
        (line) => line !== '' && !/^npm (?:error|ERR!) (?:code|errno|syscall) /.test(line),
      )
      return `npm exited with ${outcome.code}: ${terminalLine(complaint).slice(0, MAX_LINE)}`
    }
    case 'timed_out':
      return `npm took longer than ${outcome.afterMs / 60_000} min`
    case 'signalled':
      return `npm was killed by ${outcome.signal}`
    case 'too_long':
      return 'npm printed too much'
    case 'not_started':
      return `npm could not be started: ${outcome.reason}`
  }
}

const notFetched = ({ agent, adapter }: Installation, why: string): Refusal =>
  new Refusal({
    code: 'failed',
    message: `cannot fetch ${specOf(adapter)}: ${why}`,
    remedy: `Check the network and the registry of npm (\`npm ping\`), then run \`bosun crew install ${agent}\` again. Until then ${agent} runs as a plain command.`,
  })
