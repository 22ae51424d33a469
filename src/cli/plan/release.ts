/** `bosun release`: shows the manifest of a release, verifies it, or signs it off. */
import { usageRefusal, refusal } from '../../lib/refusal.ts'
import { terminalLine, terminalText } from '../../lib/text/terminal-text.ts'
import { actionOf, resultOf, type Call, type CommandResult } from '../command.ts'
import type { ReleaseAnswer } from '../../protocol/plan-views.ts'
import type { ReleaseProof } from '../../app/releases/verify-release.ts'
import type { Style } from '../terminal/terminal.ts'
import { decider, repoHere } from '../caller.ts'
import { readAnswer } from '../reading.ts'
import { readSettings } from '../../config/read-settings.ts'

const USAGE = 'Use one of: bosun release show PLAN, bosun release verify PLAN, bosun release sign PLAN'

export async function runRelease(call: Call): Promise<CommandResult> {
  return actionOf(call, { show, verify, sign }, USAGE)(call, call.args[1] ?? '')
}

async function show(call: Call, id: string): Promise<CommandResult> {
  const asked = { id, repo: await repoHere(call) }
  const { answer: release, document } = await readAnswer(call, '/api/plans/{id}/release', asked)
  if (release.manifest === null) {
    throw refusal(
      'not_found',
      `${release.plan} has no release yet (release gate: ${release.state})`,
      'See its progress: bosun status',
    )
  }
  const head = `${release.plan} ${release.state}: ${release.manifest} at ${release.sha ?? ''}`
  const parts = [summaryText(release), head, release.text ?? ''].filter((part) => part !== '')
  return resultOf(document, `${parts.join('\n\n').trimEnd()}\n`)
}

/** Uses the repository alone, without a daemon. */
async function verify(call: Call, id: string): Promise<CommandResult> {
  const { verifyRelease } = await import('../../app/releases/verify-release.ts')
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
    if (interrupted.aborted)
      return resultOf(
        { plan: id, ok: null, checks: [] },
        `interrupted; ${id} was not verified\n`,
        'interrupted',
      )
    return resultOf(proof, (style) => proofText(proof, style), proof.ok ? 'ok' : 'failed')
  } finally {
    await repository.close()
  }
}

/** The id becomes part of a branch name and a path. */
function requirePlanId(id: string): void {
  if (/^[a-z0-9][a-z0-9-]{0,39}$/.test(id)) return
  throw usageRefusal(
    `invalid plan id "${id}"`,
    'Plan ids use lower-case letters, digits and dashes. `bosun status` lists the plans.',
  )
}

async function sign(call: Call, id: string): Promise<CommandResult> {
  const daemon = await call.services.daemon()
  const signed = await daemon.post('/api/plans/{id}/sign', await decider(call), { id })
  const text = signed.changed
    ? `signed off ${signed.plan} as ${signed.by}; merge ${signed.branch} when you are ready\n`
    : `${signed.plan} is already signed off by ${signed.by}\n`
  return resultOf(signed, text)
}

/** What a person reads first; empty before there is one. */
export const summaryText = ({ summary }: Pick<ReleaseAnswer, 'summary'>): string =>
  summary === null ? '' : terminalText(summary)

/** One line per check, then the result. */
function proofText({ plan, manifest, sha, ok, checks }: ReleaseProof, style: Style): string {
  const names = checks.map(({ id, task }) => (task === null ? id : `task ${task}: ${id}`))
  const width = Math.max(...names.map((name) => name.length))
  const lines = checks.map((check, at) => {
    const mark = check.ok ? style.green('ok    ') : style.red('FAILED')
    return `${mark}  ${terminalLine(names[at] ?? '').padEnd(width)}  ${terminalLine(check.message)}`
  })
  const failed = checks.filter((check) => !check.ok).length
  const end = ok
    ? style.green(`${plan} matches its manifest: ${manifest} at ${sha.slice(0, 12)}`)
    : style.red(`${plan} does not match its manifest: ${failed} of ${checks.length} checks failed`)
  return `${lines.join('\n')}\n\n${end}\n`
}
