/**
 * Provisions a worker's work tree: env files from the user's repository, and the dependencies that its set-up installs.
 * Changes that the set-up makes to files of the tree are undone, since a worker answers for its own changes only.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { detectCommands, READ_MANIFESTS } from '../../core/repository-facts/detect-commands.ts'
import type { CheckChoice } from '../../core/event-schemas/baseline.ts'
import { choiceFor } from '../../core/gates/check-trials.ts'
import { commandText } from '../../core/test-reports/focus-command.ts'
import { envFilePaths } from '../../core/planning/brief/env-files.ts'
import type { Command } from '../../core/planning/plan.ts'
import type { EvidenceStore } from '../../lib/files/evidence-store.ts'
import { placeFiles, removeFiles } from '../../lib/files/env-file-copies.ts'
import { NeedsPerson, WorkspaceNotReady } from '../../ports/workspace.ts'
import { fromText, pathText } from '../git/byte-path.ts'
import type { Room } from './clone-pool.ts'
import { dependencyKey, type Dependencies } from './dependencies.ts'
import { listTree } from '../git/list-tree.ts'
import { blobName, NOTHING_PLACED, sortLeft, type PlacedRecord } from './placed.ts'
import type { Quarantine } from '../quarantine.ts'
import { runSetup, type SetupRun } from './run-setup.ts'
import { readTreeFile } from '../git/tree-diff.ts'
import { isFolder } from '../git/trees.ts'

export interface Provisioning {
  readonly quarantine: Quarantine
  readonly dependencies: Dependencies
  readonly plan: string
  /** `environment` of bosun.yaml or the plan. A set-up that is left out is detected, null is none. */
  readonly environment: {
    readonly setup?: Command | null | undefined
    readonly env_files?: readonly string[] | undefined
  }
  /** The user's work tree, where env files come from. */
  readonly envFilesFrom: string
  readonly processEnv: Readonly<Record<string, string | undefined>>
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
    ran = await runSetup({
      ...provisioning,
      setup,
      root: room.path,
      scratch: room.tree.scratch,
      mark: room.mark,
      ports: given.ports,
      signal,
    })
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
      const file = await readTreeFile(quarantine, { tree, path, maxBytes: MOST_MANIFEST_BYTES })
      if (file.kind === 'file') texts.set(path, file.content.toString('utf8'))
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
