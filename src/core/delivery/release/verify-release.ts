/** Whether a release is what its manifest says, judged by what the repository alone holds. */
import { MANDATORY_GATES } from '../../planning/gate-names.ts'
import { taskName } from '../../planning/ids.ts'
import { manifestChecks } from './manifest-checks.ts'
import { check, type ReleaseCheck } from './release-check.ts'
import { inline, overrideText } from '../review-artifact.ts'
import { landedIn, tasksOf, type WrittenManifest, type WrittenTask } from './written-manifest.ts'
import { counted } from '../../../lib/text/counted.ts'

export interface CommitFacts {
  readonly sha: string
  readonly tree: string
  readonly parents: readonly string[]
  readonly message: string
}

/** What the repository holds of a task that is said to be committed. */
export interface TaskFacts {
  readonly task: string
  /** The commit it is said to be. */
  readonly sha: string
  /** Null: there is no such commit. */
  readonly commit: CommitFacts | null
  /** The review artifact in that commit; null where there is none. */
  readonly artifact: string | null
  /** What the commit's tree is without its artifact, or without all artifacts of the plan. */
  readonly treesWithout: readonly string[]
}

export interface ReleaseFacts {
  readonly plan: string
  /** Where the manifest stands. */
  readonly path: string
  readonly manifest: WrittenManifest
  /** Where the working branch stands; null where it is gone. */
  readonly workingTip: string | null
  /** The manifest's file in the work tree, beside the one in the commit. */
  readonly inWorkTree: 'same' | 'different' | 'absent'
  /** The commit that brought the manifest. */
  readonly release: CommitFacts
  /** What that commit changed. */
  readonly changed: readonly string[]
  /** First parents below the manifest, the newest first, one for each task that is committed and one more. */
  readonly below: readonly CommitFacts[]
  /** The tree that is released, with and without the plan's review artifacts. */
  readonly releasedTrees: readonly string[]
  readonly tasks: readonly TaskFacts[]
  /** The release notes in that commit, and the sha256 of their bytes; null where there are none. */
  readonly notes: { readonly text: string; readonly sha256: string } | null
}

export function verifyRelease(facts: ReleaseFacts): readonly ReleaseCheck[] {
  const named = landedIn(facts.manifest)
  return [
    check(
      'plan',
      facts.manifest.plan_id === facts.plan,
      `it is the manifest of ${facts.manifest.plan_id}`,
      `it says it is of ${facts.manifest.plan_id}`,
    ),
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

function workTreeCheck({ inWorkTree, path }: ReleaseFacts): ReleaseCheck {
  const right = inWorkTree === 'same' ? `${path} is as it was committed` : `${path} is not checked out here`
  return check('work_tree', inWorkTree !== 'different', right, `${path} was changed and not committed`)
}

function branchCheck({ plan, workingTip, release }: ReleaseFacts): ReleaseCheck {
  const branch = `feat/${plan}/working`
  if (workingTip === null)
    return check('branch', true, `${branch} is gone; the release is part of what is checked out`, '')
  const at = short(release.sha)
  return check(
    'branch',
    workingTip === release.sha,
    `${branch} ends with the manifest, ${at}`,
    `${branch} goes on after the manifest (${at}) to ${short(workingTip)}, which nothing proves`,
  )
}

function releaseCommitCheck({ release, changed, path, manifest }: ReleaseFacts): ReleaseCheck {
  const others = changed.filter((one) => one !== path && one !== notesOf(path, manifest))
  const wrong =
    release.parents.length !== 1
      ? `its commit has ${release.parents.length} parents`
      : others.length > 0
        ? `its commit changes more than the manifest: ${others.slice(0, 3).join(', ')}`
        : /^Refs:/m.test(release.message)
          ? 'its commit claims to be of a task'
          : ''
  return check('release_commit', wrong === '', 'one last commit adds the manifest and nothing else', wrong)
}

/** The tasks' commits stand one on top of the other, right below the manifest, and nothing stands between them. */
function historyCheck({ manifest, below }: ReleaseFacts): ReleaseCheck {
  const claimed = new Map(
    landedIn(manifest).flatMap((task) => (task.commit_sha === null ? [] : [[task.commit_sha, task.task_id]])),
  )
  const found = below.slice(0, claimed.size)
  const stranger = found.find(({ sha }) => !claimed.has(sha))
  const absent = [...claimed].find(([sha]) => !found.some((commit) => commit.sha === sha))
  const merged = found.find(({ parents }) => parents.length !== 1)
  const extra = below[claimed.size]
  const wrong =
    stranger !== undefined
      ? `${short(stranger.sha)} stands among the tasks' commits and is of none`
      : absent !== undefined
        ? `${short(absent[0])} of task ${absent[1]} is not on the branch`
        : merged !== undefined
          ? `${short(merged.sha)} has ${merged.parents.length} parents`
          : extra !== undefined && /^Review: /m.test(extra.message) && isOfPlan(extra, manifest)
            ? `${short(extra.sha)} is of a task the manifest does not name`
            : ''
  const count = counted(claimed.size, 'commit')
  return check('history', wrong === '', `${count} of tasks, one on top of the other, nothing between`, wrong)
}

/** A commit below that carries the name of a task of this manifest is one too many. */
const isOfPlan = (commit: CommitFacts, manifest: WrittenManifest): boolean =>
  tasksOf(manifest).some((task) => commit.message.includes(`\nRefs: ${taskName(task.task_id)}\n`))

function taskChecks(task: WrittenTask, facts: ReleaseFacts): readonly ReleaseCheck[] {
  const about = (id: string, ok: boolean, right: string, wrong: string): ReleaseCheck => ({
    ...check(id, ok, right, wrong),
    task: task.task_id,
  })
  const { commit_sha: sha, review_artifact: path, exists } = task
  if (exists !== undefined) {
    const isAlone = sha === null && path === null
    return [
      about(
        'exists',
        isAlone,
        `it was there already: ${exists}`,
        'it was there already and has a commit or a review',
      ),
    ]
  }
  if (sha === null || path === null) {
    const isNeither = sha === null && path === null
    return [
      about('commit', isNeither, 'nothing was committed for it', 'it has a commit or a review, not both'),
    ]
  }
  const found = facts.tasks.find((one) => one.task === task.task_id && one.sha === sha)
  const commit = found?.commit ?? null
  if (found === undefined || commit === null)
    return [about('commit', false, '', `there is no commit ${sha} in the repository`)]
  const said = `\n\nRefs: ${taskName(task.task_id)}\nReview: ${path}\n`
  const head = artifactHead(found.artifact ?? '')
  const isThere = found.artifact !== null
  return [
    about('commit', true, `${short(sha)} is a commit`, ''),
    about(
      'message',
      commit.message.endsWith(said),
      'its message names the task and its review',
      `the message of ${short(sha)} does not end with Refs: ${taskName(task.task_id)} and Review: ${path}`,
    ),
    about('review', isThere, `${path} is in it`, `${path} is not in ${short(sha)}`),
    ...(isThere ? [about('tree', ...gatedTree(found.treesWithout, head, task))] : []),
    ...(isThere ? [about('gates', ...gatesTold(found.artifact ?? ''))] : []),
    ...(isThere ? [about('overrides', ...overridesTold(found.artifact ?? '', task, facts.manifest))] : []),
    ...(isThere ? [about('reviewed', ...reviewTold(found.artifact ?? '', task))] : []),
  ]
}

const gateList = (artifact: string): string =>
  /\n## Gates\n\n((?:(?: {2})?- [^\n]*\n)*)/.exec(artifact)?.[1] ?? ''

/**
 * Every task answers for the six gates, and that it changed nothing it is judged by. Where a person let something
 * through, only what was run again last is told.
 */
function gatesTold(artifact: string): readonly [boolean, string, string] {
  const told = [...gateList(artifact).matchAll(/^- (\S+): (.*?)\./gm)]
  const missing = [...MANDATORY_GATES, 'integrity'].find((gate) => !told.some(([, name]) => name === gate))
  const isLetThrough = artifact.includes('\n## Overrides\n')
  const integrity = told.find(([, name]) => name === 'integrity')?.[2] ?? ''
  const changed = /\n## What decides success and was changed[^\n]*\n\n((?:- [^\n]*\n)*)/.exec(artifact)?.[1]
  const count = changed?.split('\n').filter((line) => line !== '').length ?? 0
  const deciding = count === 0 ? '' : `, with ${count} of what decides success changed as its contract allows`
  return [
    missing === undefined || isLetThrough,
    missing === undefined
      ? `its review has a verdict on each of the six gates; integrity ${integrity}${deciding}`
      : 'its review has a verdict on what was run before it was let through',
    `its review has no verdict on ${missing ?? ''}`,
  ]
}

/** What a person let through stands in the review and in the manifest; nothing else got by without passing. */
function overridesTold(
  artifact: string,
  task: WrittenTask,
  manifest: WrittenManifest,
): readonly [boolean, string, string] {
  const own = manifest.overrides.filter((one) => one.task === task.task_id)
  const told = own.map(({ gate }) => gate)
  const section = /\n## Overrides\n\n((?:- [^\n]*\n)*)/.exec(artifact)?.[1] ?? ''
  const written = [...section.matchAll(/^- (\S+): let through by /gm)].map(([, gate = '']) => gate)
  const gates = gateList(artifact)
  const bad = [...gates.matchAll(/^- (\S+): (?:FAILED|COULD NOT BE CHECKED)\. /gm)].map(
    ([, gate = '']) => gate,
  )
  const hidden = written.find((gate) => !told.includes(gate))
  const invented = told.find((gate) => !written.includes(gate))
  const slipped = bad.find((gate) => !written.includes(gate))
  const lines = new Set(section.split('\n'))
  const other = own.find(
    ({ gate, by, reason }) => !lines.has(`- ${overrideText({ what: gate, by, reason })}`),
  )
  const wrong =
    hidden !== undefined
      ? `its review says that ${hidden} was let through, and the manifest does not`
      : invented !== undefined
        ? `the manifest says that ${invented} was let through, and its review does not`
        : slipped !== undefined
          ? `${slipped} did not pass, and nobody let it through`
          : other === undefined
            ? ''
            : `who let ${other.gate} through, or why, is not what its review says`
  const right =
    told.length === 0 ? 'every gate of it passed' : `${told.join(', ')} let through, as its review says`
  return [wrong === '', right, wrong]
}

/** The last round of a review, as review-artifact.ts writes it. */
const LAST_ROUND =
  /\n## Review\n\nRound (\d+) on attempt \d+, by (?:`([^`\n]+)`(?: \(agent `([^`\n]+)`[^\n]*?\))?|the rules, and no agent): (approved|changes requested)\./

/** Who reviewed it, and what they said, is the same in the manifest. */
function reviewTold(artifact: string, { review }: WrittenTask): readonly [boolean, string, string] {
  const found = LAST_ROUND.exec(artifact)
  if (found === null && review === undefined) return [true, 'its review is of an older form', '']
  const [, round, by = 'rules', agent = null, verdict = ''] = found ?? []
  const isSame =
    review !== undefined &&
    String(review.round) === round &&
    review.by === by &&
    (review.agent === null ? null : inline(review.agent)) === agent &&
    review.verdict.replaceAll('_', ' ') === verdict
  return [
    isSame,
    `${by} reviewed it in round ${round ?? ''}: ${verdict}`,
    'the manifest does not say of its review what its review says',
  ]
}

/** Whether it is, and both sentences. */
function gatedTree(
  without: readonly string[],
  head: ArtifactHead | null,
  task: WrittenTask,
): readonly [boolean, string, string] {
  const wrong =
    head === null
      ? 'its review does not name the tree the gates ran on'
      : head.name !== taskName(task.task_id)
        ? `its review is of ${head.name}`
        : head.title !== inline(task.title)
          ? `its review is titled "${head.title}", in the manifest it is "${inline(task.title)}"`
          : head.tier !== task.tier
            ? `its review says tier ${head.tier}, the manifest ${task.tier}`
            : without.includes(head.tree)
              ? ''
              : `what was committed is not the tree the gates ran on (${short(head.tree)}) and its review`
  return [wrong === '', `it is the tree the gates ran on (${short(head?.tree ?? '')}) and its review`, wrong]
}

interface ArtifactHead {
  readonly name: string
  readonly title: string
  readonly tier: string
  readonly tree: string
}

/** The first lines of a review, as review-artifact.ts writes them. */
function artifactHead(text: string): ArtifactHead | null {
  const [, name, title, tier, tree] =
    /^# Review of (\S+): ([^\n]*)\n\nTier (\w+), attempt \d+, worker `[^`\n]+`, tree `([0-9a-f]+)`\.\n/.exec(
      text,
    ) ?? []
  if (name === undefined || title === undefined || tier === undefined || tree === undefined) return null
  return { name, title, tier, tree }
}

/** Notes stand beside their manifest; null where it names none, or others. */
export function notesOf(path: string, { plan_id, release_notes: notes }: WrittenManifest): string | null {
  const beside = `${path.slice(0, path.lastIndexOf('/') + 1)}${plan_id}-notes.md`
  return notes?.path === beside ? beside : null
}

/** Where something breaks there are notes, they are those that were written, and they name all of it. */
function notesCheck({ manifest, notes, path }: ReleaseFacts): ReleaseCheck {
  const { breaking_changes: breaking, release_notes: said } = manifest
  const untold = breaking.find((one) => notes?.text.includes(`\n## ${inline(one)}\n`) !== true)
  const wrong =
    said === undefined
      ? breaking.length === 0
        ? ''
        : 'something breaks, and the manifest names no release notes'
      : notesOf(path, manifest) === null
        ? `the release notes are said to be ${said.path}, which is not beside the manifest`
        : notes?.sha256 !== said.sha256
          ? `${said.path} is not what was written`
          : untold === undefined
            ? ''
            : `${said.path} does not speak of ${untold}`
  const right = said === undefined ? 'nothing breaks' : `${said.path} tells what breaks`
  return check('release_notes', wrong === '', right, wrong)
}

function evidenceTreeCheck({ manifest, below, releasedTrees, changed, path }: ReleaseFacts): ReleaseCheck {
  const gated = below[0]?.tree ?? ''
  const other = manifest.evidence.find(({ tree }) => !releasedTrees.includes(tree))
  const isOnlyManifest = changed.every((one) => one === path || one === notesOf(path, manifest))
  const wrong =
    other !== undefined
      ? `"${other.claim}" was shown on ${short(other.tree)}, and ${short(gated)} is released`
      : isOnlyManifest
        ? ''
        : 'what is released is not what the evidence is about'
  const right =
    manifest.evidence.length === 0
      ? 'no command was run for the release'
      : `all evidence is about the tree that is released, ${short(gated)}`
  return check('evidence', wrong === '', right, wrong)
}

/** A milestone is shown on what had landed when its layer was done, so on one of the trees below the release. */
function milestoneTreeCheck({ manifest, below }: ReleaseFacts): ReleaseCheck {
  const trees = new Set(below.map(({ tree }) => tree))
  const other = manifest.milestones.find(({ tree }) => !trees.has(tree))
  return check(
    'milestone_tree',
    other === undefined,
    'every milestone was shown on a tree of this branch',
    `${other?.test ?? ''} was shown on ${short(other?.tree ?? '')}, which is not part of this branch`,
  )
}

const short = (sha: string): string => sha.slice(0, 12)
