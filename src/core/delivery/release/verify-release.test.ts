import { describe, expect, test } from 'vitest'
import { compareRerun, type Rerun } from './compare-rerun.ts'
import { MANDATORY_GATES } from '../../planning/gates.ts'
import { verifyRelease, type CommitFacts, type ReleaseFacts } from './verify-release.ts'
import { parseManifest, type ReleaseManifest } from './manifest-schema.ts'
import { sampleManifest as manifest } from '../../../../test/helpers/sample-manifest.ts'

const sha = (digit: string): string => digit.repeat(40)
const PATH = 'docs/releases/shop-release.yaml'
const GATED = sha('e')

const SIX_AND_INTEGRITY: readonly string[] = [...MANDATORY_GATES, 'integrity']
const row = (gate: string, result: string): string => `| ${gate} | ${result} | x |\n`

interface Written {
  readonly gates?: readonly string[]
  /** Rows that follow. */
  readonly more?: string
  readonly review?: string
}

/** As review-artifact.ts writes it. */
const review = (
  name: string,
  tree: string,
  { gates = SIX_AND_INTEGRITY, more = '', review: round = 'Not reviewed.' }: Written = {},
): string =>
  [
    `# Review of ${name}: Do it\n\nTier low, attempt 1, worker \`w-shop-1-1\`, tree \`${tree}\`.\n`,
    `## Gates\n\n${row('Gate', 'Result')}${row('---', '---')}${gates.map((gate) => row(gate, 'passed')).join('')}${more}`,
    `## Review\n\n${round}\n`,
  ].join('\n')

const commit = (fields: Partial<CommitFacts> & { readonly sha: string }): CommitFacts => ({
  tree: sha('d'),
  parents: [sha('0')],
  message: 'feat: do it\n\nRefs: task-1\nReview: docs/reviews/shop/task-1-review.md\n',
  ...fields,
})

const facts: ReleaseFacts = {
  plan: 'shop',
  path: PATH,
  manifest,
  workingTip: sha('f'),
  inWorkTree: 'absent',
  notes: null,
  release: commit({ sha: sha('f'), parents: [sha('a')], message: 'docs(release): manifest of shop\n' }),
  changed: [PATH],
  specCommits: new Set(),
  below: [commit({ sha: sha('a'), tree: GATED }), commit({ sha: sha('0'), parents: [], message: 'Start\n' })],
  releasedTrees: [GATED, sha('d')],
  tasks: [
    {
      task: '1',
      sha: sha('a'),
      commit: commit({ sha: sha('a'), tree: GATED }),
      artifact: review('task-1', sha('c')),
      treesWithout: [sha('c')],
    },
  ],
}

const failing = (changed: Partial<ReleaseFacts>): readonly string[] =>
  verifyRelease({ ...facts, ...changed })
    .filter(({ ok }) => !ok)
    .map(({ id }) => id)
const failingWith = (changed: Partial<ReleaseManifest>): readonly string[] =>
  failing({ manifest: { ...manifest, ...changed } })
const [theTask] = manifest.tasks
const [theFacts] = facts.tasks

describe('a release', () => {
  test('that matches its manifest passes every check', () => {
    expect(failing({})).toEqual([])
  })

  test('must be of the requested plan', () => {
    expect(failing({ plan: 'shed' })).toContain('plan')
  })

  test('is the tip of its branch, unless the branch was merged and deleted', () => {
    expect(failing({ workingTip: sha('9') })).toEqual(['branch'])
    expect(failing({ workingTip: null })).toEqual([])
  })

  test('has a manifest without uncommitted changes', () => {
    expect(failing({ inWorkTree: 'different' })).toEqual(['work_tree'])
  })

  test('adds only the manifest in its last commit', () => {
    expect(failing({ changed: [PATH, 'src/a.js'] })).toEqual(['release_commit', 'evidence'])
    expect(failing({ release: { ...facts.release, parents: [sha('a'), sha('b')] } })).toEqual([
      'release_commit',
    ])
    expect(failing({ release: { ...facts.release, message: 'feat: x\n\nRefs: task-1\n' } })).toEqual([
      'release_commit',
    ])
  })

  test('has consecutive task commits', () => {
    const stranger = commit({ sha: sha('8'), tree: GATED })
    expect(failing({ below: [stranger, ...facts.below] })).toEqual(['history'])
    expect(failing({ below: [] })).toContain('history')
    const [first] = facts.below
    const merge = { ...(first ?? stranger), parents: [sha('0'), sha('7')] }
    expect(failing({ below: [merge] })).toEqual(['history'])
  })

  test('may have commits of the spec alone between those of tasks', () => {
    const spec = commit({ sha: sha('8'), tree: GATED })
    const below = [spec, ...facts.below]
    expect(failing({ below, specCommits: new Set([spec.sha]) })).toEqual([])
    expect(failing({ below, specCommits: new Set(facts.below.map(({ sha: one }) => one)) })).toEqual([
      'history',
    ])
  })

  test('names commits that exist, with their review and the tree the gates ran on', () => {
    const other = (fields: Partial<ReleaseFacts['tasks'][number]>) =>
      failing({ tasks: theFacts === undefined ? [] : [{ ...theFacts, ...fields }] })
    expect(other({ commit: null })).toEqual(['commit'])
    expect(other({ artifact: null })).toEqual(['review'])
    expect(other({ treesWithout: [sha('b')] })).toEqual(['tree'])
    expect(other({ artifact: 'It is fine.\n' })).toEqual(['tree', 'gates', 'reviewed'])
    expect(other({ artifact: review('task-2', sha('c')) })).toEqual(['tree'])
    expect(other({ commit: commit({ sha: sha('a'), message: 'feat: do it\n' }) })).toEqual(['message'])
  })

  test('has the same task titles as the reviews', () => {
    const renamed = theTask === undefined ? [] : [{ ...theTask, title: 'Do less' }]
    expect(failingWith({ tasks: renamed })).toEqual(['tree'])
  })

  test('lists every override, and every gate that did not pass has one', () => {
    const at = manifest.completed_at
    const override = { gate: 'unit', task: '1', by: 'Ann', at, reason: 'a known flake' }
    const gates = (more: string): string =>
      review('task-1', sha('c'), { more: `${row('lint', 'passed')}${more}` })
    const red = gates(row('unit', 'FAILED'))
    const waved = `${red}\n## Overrides\n\n- unit: let through by Ann, because a known flake\n`
    const other = (artifact: string, overrides: ReleaseManifest['overrides']) =>
      failing({
        manifest: { ...manifest, overrides },
        tasks: theFacts === undefined ? [] : [{ ...theFacts, artifact }],
      })
    expect(other(gates(row('unit', 'passed')), [])).toEqual([])
    expect(other(red, [])).toEqual(['overrides'])
    expect(other(waved, [])).toEqual(['overrides'])
    expect(other(waved, [override])).toEqual([])
    expect(other(gates(''), [override])).toEqual(['overrides'])
  })

  test('has a verdict on each of the six gates and on integrity, unless a person overrode something', () => {
    const artifact = review('task-1', sha('c'), { gates: MANDATORY_GATES })
    const other = (text: string) =>
      failing({ tasks: theFacts === undefined ? [] : [{ ...theFacts, artifact: text }] })
    expect(other(artifact)).toEqual(['gates'])
    const at = manifest.completed_at
    const overrides = [{ gate: 'unit', task: '1', by: 'Ann', at, reason: 'known' }]
    const red = review('task-1', sha('c'), { gates: MANDATORY_GATES, more: row('unit', 'FAILED') })
    const waved = `${red}\n## Overrides\n\n- unit: let through by Ann, because known\n`
    const tasks = theFacts === undefined ? [] : [{ ...theFacts, artifact: waved }]
    expect(failing({ manifest: { ...manifest, overrides }, tasks })).toEqual([])
  })

  test('says how many protected files were changed', () => {
    const title = 'Protected files changed, as the contract allows'
    const artifact = `${review('task-1', sha('c'))}\n## ${title}\n\n- a\n- b\n`
    const tasks = theFacts === undefined ? [] : [{ ...theFacts, artifact }]
    expect(verifyRelease({ ...facts, tasks }).find(({ id }) => id === 'gates')?.message).toBe(
      'the review has a verdict on each of the six gates; integrity passed, with 2 protected files changed as the contract allows',
    )
  })

  test('has the name and reason of each override, as the review does', () => {
    const at = manifest.completed_at
    const override = { gate: 'unit', task: '1', by: 'Ann', at, reason: 'a known flake' }
    const waved = `${review('task-1', sha('c'))}\n## Overrides\n\n- unit: let through by Ann, because a known flake\n`
    const other = (overrides: ReleaseManifest['overrides']) =>
      failing({
        manifest: { ...manifest, overrides },
        tasks: theFacts === undefined ? [] : [{ ...theFacts, artifact: waved }],
      })
    expect(other([override])).toEqual([])
    expect(other([{ ...override, by: 'Bob' }])).toEqual(['overrides'])
    expect(other([{ ...override, reason: 'it is fine' }])).toEqual(['overrides'])
    expect(failingWith({ overrides: [{ ...override, task: null, reason: ' ' }] })).toEqual(['overrides'])
  })

  test('lists exactly the breaking changes', () => {
    const breaking = theTask === undefined ? [] : [{ ...theTask, breaking_change: true }]
    expect(failingWith({ tasks: breaking })).toEqual(['counts'])
    expect(failingWith({ tasks: breaking, breaking_changes: ['1: Do it'] })).toEqual(['release_notes'])
    expect(failingWith({ breaking_changes: ['1: Do it'] })).toContain('counts')
  })

  test('has notes beside its manifest that list every breaking change', () => {
    const tasks = theTask === undefined ? [] : [{ ...theTask, breaking_change: true }]
    const release_notes = { path: PATH.replace('-release.yaml', '-notes.md'), sha256: '1'.repeat(64) }
    const broken = { ...manifest, tasks, breaking_changes: ['1: Do it'], release_notes }
    const notes = { text: '# Release notes\n\n## 1: Do it\n\nMore.\n', sha256: '1'.repeat(64) }
    const changed = [PATH, release_notes.path]
    expect(failing({ manifest: broken, notes, changed })).toEqual([])
    expect(failing({ manifest: broken, notes: null, changed })).toEqual(['release_notes'])
    expect(failing({ manifest: broken, notes: { ...notes, sha256: '2' }, changed })).toEqual([
      'release_notes',
    ])
    const silent = { ...notes, text: '# Release notes\n' }
    expect(failing({ manifest: broken, notes: silent, changed })).toEqual(['release_notes'])
    const elsewhere = { ...broken, release_notes: { ...release_notes, path: 'src/a.js' } }
    expect(failing({ manifest: elsewhere, notes, changed: [PATH, 'src/a.js'] })).toEqual([
      'release_commit',
      'release_notes',
      'evidence',
    ])
  })

  test('names reviewer, round and verdict as the review does', () => {
    const line =
      'Round 2 on attempt 3, by `w-shop-1-3-review-2` (agent `codex`; no other agent was available): approved. Fine.'
    const artifact = review('task-1', sha('c'), { review: line })
    const recorded = { by: 'w-shop-1-3-review-2', agent: 'codex', round: 2, verdict: 'approved' } as const
    const other = (named: ReleaseManifest['tasks'][number]['review']) =>
      failing({
        manifest: { ...manifest, tasks: theTask === undefined ? [] : [{ ...theTask, review: named }] },
        tasks: theFacts === undefined ? [] : [{ ...theFacts, artifact }],
      })
    expect(other(recorded)).toEqual([])
    expect(other(undefined)).toEqual(['reviewed'])
    expect(other({ ...recorded, agent: 'claude' })).toEqual(['reviewed'])
    expect(other({ ...recorded, by: 'rules' })).toEqual(['reviewed'])
    expect(other({ ...recorded, round: 1 })).toEqual(['reviewed'])
    expect(other({ ...recorded, verdict: 'changes_requested' })).toEqual(['reviewed'])
  })

  test('says which work no reviewer gave a verdict on, and is refused where its review is silent on it', () => {
    const reviewed = (round: string) => {
      const artifact = review('task-1', sha('c'), { review: round })
      const tasks = theFacts === undefined ? [] : [{ ...theFacts, artifact }]
      return verifyRelease({ ...facts, tasks }).find(({ id }) => id === 'reviewed')
    }
    expect(reviewed('Not reviewed.')).toMatchObject({ ok: true, message: 'no reviewer gave a verdict' })
    expect(reviewed('')).toMatchObject({ ok: false, message: 'the review names no reviewer' })
  })

  test('may have tasks with neither commit nor review', () => {
    const task = { ...theTask, task_id: '2', title: 'There', tier: 'low', breaking_change: false } as const
    const none = { ...task, commit_sha: null, review_artifact: null }
    expect(failingWith({ tasks: [...manifest.tasks, none] })).toEqual([])
    expect(failingWith({ tasks: [...manifest.tasks, { ...none, review_artifact: 'x.md' }] })).toEqual([
      'commit',
    ])
  })

  test('has no commit of a task that existed already', () => {
    if (theTask === undefined) throw new Error('the manifest has no task')
    const exists = 'src/b.js exists, and test/b.test.js passes'
    const there = { ...theTask, task_id: '2', commit_sha: null, review_artifact: null, exists }
    const checks = verifyRelease({ ...facts, manifest: { ...manifest, tasks: [...manifest.tasks, there] } })
    expect(checks.find(({ id }) => id === 'exists')).toMatchObject({
      ok: true,
      task: '2',
      message: `existed already: ${exists}`,
    })
    expect(failingWith({ tasks: [{ ...theTask, exists }] })).toEqual(['exists'])
  })

  test('has evidence about the released tree', () => {
    const evidence = manifest.evidence.map((one) => ({ ...one, tree: sha('b') }))
    expect(failingWith({ evidence })).toEqual(['evidence'])
    const bare = manifest.evidence.map((one) => ({ ...one, tree: sha('d') }))
    expect(failingWith({ evidence: bare })).toEqual([])
  })

  test('has no open risk, and a name for each accepted one', () => {
    const risk = { id: 'risk-1-1', description: 'slow', accepted_by: null, accepted_at: null, reason: null }
    expect(failingWith({ risks: [{ ...risk, status: 'open' }] })).toEqual(['risks'])
    expect(failingWith({ risks: [{ ...risk, status: 'accepted' }] })).toEqual(['risks'])
    expect(failingWith({ risks: [{ ...risk, status: 'mitigated' }] })).toEqual([])
    const accepted = { ...risk, status: 'accepted', accepted_by: 'Ann', accepted_at: manifest.completed_at }
    expect(failingWith({ risks: [{ ...accepted, reason: ' ' }] })).toEqual(['risks'])
    expect(failingWith({ risks: [{ ...accepted, reason: 'we watch it' }] })).toEqual([])
  })

  test('has consistent counts', () => {
    expect(failingWith({ tests_passed: 5 })).toEqual(['counts'])
    expect(failingWith({ tasks: [...manifest.tasks, ...manifest.tasks] })).toContain('counts')
  })

  test('traces requirements to its own tasks and commits', () => {
    const traced = { requirement: 'R-001', story: 'S-001', task_id: '1', tests: [], commit_sha: sha('a') }
    expect(failingWith({ trace: [traced] })).toEqual([])
    expect(failingWith({ trace: [{ ...traced, task_id: '2' }] })).toEqual(['trace'])
    expect(failingWith({ trace: [{ ...traced, commit_sha: sha('b') }] })).toEqual(['trace'])
    expect(failingWith({ trace: [{ ...traced, commit_sha: null }] })).toEqual(['trace'])
  })

  test('claims only what its evidence shows', () => {
    expect(failingWith({ lint_clean: null })).toEqual(['claims'])
    expect(failingWith({ build_clean: true })).toEqual(['claims'])
    const [unit] = manifest.evidence
    const failed = unit === undefined ? [] : [{ ...unit, claim: 'unit failed', exit_code: 1 }]
    const override = { gate: 'unit', task: null, by: 'Ann', at: manifest.completed_at, reason: 'known' }
    expect(failingWith({ lint_clean: null, evidence: failed })).toEqual(['claims'])
    expect(failingWith({ lint_clean: null, evidence: failed, overrides: [override] })).toEqual([])
    const lied = unit === undefined ? [] : [{ ...unit, claim: 'migrations passed', exit_code: 2 }]
    expect(failingWith({ evidence: [...manifest.evidence, ...lied] })).toEqual(['claims'])
  })

  const milestone = {
    layer: 'core',
    test: 'it-1',
    command: 'sh energy.sh',
    outcome: 'passed',
    exit_code: 0,
    tree: facts.below[0]?.tree ?? '',
    output_sha256: null,
    values: [{ name: 'energy', value: 1.05, reference: 1, abs: 0.1, rel: null }],
  }

  test('has milestones that passed, on trees of its branch, with values within their tolerance', () => {
    const off = milestone.values.map((one) => ({ ...one, value: 1.2 }))
    const missing = milestone.values.map((one) => ({ ...one, value: null }))
    expect(failingWith({ milestones: [milestone] })).toEqual([])
    expect(failingWith({ milestones: [{ ...milestone, outcome: 'failed' }] })).toEqual(['milestones'])
    expect(failingWith({ milestones: [{ ...milestone, exit_code: 1 }] })).toEqual(['milestones'])
    expect(failingWith({ milestones: [{ ...milestone, values: off }] })).toEqual(['milestones'])
    expect(failingWith({ milestones: [{ ...milestone, values: missing }] })).toEqual(['milestones'])
    expect(failingWith({ milestones: [{ ...milestone, tree: sha('b') }] })).toEqual(['milestone_tree'])
  })

  test('has milestones that still pass when run again', () => {
    const again = { claim: 'milestone it-1', command: 'sh energy.sh', counts: null, notRun: '' }
    const wrong = (rerun: Partial<Rerun>): number => {
      const reruns = [{ ...again, ending: { kind: 'exited' as const, code: 0 }, ...rerun }]
      const alone = { ...manifest, evidence: [], tests_run: 0, tests_passed: 0, milestones: [milestone] }
      return compareRerun(alone, reruns).filter(({ ok }) => !ok).length
    }
    expect(wrong({ values: { energy: 0.95 } })).toBe(0)
    expect(wrong({ values: { energy: 1.2 } })).toBe(1)
    expect(wrong({ values: {} })).toBe(1)
    expect(wrong({ values: { energy: 1 }, ending: { kind: 'exited', code: 1 } })).toBe(1)
  })

  test('can be rolled back commit by commit', () => {
    expect(failingWith({ rollback_plan: 'Nothing.' })).toEqual(['rollback'])
  })
})

test('a manifest with an unknown or a missing key is refused', () => {
  expect(parseManifest(manifest).ok).toBe(true)
  expect(parseManifest({ ...manifest, extra: 1 }).ok).toBe(false)
  expect(parseManifest({ ...manifest, tests_run: undefined })).toMatchObject({ ok: false })
  expect(parseManifest('text').ok).toBe(false)
})
