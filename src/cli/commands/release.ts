import { Refusal } from '../../lib/refusal.ts'
import type { ReleaseAnswer, SignedAnswer } from '../../protocol/answers.ts'
import type { Call, CommandDefinition, CommandResult } from '../command.ts'
import { idSegment } from '../id-segment.ts'

export const releaseCommand: CommandDefinition = {
  name: 'release',
  summary: 'the release of a plan: show its manifest, verify it, sign it off',
  arguments: [
    { syntax: '<action>', help: 'show, verify or sign' },
    { syntax: '<plan>', help: 'the id of the plan' },
  ],
  options: [
    { syntax: '--rerun', help: 'with verify: run the release evidence again, in a clean checkout' },
    { syntax: '--by <name>', help: 'with sign: who signs; you, unless it is said' },
  ],
  examples: [
    { line: 'bosun release show shop', what: 'the manifest as it was committed' },
    {
      line: 'bosun release verify shop',
      what: 'hold it against the repository alone; 1 if a claim is false',
    },
    { line: 'bosun release verify shop --rerun', what: 'and run its tests and checks once more' },
    { line: 'bosun release sign shop --by "Ann Lee"', what: 'sign it off; merging is yours' },
  ],
  // What running the evidence took has to be cleared away first.
  detaches: ([action]) => action === 'verify',
  insideWorker: ([action]) => action !== 'sign',
  async run(call) {
    const [action = '', id = ''] = call.args
    switch (action) {
      case 'show':
        return show(call, id)
      case 'verify':
        return verify(call, id)
      case 'sign':
        return sign(call, id)
    }
    throw new Refusal({
      code: 'usage',
      message: `release cannot ${action}`,
      remedy: 'Use one of: bosun release show PLAN, bosun release verify PLAN, bosun release sign PLAN',
    })
  },
}

async function show(call: Call, id: string): Promise<CommandResult> {
  const [{ repoHere }, { offlineDocument, reading }] = await Promise.all([
    import('../caller.ts'),
    import('../reading.ts'),
  ])
  const repo = await repoHere(call)
  const [release, daemon] = await reading(call, async (from) => [
    await from.get<ReleaseAnswer>(`/api/plans/${idSegment(id)}/release`, { repo }),
    offlineDocument(from),
  ])
  if (release.manifest === null) {
    throw new Refusal({
      code: 'not_found',
      message: `${release.plan} is not released yet (its release gate: ${release.state})`,
      remedy: 'See where it stands: bosun status',
    })
  }
  const head = `${release.plan} ${release.state}: ${release.manifest} at ${release.sha ?? ''}\n`
  return { exit: 'ok', document: { ...release, ...daemon }, text: () => release.text ?? head }
}

/** From the repository alone: it needs no daemon, and asks none. */
async function verify(call: Call, id: string): Promise<CommandResult> {
  const [{ verifyRelease }, { proofText }, { readSettings }] = await Promise.all([
    import('../../app/releases/verify-release.ts'),
    import('../views/release-view.ts'),
    import('../../config/read-settings.ts'),
  ])
  requirePlanId(id)
  const interrupted = call.parts.interruption()
  const settings = await readSettings(call.terminal.cwd)
  const repository = await call.parts.releaseRepository()
  try {
    const proof = await verifyRelease(repository, {
      plan: id,
      folder: settings.pm.release_manifest_dir,
      rerun: call.flag('rerun') ? settings.environment : null,
      interrupted,
    })
    if (interrupted.aborted) return cutShort(id)
    return {
      exit: proof.ok ? 'ok' : 'failed',
      document: { ...proof },
      text: (style) => proofText(proof, style),
    }
  } finally {
    await repository.close()
  }
}

/** What was found by then proves nothing. */
const cutShort = (plan: string): CommandResult => ({
  exit: 'interrupted',
  document: { plan, ok: null, checks: [] },
  text: () => `${plan} was not verified: it was interrupted\n`,
})

/** It becomes part of a branch's name and of a path. */
function requirePlanId(id: string): void {
  if (/^[a-z0-9][a-z0-9-]{0,39}$/.test(id)) return
  throw new Refusal({
    code: 'usage',
    message: `${id} is no id of a plan`,
    remedy: 'An id is lower-case letters, digits and dashes. `bosun status` shows the plans there are.',
  })
}

async function sign(call: Call, id: string): Promise<CommandResult> {
  const { deciderName, repoHere } = await import('../caller.ts')
  const daemon = await call.parts.daemon()
  const body = { by: await deciderName(call), repo: await repoHere(call) }
  const signed = await daemon.post<SignedAnswer>(`/api/plans/${idSegment(id)}/sign`, body)
  const text = signed.changed
    ? `${signed.plan} is signed off by ${signed.by}; merging ${signed.branch} is yours\n`
    : `${signed.plan} was signed off already, by ${signed.by}\n`
  return { exit: 'ok', document: { ...signed }, text: () => text }
}
