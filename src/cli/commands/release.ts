import { Refusal, usageRefusal } from '../../lib/refusal.ts'
import { terminalLine } from '../../lib/text/terminal-text.ts'
import type { Call, CommandDefinition, CommandResult } from '../command.ts'

export const releaseCommand: CommandDefinition = {
  name: 'release',
  summary: 'show the manifest of a release, verify it, or sign it off',
  arguments: [
    { syntax: '<action>', help: 'show, verify or sign' },
    { syntax: '<plan>', help: 'the id of the plan' },
  ],
  options: [
    { syntax: '--rerun', help: 'with verify: re-run the release evidence in a clean checkout' },
    { syntax: '--by <name>', help: 'with sign: the name to record (default: your git user.name)' },
  ],
  examples: [
    { line: 'bosun release show shop', what: 'its summary and the committed manifest' },
    {
      line: 'bosun release verify shop',
      what: 'check it against the repository alone; exits 1 if a claim is false',
    },
    { line: 'bosun release verify shop --rerun', what: 'and re-run its tests and checks' },
    { line: 'bosun release sign shop --by "Ann Lee"', what: 'sign it off; you merge' },
  ],
  // The checkout must be removed first.
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
    throw usageRefusal(
      `unknown action "${action}"`,
      'Use one of: bosun release show PLAN, bosun release verify PLAN, bosun release sign PLAN',
    )
  },
}

async function show(call: Call, id: string): Promise<CommandResult> {
  const [{ repoHere }, { readAnswer }, { summaryText }] = await Promise.all([
    import('../caller.ts'),
    import('../reading.ts'),
    import('../views/release-view.ts'),
  ])
  const asked = { id, repo: await repoHere(call) }
  const { answer: release, document } = await readAnswer(call, '/api/plans/{id}/release', asked)
  if (release.manifest === null) {
    throw new Refusal({
      code: 'not_found',
      message: `${release.plan} has no release yet (release gate: ${release.state})`,
      remedy: 'See its progress: bosun status',
    })
  }
  const head = `${release.plan} ${release.state}: ${release.manifest} at ${release.sha ?? ''}`
  return {
    exit: 'ok',
    document,
    text: () =>
      `${[summaryText(release), head, release.text ?? '']
        .filter((part) => part !== '')
        .join('\n\n')
        .trimEnd()}\n`,
  }
}

/** Uses the repository alone, without a daemon. */
async function verify(call: Call, id: string): Promise<CommandResult> {
  const [{ verifyRelease }, { proofText }, { readSettings }] = await Promise.all([
    import('../../app/releases/verify-release.ts'),
    import('../views/release-view.ts'),
    import('../../config/read-settings.ts'),
  ])
  requirePlanId(id)
  const interrupted = call.services.interruption()
  const settings = await readSettings(call.terminal.cwd)
  const repository = await call.services.releaseRepository()
  try {
    const proof = await verifyRelease(repository, {
      plan: id,
      folder: settings.pm.release_manifest_dir,
      rerun: call.flag('rerun') ? settings.environment : null,
      onStart: (command) => {
        if (!call.json) call.terminal.printMessage(`running ${terminalLine(command)}\n`)
      },
      interrupted,
    })
    if (interrupted.aborted) return interruptedResult(id)
    return {
      exit: proof.ok ? 'ok' : 'failed',
      document: proof,
      text: (style) => proofText(proof, style),
    }
  } finally {
    await repository.close()
  }
}

const interruptedResult = (plan: string): CommandResult => ({
  exit: 'interrupted',
  document: { plan, ok: null, checks: [] },
  text: () => `interrupted; ${plan} was not verified\n`,
})

/** The id becomes part of a branch name and a path. */
function requirePlanId(id: string): void {
  if (/^[a-z0-9][a-z0-9-]{0,39}$/.test(id)) return
  throw usageRefusal(
    `invalid plan id "${id}"`,
    'Plan ids use lower-case letters, digits and dashes. `bosun status` lists the plans.',
  )
}

async function sign(call: Call, id: string): Promise<CommandResult> {
  const { deciderName, repoHere } = await import('../caller.ts')
  const daemon = await call.services.daemon()
  const body = { by: await deciderName(call), repo: await repoHere(call) }
  const signed = await daemon.post('/api/plans/{id}/sign', body, { id })
  const text = signed.changed
    ? `signed off ${signed.plan} as ${signed.by}; merge ${signed.branch} when you are ready\n`
    : `${signed.plan} is already signed off by ${signed.by}\n`
  return { exit: 'ok', document: signed, text: () => text }
}
