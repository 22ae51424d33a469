/**
 * Provisions a worker's work tree: env files from the user's repository, and the dependencies that its set-up installs.
 * Changes that the set-up makes to files of the tree are undone, since a worker answers for its own changes only.
 */
import { readFile, mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { detectCommands, READ_MANIFESTS } from '../../core/repository-facts/detect-commands.ts'
import type { CheckChoice } from '../../core/event-schemas/baseline.ts'
import { choiceFor } from '../../core/gates/check-trials.ts'
import { commandText } from '../../core/test-reports/runner.ts'
import { envFilePaths } from '../../core/planning/brief/nearby-files.ts'
import type { Command } from '../../core/planning/plan.ts'
import type { TrialEnvironment } from '../../ports/command-trial.ts'
import { textOf, type EvidenceStore } from '../../lib/process/output-keeper.ts'
import { placeFiles, removeFiles } from '../../lib/files/env-file-copies.ts'
import type { WallsFor } from '../../ports/sandbox.ts'
import { NeedsPerson, WorkspaceNotReady } from '../../ports/workspace.ts'
import { fromText, pathText } from '../git/byte-path.ts'
import type { Room } from './clone-pool.ts'
import { dependencyKey, type Dependencies } from './dependencies.ts'
import { listTree, isFolder } from '../git/trees.ts'
import { blobName, NOTHING_PLACED, sortLeft, type PlacedRecord } from './placed.ts'
import type { Quarantine } from '../quarantine.ts'
import { textInTree } from '../git/tree-diff.ts'
import { keyLines } from '../../core/gates/command-output.ts'
import { couldRun, formatEnding } from '../../core/gates/verdicts.ts'
import type { Ending } from '../../core/event-schemas/evidence.ts'
import { commandEnvironment } from '../../lib/process/built-environment.ts'
import { runCapped } from '../../lib/process/run-capped.ts'
import { terminalLine, terminalText } from '../../lib/text/terminal-text.ts'

export interface Provisioning {
  readonly quarantine: Quarantine
  readonly dependencies: Dependencies
  readonly plan: string
  /** `environment` of bosun.yaml or the plan. A set-up that is left out is detected, null is none. */
  readonly environment: Pick<TrialEnvironment, 'setup' | 'env_files'>
  /** The user's work tree, where env files come from. */
  readonly envFilesFrom: string
  readonly processEnv: Readonly<Record<string, string | undefined>>
  /** Around the set-up; there are none if absent. */
  readonly walls?: WallsFor | undefined
  /** Of the set-up. */
  readonly timeoutMs: number
  readonly evidence: { readonly store: EvidenceStore; readonly folder: string }
}

/** What one worker is given beside its files. */
export interface Given {
  readonly ports: readonly number[]
  readonly signal: AbortSignal
  /** What a person chose for checks that could not run at the start commit: the set-up may be left out. */
  readonly choices?: readonly CheckChoice[]
}

const MOST_MANIFEST_BYTES = 1024 * 1024
const MOST_ENV_BYTES = 1024 * 1024

export async function provision(provisioning: Provisioning, room: Room, given: Given): Promise<PlacedRecord> {
  const secrets = await ownSecrets(provisioning, room)
  const blobs = await secretBlobs(provisioning, secrets)
  const record = { ...NOTHING_PLACED, secrets: secrets.map(fromText), blobs }
  await room.remember(record)
  const place = () => placeFiles({ from: provisioning.envFilesFrom, to: room.path, paths: secrets })
  const placed = await place()
  const notes = placed.length === 0 ? [] : [envFilesNote(placed)]
  const setup = await setupFor(provisioning, room)
  if (setup === null || choiceFor(given.choices ?? [], 'setup', commandText(setup)) !== null)
    return { ...record, notes }
  const installed = await install({ provisioning, room, given, setup, secrets })
  const left = sortLeft(room.path, await room.tree.extras())
  await place()
  return { ...record, ...left, notes: [...notes, installed] }
}

interface Installing {
  readonly provisioning: Provisioning
  readonly room: Room
  readonly given: Given
  readonly setup: Command
  readonly secrets: readonly string[]
}

/** Installs the dependencies in the room and removes the env files. Returns the note for the worker. */
async function install(job: Installing): Promise<string> {
  const { provisioning, room, given, setup, secrets } = job
  const { quarantine, dependencies } = provisioning
  const { signal } = given
  const text = commandText(setup)
  const tree = room.start.tree ?? room.start.commit
  const key = await dependencyKey(quarantine, tree, { setup: text, plan: provisioning.plan })
  // Env files are removed while dependencies are cached, so that the cache never holds one.
  const settle = async (): Promise<readonly string[]> => {
    await removeFiles(room.path, secrets)
    await room.tree.restoreFiles(room.start, [])
    return (await room.tree.extras()).map(pathText)
  }
  let ran: SetupRun = { kind: 'aborted' }
  const run = async (): Promise<readonly string[] | null> => {
    ran = await runSetup(job)
    const entries = await settle()
    return ran.kind === 'worked' ? entries : null
  }
  // A draft may hold anything, and what comes of it is for its own worker alone.
  const isLanded = room.start.tree === null
  if (key === null) await run()
  else {
    const how = { install: run, isKept: isLanded, signal }
    if ((await dependencies.obtain(key.hash, room.path, how)) === 'copied') {
      await settle()
      return key.keyedBy === 'lock'
        ? installedNote(text)
        : `${installedNote(text)} Reused from an earlier install, matched by ${key.keyFiles} (there is no lock file).`
    }
  }
  return judged(ran, { text, isLanded })
}

function judged(ran: SetupRun, about: { readonly text: string; readonly isLanded: boolean }): string {
  switch (ran.kind) {
    case 'worked':
      return installedNote(about.text)
    case 'aborted':
      throw new WorkspaceNotReady('its set-up was interrupted')
    case 'failed':
      // The draft may have broken the set-up, and its worker must be able to fix it.
      if (!about.isLanded) return `Dependencies are missing: ${ran.why}.`
      if (ran.isMissing) throw new NeedsPerson(ran.why)
      throw new WorkspaceNotReady(ran.why)
  }
}

const installedNote = (setup: string): string =>
  `What \`${setup}\` installs is already in place, in copies of your own; it is not part of your work.`

const envFilesNote = (paths: readonly string[]): string =>
  `${paths.map((path) => `\`${path}\``).join(', ')}: the user's own settings. Use them in place; ` +
  'never copy their contents into another file.'

/** The configured set-up, else one detected in the landed work, else in the draft. */
async function setupFor({ environment, quarantine }: Provisioning, room: Room): Promise<Command | null> {
  if (environment.setup !== undefined) return environment.setup
  const trees = [room.start.commit, ...(room.start.tree === null ? [] : [room.start.tree])]
  for (const tree of trees) {
    const listed = await listTree(quarantine.git, tree, { at: quarantine.place })
    const files = new Set(listed.map(({ path }) => pathText(path)))
    const texts = new Map<string, string>()
    for (const path of READ_MANIFESTS.filter((one) => files.has(one))) {
      const text = await textInTree(quarantine, { tree, path, maxBytes: MOST_MANIFEST_BYTES })
      if (text !== null) texts.set(path, text)
    }
    const { setup } = detectCommands({ files, read: (path) => texts.get(path) ?? null }).commands
    if (setup !== null) return setup
  }
  return null
}

/** Env files that the tree does not hold itself. */
async function ownSecrets(
  { environment, quarantine }: Provisioning,
  { start }: Room,
): Promise<readonly string[]> {
  const secrets: string[] = []
  for (const path of envFilePaths(environment.env_files)) {
    const entry = await quarantine.trees.at(start.tree ?? start.commit, fromText(path))
    if (entry === null || isFolder(entry)) secrets.push(path)
  }
  return secrets
}

/** What is blank tells nothing, and what the repository holds anyway is no secret. */
async function secretBlobs(
  { quarantine, envFilesFrom }: Provisioning,
  paths: readonly string[],
): Promise<PlacedRecord['blobs']> {
  const blobs: PlacedRecord['blobs'][number][] = []
  for (const path of paths) {
    const content = await readFile(join(envFilesFrom, path)).catch(() => null)
    if (content === null || content.length > MOST_ENV_BYTES || content.toString('utf8').trim() === '')
      continue
    const sha = blobName(content, quarantine.objectFormat === 'sha256' ? 64 : 40)
    if ((await quarantine.reader.facts(sha)) === null) blobs.push({ sha, bytes: content.length })
  }
  return blobs
}

type SetupRun =
  | { readonly kind: 'worked' }
  | { readonly kind: 'aborted' }
  /** `isMissing`: its program cannot be started here, and will not be the next time. */
  | { readonly kind: 'failed'; readonly why: string; readonly isMissing: boolean }

const KEPT_OUTPUT_BYTES = 1024 * 1024
const QUOTED_LINES = 3

/** Runs a set-up in a worker's work tree, with a time limit; the output of a failed one is saved. */
async function runSetup({ provisioning, room, given, setup }: Installing): Promise<SetupRun> {
  const { evidence, processEnv, timeoutMs } = provisioning
  // Gone afterwards.
  const temporary = join(room.tree.scratch, 'tmp')
  const file = evidence.store.open()
  await mkdir(temporary, { recursive: true, mode: 0o700 })
  try {
    const { outcome, output } = await runCapped({
      command: setup,
      cwd: room.path,
      env: commandEnvironment(processEnv, { ports: given.ports, temporary }),
      timeoutMs,
      maxOutputBytes: KEPT_OUTPUT_BYTES,
      outputFile: file,
      signal: given.signal,
      mark: room.mark,
      walls: provisioning.walls?.({ writable: [room.path, temporary] }),
    })
    if (outcome.kind === 'exited' && outcome.code === 0) return { kind: 'worked' }
    if (outcome.kind === 'aborted') return { kind: 'aborted' }
    const kept = await evidence.store.keep(file, output)
    const lastLines = keyLines(evidence.store.hide.text(terminalText(textOf(output)))).slice(-QUOTED_LINES)
    const name = terminalLine(commandText(setup)).slice(0, 200)
    const why = [
      `the set-up \`${name}\` ${formatEnding(outcome)}`,
      ...(lastLines.length === 0 ? [] : [`: ${lastLines.map((line) => line.trim()).join(' | ')}`]),
      ...(kept === null ? [] : [` (full output: ${join(evidence.folder, kept)})`]),
    ]
    return { kind: 'failed', why: why.join(''), isMissing: !couldRun(outcome) && !isLate(outcome) }
  } finally {
    evidence.store.drop(file)
    await rm(temporary, { recursive: true, force: true })
  }
}

/** A run that was cut off may succeed next time. */
const isLate = (ending: Ending): boolean => ending.kind === 'timed_out' || ending.kind === 'signalled'
