/** Checks a release against its manifest, from the repository alone. */
import { NOBODY } from '../../review/nobody.ts'
import { MANDATORY_GATES } from '../../planning/gates.ts'
import { taskName } from '../../planning/ids.ts'
import { manifestChecks } from './manifest-checks.ts'
import { check, type ReleaseCheck } from './release-check.ts'
import { gateRowsIn, inline, overrideText } from '../review-artifact.ts'
import { landedIn, tasksOf, type ReleaseManifest, type ManifestTask } from './manifest-schema.ts'
import { counted } from '../../../lib/text/counted.ts'

export interface CommitFacts {
  readonly sha: string
  readonly tree: string
  readonly parents: readonly string[]
  readonly message: string
}

/** What the repository holds of a task that the manifest lists as committed. */
export interface TaskFacts {
  readonly task: string
  /** The commit the manifest names. */
  readonly sha: string
  /** Null: there is no such commit. */
  readonly commit: CommitFacts | null
  /** The review artifact in that commit; null where there is none. */
  readonly artifact: string | null
  /** The commit's tree without its artifact, and without all artifacts of the plan. */
  readonly treesWithout: readonly string[]
}

export interface ReleaseFacts {
  readonly plan: string
  /** The path of the manifest. */
  readonly path: string
  readonly manifest: ReleaseManifest
  /** The tip of the working branch; null where it does not exist. */
  readonly workingTip: string | null
  /** The manifest in the work tree, compared with the committed one. */
  readonly inWorkTree: 'same' | 'different' | 'absent'
  /** The commit that added the manifest. */
  readonly release: CommitFacts
  /** The paths that commit changed. */
  readonly changed: readonly string[]
  /** First parents below the manifest, newest first: one per committed task, and one more, with `specCommits` between. */
  readonly below: readonly CommitFacts[]
  /** Those of them that change the spec of the plan and nothing else, and belong to no task. */
  readonly specCommits: ReadonlySet<string>
  /** The tree that is released, with and without the plan's review artifacts. */
  readonly releasedTrees: readonly string[]
  readonly tasks: readonly TaskFacts[]
  /** The release notes in that commit, and the sha256 of their bytes; null where there are none. */
  readonly notes: { readonly text: string; readonly sha256: string } | null
}

export function verifyRelease(facts: ReleaseFacts): readonly ReleaseCheck[] {
  const named = landedIn(facts.manifest)
  return [
    planCheck(facts),
    workTreeCheck(facts),
    branchCheck(facts),
    releaseCommitCheck(facts),
    historyCheck(facts),
    ...named.flatMap((task) => taskChecks(task, facts)),
    notesCheck(facts),
    evidenceTreeCheck(facts),
    milestoneTreeCheck(facts),
    ...manifestChecks(facts.manifest),
  ]
}

function planCheck({ plan, manifest: { plan_id: named } }: ReleaseFacts): ReleaseCheck {
  const right = `the manifest is of plan ${named}`
  return check('plan', [named !== plan && `${right}, not ${plan}`], right)
}

function workTreeCheck({ inWorkTree, path }: ReleaseFacts): ReleaseCheck {
  const right = inWorkTree === 'same' ? `${path} matches its commit` : `${path} is not checked out here`
  return check('work_tree', [inWorkTree === 'different' && `${path} has uncommitted changes`], right)
}

function branchCheck({ plan, workingTip, release }: ReleaseFacts): ReleaseCheck {
  const branch = `feat/${plan}/working`
  if (workingTip === null) return check('branch', [], `${branch} does not exist; the release is part of HEAD`)
  const at = short(release.sha)
  const fault =
    workingTip !== release.sha &&
    `${branch} has commits after the manifest (${at}), up to ${short(workingTip)}, without proof`
  return check('branch', [fault], `${branch} ends with the manifest (${at})`)
}

function releaseCommitCheck({ release, changed, path, manifest }: ReleaseFacts): ReleaseCheck {
  const others = changed.filter((one) => one !== path && one !== notesOf(path, manifest))
  const faults = [
    release.parents.length !== 1 && `the manifest's commit has ${release.parents.length} parents`,
    others.length > 0 && `the manifest's commit changes other files: ${others.slice(0, 3).join(', ')}`,
    /^Refs:/m.test(release.message) && "the manifest's commit refers to a task",
  ]
  return check('release_commit', faults, 'the last commit adds only the manifest')
}

/** The task commits must be consecutive, right below the manifest; only commits of the spec may stand between them. */
function historyCheck({ manifest, below: all, specCommits }: ReleaseFacts): ReleaseCheck {
  const below = all.filter(({ sha }) => !specCommits.has(sha))
  const claimed = new Map(
    landedIn(manifest).flatMap((task) => (task.commit_sha === null ? [] : [[task.commit_sha, task.task_id]])),
  )
  const found = below.slice(0, claimed.size)
  const stranger = found.find(({ sha }) => !claimed.has(sha))
  const absent = [...claimed].find(([sha]) => !found.some((commit) => commit.sha === sha))
  const merged = found.find(({ parents }) => parents.length !== 1)
  const extra = below[claimed.size]
  const isUnlisted = extra !== undefined && /^Review: /m.test(extra.message) && isOfPlan(extra, manifest)
  const faults = [
    stranger && `${short(stranger.sha)} is among the task commits but belongs to no task`,
    absent && `commit ${short(absent[0])} of task ${absent[1]} is not on the branch`,
    merged && `${short(merged.sha)} has ${merged.parents.length} parents`,
    isUnlisted && `${short(extra.sha)} belongs to a task that the manifest does not list`,
  ]
  return check('history', faults, `${counted(claimed.size, 'commit')} of tasks, consecutive`)
}

/** Whether a commit refers to a task of this manifest. */
const isOfPlan = (commit: CommitFacts, manifest: ReleaseManifest): boolean =>
  tasksOf(manifest).some((task) => commit.message.includes(`\nRefs: ${taskName(task.task_id)}\n`))

function taskChecks(task: ManifestTask, facts: ReleaseFacts): readonly ReleaseCheck[] {
  return checksOf(task, facts).map((one) => ({ ...one, task: task.task_id }))
}

function checksOf(task: ManifestTask, { tasks, manifest }: ReleaseFacts): readonly ReleaseCheck[] {
  const { task_id: id, commit_sha: sha, review_artifact: path, exists } = task
  const isBuilt = sha !== null || path !== null
  if (exists !== undefined) {
    const fault = isBuilt && 'existed already, but has a commit or a review'
    return [check('exists', [fault], `existed already: ${exists}`)]
  }
  if (sha === null || path === null)
    return [check('commit', [isBuilt && 'has a commit or a review, but not both'], 'has no commit')]
  const found = tasks.find((one) => one.task === id && one.sha === sha)
  const message = found?.commit?.message
  if (found === undefined || message === undefined)
    return [check('commit', [`commit ${sha} is not in the repository`], '')]
  const { artifact } = found
  const isUnnamed = !message.endsWith(`\n\nRefs: ${taskName(id)}\nReview: ${path}\n`)
  const unnamed = `the message of ${short(sha)} does not end with Refs: ${taskName(id)} and Review: ${path}`
  return [
    check('commit', [], `commit ${short(sha)} exists`),
    check('message', [isUnnamed && unnamed], 'the commit message names the task and its review'),
    check('review', [artifact === null && `${path} is not in ${short(sha)}`], `${path} is in the commit`),
    ...(artifact === null
      ? []
      : [
          treeCheck(artifact, task, found.treesWithout),
          gatesCheck(artifact),
          overridesCheck(artifact, task, manifest),
          reviewCheck(artifact, task),
        ]),
  ]
}

/**
 * The review must have a verdict on each of the six gates and on integrity. Where a person overrode something, it
 * lists only the gates that were run again last.
 */
function gatesCheck(artifact: string): ReleaseCheck {
  const listed = gateRowsIn(artifact)
  const missing = [...MANDATORY_GATES, 'integrity'].find((name) => !listed.some(({ gate }) => gate === name))
  const isMissing = missing !== undefined && !artifact.includes('\n## Overrides\n')
  const integrity = listed.find(({ gate }) => gate === 'integrity')?.result ?? ''
  const changed = /\n## Protected files changed[^\n]*\n\n((?:- [^\n]*\n)*)/.exec(artifact)?.[1]
  const count = changed?.split('\n').filter((line) => line !== '').length ?? 0
  const deciding =
    count === 0 ? '' : `, with ${counted(count, 'protected file')} changed as the contract allows`
  const right =
    missing === undefined
      ? `the review has a verdict on each of the six gates; integrity ${integrity}${deciding}`
      : 'the review has a verdict on each gate that ran before the override'
  return check('gates', [isMissing && `the review has no verdict on ${missing}`], right)
}

/** The review and the manifest must list the same overrides, and every other gate must have passed. */
function overridesCheck(artifact: string, task: ManifestTask, manifest: ReleaseManifest): ReleaseCheck {
  const own = manifest.overrides.filter((one) => one.task === task.task_id)
  const recorded = own.map(({ gate }) => gate)
  const section = /\n## Overrides\n\n((?:- [^\n]*\n)*)/.exec(artifact)?.[1] ?? ''
  const written = [...section.matchAll(/^- (\S+): let through by /gm)].map(([, gate = '']) => gate)
  const bad = gateRowsIn(artifact)
    .filter(({ result }) => /^(?:FAILED|COULD NOT BE CHECKED)$/.test(result))
    .map(({ gate }) => gate)
  const hidden = written.find((gate) => !recorded.includes(gate))
  const invented = recorded.find((gate) => !written.includes(gate))
  const slipped = bad.find((gate) => !written.includes(gate))
  const lines = new Set(section.split('\n'))
  const other = own.find(
    ({ gate, by, reason }) => !lines.has(`- ${overrideText({ what: gate, by, reason })}`),
  )
  const faults = [
    hidden && `the review lists an override of ${hidden}, but the manifest does not`,
    invented && `the manifest lists an override of ${invented}, but the review does not`,
    slipped && `${slipped} did not pass, and there is no override`,
    other && `the name or reason of the override of ${other.gate} differs from the review`,
  ]
  const right =
    recorded.length === 0 ? 'every gate passed' : `${recorded.join(', ')} overridden, as in the review`
  return check('overrides', faults, right)
}

/** The last round of a review, as review-artifact.ts writes it. */
const LAST_ROUND =
  /\n## Review\n\nRound (\d+) on attempt \d+, by (?:`([^`\n]+)`(?: \(agent `([^`\n]+)`[^\n]*?\))?|nobody \(no agent or model read it\)): (approved|changes requested)\./

/** The manifest must name the same reviewer, round and verdict as the review. */
function reviewCheck(artifact: string, { review }: ManifestTask): ReleaseCheck {
  const found = LAST_ROUND.exec(artifact)
  if (found === null && review === undefined) {
    const isSaid = artifact.includes('\n## Review\n\nNot reviewed.\n')
    return check('reviewed', [!isSaid && 'the review names no reviewer'], 'no reviewer gave a verdict')
  }
  const [, round, by = NOBODY, agent = null, verdict = ''] = found ?? []
  const isSame =
    review !== undefined &&
    String(review.round) === round &&
    review.by === by &&
    (review.agent === null ? null : inline(review.agent)) === agent &&
    review.verdict.replaceAll('_', ' ') === verdict
  const fault = !isSame && 'the manifest and the review name a different reviewer, round or verdict'
  return check('reviewed', [fault], `reviewed by ${by} in round ${round ?? ''}: ${verdict}`)
}

/** The first lines of a review, as review-artifact.ts writes them. */
const HEAD =
  /^# Review of (?<name>\S+): (?<title>[^\n]*)\n\nTier (?<tier>\w+), attempt \d+, worker `[^`\n]+`, tree `(?<tree>[0-9a-f]+)`\.\n/

/** The committed tree must be the one the gates ran on, plus the review. */
function treeCheck(artifact: string, task: ManifestTask, without: readonly string[]): ReleaseCheck {
  const head = HEAD.exec(artifact)?.groups
  if (head === undefined) return check('tree', ['the review does not name the tree the gates ran on'], '')
  const { name, title, tier, tree = '' } = head
  const planned = inline(task.title)
  const gated = `the tree the gates ran on (${short(tree)}) plus its review`
  const faults = [
    name !== taskName(task.task_id) && `the review is of ${name}`,
    title !== planned && `the review is titled "${title}", the manifest has "${planned}"`,
    tier !== task.tier && `the review has tier ${tier}, the manifest ${task.tier}`,
    !without.includes(tree) && `the commit is not ${gated}`,
  ]
  return check('tree', faults, `the commit is ${gated}`)
}

/** The notes beside the manifest; null where it names none, or another path. */
export function notesOf(path: string, { plan_id, release_notes: notes }: ReleaseManifest): string | null {
  const beside = `${path.slice(0, path.lastIndexOf('/') + 1)}${plan_id}-notes.md`
  return notes?.path === beside ? beside : null
}

/** With breaking changes there must be notes that list all of them and match their recorded hash. */
function notesCheck({ manifest, notes, path }: ReleaseFacts): ReleaseCheck {
  const { breaking_changes: breaking, release_notes: recorded } = manifest
  const unlisted = breaking.find((one) => notes?.text.includes(`\n## ${inline(one)}\n`) !== true)
  if (recorded === undefined) {
    const fault = breaking.length > 0 && 'there are breaking changes, but the manifest names no release notes'
    return check('release_notes', [fault], 'no breaking changes')
  }
  const faults = [
    notesOf(path, manifest) === null && `the release notes ${recorded.path} are not beside the manifest`,
    notes?.sha256 !== recorded.sha256 && `${recorded.path} does not match its recorded hash`,
    unlisted && `${recorded.path} does not list ${unlisted}`,
  ]
  return check('release_notes', faults, `${recorded.path} lists every breaking change`)
}

function evidenceTreeCheck({ manifest, below, releasedTrees, changed, path }: ReleaseFacts): ReleaseCheck {
  const gated = below[0]?.tree ?? ''
  const other = manifest.evidence.find(({ tree }) => !releasedTrees.includes(tree))
  const isOnlyManifest = changed.every((one) => one === path || one === notesOf(path, manifest))
  const faults = [
    other && `"${other.claim}" is evidence about ${short(other.tree)}, but ${short(gated)} is released`,
    !isOnlyManifest && 'the evidence is not about the released tree',
  ]
  const right =
    manifest.evidence.length === 0
      ? 'no command ran for the release'
      : `all evidence is about the released tree, ${short(gated)}`
  return check('evidence', faults, right)
}

/** Milestone tests run when their layer is done, so on one of the trees below the release. */
function milestoneTreeCheck({ manifest, below }: ReleaseFacts): ReleaseCheck {
  const trees = new Set(below.map(({ tree }) => tree))
  const other = manifest.milestones.find(({ tree }) => !trees.has(tree))
  const fault = other && `${other.test} ran on ${short(other.tree)}, which is not part of this branch`
  return check('milestone_tree', [fault], 'every milestone test ran on a tree of this branch')
}

const short = (sha: string): string => sha.slice(0, 12)
