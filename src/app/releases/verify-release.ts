/** Verifies a release from the repository alone: compares its manifest with what is there. */
import { createHash } from 'node:crypto'
import { compareRerun, milestoneClaim } from '../../core/delivery/release/compare-rerun.ts'
import { check, type ReleaseCheck } from '../../core/delivery/release/release-check.ts'
import {
  notesOf,
  verifyRelease as judge,
  type CommitFacts,
  type ReleaseFacts,
  type TaskFacts,
} from '../../core/delivery/release/verify-release.ts'
import {
  landedIn,
  parseManifest,
  type ManifestTask,
  type ReleaseManifest,
} from '../../core/delivery/release/manifest-schema.ts'
import { specPath } from '../../core/planning/ids.ts'
import type { Environment } from '../../core/planning/plan.ts'
import { type Refusal, refusal } from '../../lib/refusal.ts'
import type { Artifacts, FoundRelease, ReleaseRepository, RerunClaim } from '../../ports/checkouts.ts'
import { draftFromText } from '../plans/read-plan.ts'

export interface VerifyRequest {
  readonly plan: string
  /** `pm.release_manifest_dir`. */
  readonly folder: string
  /** Whether the evidence is produced once more; with what the settings say about its commands. */
  readonly rerun: Partial<Environment> | null
  /** Called as each command starts. */
  readonly onStart?: ((command: string) => void) | undefined
  /** Ends what is run; what is answered then proves nothing. */
  readonly interrupted: AbortSignal
}

export type ReleaseProof = Awaited<ReturnType<typeof verifyRelease>>

export async function verifyRelease(repository: ReleaseRepository, { folder, ...request }: VerifyRequest) {
  const { plan } = request
  const path = `${folder}/${plan}-release.yaml`
  const found = await repository.find(plan, path)
  if (found === null) throw noRelease(plan, path)
  const checks = await checksOf(repository, { ...request, path, found })
  const ok = checks.every((one) => one.ok)
  return { plan, manifest: path, sha: found.commit.sha, ok, checks }
}

interface Subject extends Omit<VerifyRequest, 'folder'> {
  readonly path: string
  readonly found: FoundRelease
}

async function checksOf(repository: ReleaseRepository, subject: Subject): Promise<readonly ReleaseCheck[]> {
  const { plan, path, found } = subject
  const { read, commit: release } = found
  const digest = check('digest', [!read.ok && read.why], 'no byte of the manifest was changed')
  if (!read.ok) return [digest]
  const parsed = parseManifest(read.manifest)
  const form = check('form', [!parsed.ok && parsed.why], 'it has every key a manifest has')
  if (!parsed.ok) return [digest, form]
  const { manifest } = parsed
  const committed = landedIn(manifest).filter((task) => task.commit_sha !== null)
  const spec = manifest.spec_file ?? specPath(plan)
  const { below, specCommits } = await history(repository, release, { spec, committed })
  const own = below.filter(({ sha }) => !specCommits.has(sha))
  const goesOn = (below.at(-1) ?? release).parents.length > 0
  if (found.isCutShort && own.length <= committed.length && goesOn) throw historyMissing(plan)
  const all = [...new Set(committed.flatMap(({ review_artifact }) => review_artifact ?? []))]
  const start = own[committed.length]?.sha ?? null
  const tasks: TaskFacts[] = []
  for (const { task_id, commit_sha, review_artifact: own } of committed)
    tasks.push(
      await taskFacts(repository, task_id, { sha: commit_sha ?? '', artifacts: { own, all, start } }),
    )
  const [gated] = below
  const releasedTrees =
    gated === undefined
      ? []
      : [gated.tree, ...(await repository.treesWithout(gated, { own: null, all, start }))]
  const changed = gated === undefined ? [] : await repository.changed(gated.sha, release.sha)
  const { workingTip, inWorkTree } = found
  const notes = await notesIn(repository, release.sha, notesOf(path, manifest))
  const facts = {
    plan,
    path,
    manifest,
    workingTip,
    inWorkTree,
    release,
    changed,
    below,
    specCommits,
    tasks,
    notes,
  }
  const checks = judge({ ...facts, releasedTrees })
  return [
    digest,
    form,
    ...checks,
    ...(await runAgain(repository, subject, { manifest, gated, releasedTrees })),
  ]
}

async function notesIn(
  repository: ReleaseRepository,
  commit: string,
  path: string | null,
): Promise<{ readonly text: string; readonly sha256: string } | null> {
  const text = path === null ? null : await repository.text(commit, path)
  return text === null ? null : { text, sha256: createHash('sha256').update(text).digest('hex') }
}

interface Released {
  readonly manifest: ReleaseManifest
  readonly gated: CommitFacts | undefined
  readonly releasedTrees: readonly string[]
}

async function runAgain(
  repository: ReleaseRepository,
  { rerun, found, onStart, interrupted }: Subject,
  { manifest, gated, releasedTrees }: Released,
): Promise<readonly ReleaseCheck[]> {
  if (rerun === null || gated === undefined) return []
  const text = await repository.text(found.commit.sha, manifest.plan_doc)
  const ofPlan = text === null ? {} : draftFromText(manifest.plan_doc, text).environment
  const { sha: head } = gated
  // What was proven is run again, with or without review artifacts.
  const proven = manifest.evidence[0]?.tree ?? gated.tree
  const tree = releasedTrees.includes(proven) ? proven : gated.tree
  const isLeftOut = manifest.checks_at_start?.some(
    ({ check, choice }) => check === 'setup' && choice === 'left_out',
  )
  const environment = { ...rerun, ...ofPlan, ...(isLeftOut === true ? { setup: null } : {}) }
  return compareRerun(
    manifest,
    await repository.rerun({ tree, head, evidence: claimsOf(manifest), environment, onStart }, interrupted),
  )
}

function claimsOf({ evidence, milestones }: ReleaseManifest): readonly RerunClaim[] {
  const claims = milestones.map(({ test, command, values }) => ({
    claim: milestoneClaim(test),
    command,
    values: values.map(({ name }) => name),
  }))
  return [...evidence, ...claims]
}

/** First parents down to the commit below those of tasks. The spec of the plan may have commits of its own between. */
async function history(
  repository: ReleaseRepository,
  from: CommitFacts,
  { spec, committed }: { readonly spec: string; readonly committed: readonly ManifestTask[] },
): Promise<Pick<ReleaseFacts, 'below' | 'specCommits'>> {
  const named = new Set(committed.map(({ commit_sha }) => commit_sha))
  const below: CommitFacts[] = []
  const specCommits = new Set<string>()
  for (let at = from.parents[0]; at !== undefined && below.length - specCommits.size <= committed.length;) {
    const commit = await repository.commit(at)
    if (commit === null) break
    below.push(commit)
    if (!named.has(at) && (await isSpecCommit(repository, commit, spec))) specCommits.add(at)
    at = commit.parents[0]
  }
  return { below, specCommits }
}

async function isSpecCommit(
  repository: ReleaseRepository,
  { sha, parents, message }: CommitFacts,
  spec: string,
): Promise<boolean> {
  const [parent] = parents
  if (parent === undefined || parents.length > 1 || /^Refs:/m.test(message)) return false
  if ((await repository.commit(parent)) === null) return false
  const changed = await repository.changed(parent, sha)
  return changed.length === 1 && changed[0] === spec && spec.endsWith('.md')
}

async function taskFacts(
  repository: ReleaseRepository,
  task: string,
  { sha, artifacts }: { readonly sha: string; readonly artifacts: Artifacts },
): Promise<TaskFacts> {
  const commit = await repository.commit(sha)
  const { own } = artifacts
  if (commit === null || own === null) return { task, sha, commit, artifact: null, treesWithout: [] }
  const artifact = await repository.text(sha, own)
  const treesWithout = artifact === null ? [] : await repository.treesWithout(commit, artifacts)
  return { task, sha, commit, artifact, treesWithout }
}

function noRelease(plan: string, path: string): Refusal {
  return refusal(
    'not_found',
    `no ${path}, neither on feat/${plan}/working nor in the work tree`,
    'Check the name of the plan and the repository. `bosun status` lists plans.',
  )
}

function historyMissing(plan: string): Refusal {
  return refusal(
    'failed',
    `commits of ${plan} are missing: this is a shallow clone`,
    'Fetch the full history, then verify again: git fetch --unshallow',
  )
}
