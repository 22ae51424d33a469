/** The release of a plan: where it is, its manifest as it was committed, and its sign-off. */
import type { Origin } from '../../core/event-schemas/origin.ts'
import { originOf } from '../../lib/text/decision-origin.ts'
import { approversOf, proofOf } from '../../core/delivery/release/release-proof.ts'
import { releaseManifest } from '../../core/delivery/release/release-manifest.ts'
import { releaseSummary } from '../../core/delivery/release/release-summary.ts'
import type { PlanState } from '../../core/state/state.ts'
import { runProgram } from '../../lib/process/run-program.ts'
import type { ReleaseAnswer, SignedAnswer } from '../../protocol/plan-views.ts'
import type { HostToRead } from '../host/host-to-read.ts'
import { reportOfPlan } from '../plans/plan-status.ts'
import { answerItem } from '../inbox/answer-item.ts'
import { stateConflict } from '../host/stream-name.ts'
import type { Host } from '../host/host.ts'

const MAX_MANIFEST_BYTES = 4 * 1024 * 1024
const READ_TIMEOUT_MS = 10_000

export async function showRelease(host: HostToRead, id: string, repository?: string): Promise<ReleaseAnswer> {
  const plan = await host.find(id, repository)
  const { plans, commits, manifest } = reportOfPlan(host, plan)
  const { sha, step } = plan.state.release
  const text =
    sha === null || manifest === null ? null : await readAt(plan.home.repository.path, sha, manifest)
  const summary = manifest === null ? null : summaryOf(plan.state, manifest)
  const branch = plans[0]?.branch ?? null
  return {
    plan: plan.id,
    state: step,
    branch,
    sha,
    manifest,
    text,
    summary,
    commits,
    proof: proofOf(releaseManifest(plan.state), plan.state.release.verdicts ?? [], approversOf(plan.state)),
    signed_by: step === 'signed' ? signerOf(plan.state) : null,
  }
}

function summaryOf(state: PlanState, manifest: string): string {
  return releaseSummary(releaseManifest(state), { title: state.plan.title, manifest })
}

async function readAt(repository: string, sha: string, path: string): Promise<string | null> {
  const shown = await runProgram({
    command: 'git',
    args: ['cat-file', 'blob', `${sha}:${path}`],
    cwd: repository,
    env: { ...process.env, GIT_OPTIONAL_LOCKS: '0' },
    timeoutMs: READ_TIMEOUT_MS,
    maxBytes: MAX_MANIFEST_BYTES,
  })
  return shown.kind === 'exited' && shown.code === 0 ? shown.stdout : null
}

/** Signs off a release in a person's name. Merging stays up to them. */
interface SignRequest {
  readonly plan: string
  readonly by: string
  /** How it came. */
  readonly origin?: Origin | undefined
  readonly repository?: string | undefined
}

/** It is durable when this resolves. */
export async function signRelease(host: Host, request: SignRequest): Promise<SignedAnswer> {
  const plan = await host.find(request.plan, request.repository)
  const branch = `feat/${plan.id}/working`
  const { step } = plan.state.release
  if (step === 'signed') return { plan: plan.id, branch, by: signerOf(plan.state), changed: false }
  if (step !== 'prepared') throw stateConflict(`${plan.id} is not released yet (release gate: ${step})`)
  const { by, origin } = request
  const asked = [...plan.state.inbox.values()].find(({ item }) => item.subject === 'sign_off')
  if (asked === undefined) {
    const done = await plan.propose({ type: 'release.signed', v: 1, by, ...originOf(origin ?? {}) })
    if (!done.ok) throw stateConflict(done.why)
  } else {
    const id = `${plan.home.repository.id}:${plan.id}:${asked.item.id}`
    await answerItem(host, { id, choice: 'sign', feedback: '', by, origin })
  }
  return { plan: plan.id, branch, by, changed: true }
}

function signerOf({ humanDecisions }: Pick<PlanState, 'humanDecisions'>): string {
  return humanDecisions.findLast(({ choice }) => choice === 'sign')?.by ?? 'a person'
}
